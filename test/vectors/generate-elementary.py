"""Reference values of exp, log, the normal distribution and a few distances, with mpmath.

    pip install mpmath==1.3.0 && python3 test/vectors/generate-elementary.py > test/vectors/elementary.json
"""

import json
from mpmath import mp, mpf, exp, log, erfc, sqrt, nstr

mp.dps = 200
DIGITS = 90


def tail(x):
    return erfc(x / sqrt(mpf(2))) / 2


POINTS = ["0.5", "1", "-1", "1e-30", "-1e-30", "3.68", "-700.25", "700.25", "0.6931471805599453", "-0.6931471805599453", "-5000", "12345.678"]
LOGS = ["2", "0.5", "1.0000000000000000000000000000000000000001", "0.9999999999999999999999", "1e-300", "123456789.123", "3", "0.75", "1.5"]
NORMALS = ["0.001", "0.5", "1", "2.9", "3", "5.999", "6.001", "6", "10", "23.5", "40.25", "200"]

print(
    json.dumps(
        {
            "exp": [[x, nstr(exp(mpf(x)), DIGITS)] for x in POINTS],
            "log": [[x, nstr(log(mpf(x)), DIGITS)] for x in LOGS],
            "normalTail": [[x, nstr(tail(mpf(x)), DIGITS)] for x in NORMALS],
        },
        indent=1,
    )
)
