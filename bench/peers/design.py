"""The optimal noise as the paper states it, one linear programme with every row, by HiGHS; prints one JSON object.

    env/bin/python design.py epsilon adjacency sigma halfwidth

The input is a Gaussian rounded down to the lattice, cut to [-halfwidth, halfwidth]; so is the noise's window,
without tails: what it finds is private only inside the window. The distance of P1 takes one variable a
point, t_k >= +-(F_x(k) - F_{x+theta}(k)), and privacy one row p(i) <= e^epsilon p(j) for each pair within the adjacency
(a point with itself included, as in the paper's (2m + 1) N rows, less those that leave the window).
"""

import json
import math
import sys
import time

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, csr_matrix, hstack, identity, vstack

epsilon, m, sigma, half = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
n = 2 * half + 1


def below(x):
    return math.erfc(-x / sigma / math.sqrt(2)) / 2


prior = np.array([below(k + 1) - below(k) for k in range(-half, half + 1)])
prior /= prior.sum()

# F_x on the points that x + theta can reach, -2 half .. 2 half, and F_x(k - j) for each noise value j.
reach = np.arange(-2 * half, 2 * half + 1)
F = np.cumsum(prior)


def cdf(k):
    return np.where(k < -half, 0.0, F[np.clip(k + half, 0, n - 1)])


noise = np.arange(-half, half + 1)
shifted = csr_matrix(cdf(reach[:, None] - noise[None, :]))
t = identity(len(reach))
distance = vstack([hstack([-shifted, -t]), hstack([shifted, -t])])

i, j = [], []
for s in range(-m, m + 1):
    at = np.arange(max(0, -s), min(n, n - s))
    i.append(at)
    j.append(at + s)
i, j = np.concatenate(i), np.concatenate(j)
row = np.arange(len(i))
values = np.concatenate([np.ones(len(i)), np.full(len(i), -math.exp(epsilon))])
privacy = coo_matrix((values, (np.concatenate([row, row]), np.concatenate([i, j]))), shape=(len(i), n))
privacy = hstack([privacy, csr_matrix((len(i), len(reach)))])

A = vstack([distance, privacy]).tocsc()
b = np.concatenate([-cdf(reach), cdf(reach), np.zeros(len(i))])
mass = hstack([csr_matrix(np.ones((1, n))), csr_matrix((1, len(reach)))]).tocsc()
cost = np.concatenate([np.zeros(n), np.ones(len(reach))])

start = time.perf_counter()
result = linprog(cost, A, b, mass, [1.0], (0, None), method="highs")
seconds = time.perf_counter() - start
if result.status != 0:
    sys.exit(result.message)
print(json.dumps({"seconds": seconds, "value": result.fun, "rows": A.shape[0] + 1, "columns": A.shape[1]}))
