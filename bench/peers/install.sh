#!/usr/bin/env bash
# The peers of the benchmarks, in an environment of their own under bench/peers/env.
set -euo pipefail
cd "$(dirname "$0")"
[ -x env/bin/python ] || python3 -m venv env
env/bin/pip install --quiet 'opendp==0.16.0' 'numpy<2' 'scikit-learn<1.4' 'scipy<1.13' joblib
# Its declared dependencies contradict what it runs with; these are the ones it runs with.
env/bin/pip install --quiet --no-deps 'diffprivlib==0.6.6'
# The accountants have needs of their own.
[ -x account-env/bin/python ] || python3 -m venv account-env
account-env/bin/pip install --quiet 'dp-accounting==0.6.0' 'prv-accountant==0.2.0' 'fourier-accountant==0.12.11'
