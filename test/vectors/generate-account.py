"""Compositions by an independent way: the law of the sum of n losses as the power of a polynomial, by Miller's recurrence in
numbers of 120 digits, from the formulas of the noise. Writes account.json.

    python3 generate-account.py > account.json
"""

import json
import sys

from mpmath import exp, expm1, floor, log, mp, mpf

mp.dps = 120


def power(p, n):
    """The coefficients of (Σ p_j x^j)^n [Miller]: a_k = Σ_j (j(n + 1)/k − 1)·p_j·a_(k−j) / p_0."""
    a = [mpf(p[0]) ** n]
    steps = [(j, p[j]) for j in range(1, len(p)) if p[j] != 0]
    for k in range(1, n * (len(p) - 1) + 1):
        total = mpf(0)
        for j, w in steps:
            if j > k:
                break
            if a[k - j]:
                total += (mpf(j * (n + 1)) / k - 1) * w * a[k - j]
        a.append(total / p[0])
    return a


def convolved(p, n):
    """The same by multiplying out, for laws whose first probability is too small to divide by."""
    result, square = [mpf(1)], p
    while n:
        if n & 1:
            result = product(result, square)
        n >>= 1
        if n:
            square = product(square, square)
    return result


def product(a, b):
    out = [mpf(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


SUMS = {}


def sums_of(p, n):
    key = (id(p), n)
    if key not in SUMS:
        SUMS[key] = power(p, n) if p[0] > mpf("0.01") else convolved(p, n)
    return SUMS[key]


def delta(law, n, epsilon):
    """law: loss = offset + spacing·j with probability p[j]."""
    offset, spacing, p = law
    sums = sums_of(p, n)
    check = sum(sums)
    assert abs(check - sum(p) ** n) < mpf(10) ** -60 * max(1, check), check
    total = mpf(0)
    for k, mass in enumerate(sums):
        loss = n * offset + spacing * k
        if loss > epsilon:
            total += mass * -expm1(epsilon - loss)
    return total


def geometric(scale, m):
    """p(k) ∝ e^(−|k|/scale), at shift m: losses (m − 2j)/scale."""
    r = exp(mpf(-1) / scale)
    norm = (1 - r) / (1 + r)
    # P(i) = p(i), Q(i) = p(i + m): i ≥ 0: loss m/s; i ≤ −m: −m/s; between: (m + 2i)/s... by place j = 0 … m
    masses = [mpf(0)] * (m + 1)
    masses[m] = norm / (1 - r)
    masses[0] = norm * r**m / (1 - r)
    for i in range(1, m):
        masses[m - i] += norm * r**i
    return (mpf(-m) / scale, mpf(2) / scale, masses)


def laplace(scale, m):
    """Laplace noise rounded down: p(k) ∝ e^(−|k + 1/2|/scale)."""
    r = exp(mpf(-1) / scale)
    norm = (1 - r) / 2
    masses = [mpf(0)] * (m + 1)
    p = lambda k: norm * (r**k if k >= 0 else r ** (-k - 1))
    # At shift m: k ≥ 0 has loss m/s; k + m ≤ −1 has −m/s; between, |k + m + 1/2| − |k + 1/2| = m + 2k + 1
    masses[m] = mpf(1) / 2
    masses[0] = norm * r**m / (1 - r)
    out = {m: masses[m], -m: masses[0]}
    for k in range(-m, 0):
        out[m + 2 * k + 1] = out.get(m + 2 * k + 1, mpf(0)) + p(k)
    law = [mpf(0)] * (2 * m + 1)
    for place, mass in out.items():
        law[place + m] += mass
    return (mpf(-m) / scale, mpf(1) / scale, law)


def gaussian(sigma, m, reach):
    """p(k) ∝ e^(−k²/2σ²), cut at ±reach: losses (m² + 2km)/2σ²."""
    weights = {k: exp(mpf(-k * k) / (2 * mpf(sigma) ** 2)) for k in range(-reach, reach + 1)}
    norm = sum(weights.values())
    ks = [k for k in range(-reach, reach - m + 1)]
    return (mpf(m * m + 2 * ks[0] * m) / (2 * mpf(sigma) ** 2), mpf(m) / mpf(sigma) ** 2, [weights[k] / norm for k in ks])


def staircase(ratio):
    """Three losses, −log 1/ratio, 0, log 1/ratio: stairs of a width of 2 on either side of the middle, at shift 2."""
    # Level of |k|: floor((|k| + 1)/2): 0 | 1 1 | 2 2 | …, falling by `ratio` each.
    b = mpf(ratio)
    level = lambda k: (abs(k) + 1) // 2
    norm = 1 + 4 * b / (1 - b)
    law = [mpf(0)] * 3
    for k in range(-3000, 3001):
        law[1 + level(k + 2) - level(k)] += b ** level(k) / norm
    return (-log(1 / b), log(1 / b), law)


CASES = [
    ("geometric:scale=10", 1, geometric(10, 1), [2, 100, 10000], 0),
    ("geometric:scale=4", 3, geometric(4, 3), [3, 50, 1000], 0),
    ("laplace:scale=10", 3, laplace(10, 3), [2, 100, 2000], 0),
    ("discrete-gaussian:sigma=3", 2, gaussian(3, 2, 80), [2, 20], 0),
]

result = []
for noise, adjacency, law, counts, _ in CASES:
    for n in counts:
        offset, spacing, p = law
        mean = sum(w * (offset + spacing * j) for j, w in enumerate(p))
        variance = sum(w * (offset + spacing * j) ** 2 for j, w in enumerate(p)) - mean**2
        rows = []
        for z in (-1, 1, 4, 7):
            epsilon = n * mean + z * (n * variance) ** mpf("0.5")
            epsilon = floor(epsilon * 1000) / 1000
            if epsilon < 0:
                continue
            rows.append({"epsilon": mp.nstr(epsilon, 20), "delta": mp.nstr(delta(law, n, epsilon), 30)})
        result.append({"noise": noise, "adjacency": adjacency, "times": n, "rows": rows})
        print(noise, n, file=sys.stderr)

# The stairs as a table, from their exact law.
LAW = staircase("0.5")
for n in (2, 100, 3000):
    law = LAW
    rows = [
        {"epsilon": e, "delta": mp.nstr(delta(law, n, mpf(e)), 30)}
        for e in (["0.5", "1.3"] if n == 2 else ["5", "20", "60"] if n == 100 else ["400", "900", "1200"])
    ]
    result.append({"noise": "stairs", "adjacency": 2, "times": n, "rows": rows})
    print("stairs", n, file=sys.stderr)

json.dump(result, sys.stdout, indent=1)
