"""The least KL(input || output) and JS(input, output) of epsilon-DP noise, as conic programmes by cvxpy and Clarabel: every pair of
neighbours within the adjacency is a row, tails repeat the outermost points. Writes divergences.json beside itself."""

import json
import math
import pathlib
import random

import cvxpy as cp
import numpy as np

random.seed(7)


def least(objective, prior, epsilon, m, symmetric):
    n = len(prior)
    q = math.exp(-epsilon)
    reach = 2 * n + 8 * m
    size = 2 * reach + 1
    p = cp.Variable(size, nonneg=True)
    # p(reach + i + m) = q p(reach + i) beyond both edges, i = 1 - m .. 0; edges do not rise outward.
    beyond = q / (1 - q)
    rows = [cp.sum(p) + beyond * (cp.sum(p[:m]) + cp.sum(p[-m:])) == 1]
    for s in range(1, m + 1):
        rows += [p[s:] >= q * p[:-s], p[:-s] >= q * p[s:]]
    if m > 1:
        rows += [p[1:m] >= p[: m - 1], p[size - m : -1] >= p[size - m + 1 :]]
    if symmetric:
        rows.append(p == p[::-1])
    # o(k) = sum_i prior(i) p(k - i)
    matrix = np.zeros((n, size))
    for k in range(n):
        for i in range(n):
            matrix[k, reach + k - i] += prior[i]
    o = matrix @ p
    x = np.array(prior)
    seen = x > 0
    if objective == "kl":
        goal = cp.sum(cp.rel_entr(x[seen], o[seen]))
    else:
        middle = (x[seen] + o[seen]) / 2
        goal = (cp.sum(cp.rel_entr(x[seen], middle)) + cp.sum(cp.rel_entr(o[seen], middle))) / 2
        goal += math.log(2) / 2 * (1 - cp.sum(o[seen]))
    problem = cp.Problem(cp.Minimize(goal), rows)
    problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-11, tol_gap_rel=1e-11, tol_feas=1e-11)
    assert problem.status in ("optimal", "optimal_inaccurate"), problem.status
    return problem.value


def case(shape):
    n = random.randint(1, 14)
    if shape == "rough":
        w = [random.random() ** 3 for _ in range(n)]
    elif shape == "gaps":
        w = [random.random() if random.random() < 0.4 else 0 for _ in range(n)]
        w[0] = w[-1] = 1
    else:
        w = [(k + 1) ** -1.5 for k in range(n)]
    total = round(sum(w), 6)
    return [round(v / total, 9) for v in w]


cases = []
for i in range(36):
    prior = case(["rough", "gaps", "zipf"][i % 3])
    prior[0] = round(prior[0] + 1 - sum(prior), 9)
    epsilon, m = round(random.choice([0.2, 0.7, 1.3, 2.5, 4]) * random.uniform(0.8, 1.2), 3), random.randint(1, 5)
    objective = "kl" if i % 2 else "js"
    symmetric = i % 4 == 3
    value = least(objective, prior, epsilon, m, symmetric)
    # Decimals that sum to 1 exactly.
    texts = [f"{v:.9f}" for v in prior]
    cases.append(dict(objective=objective, prior=texts, epsilon=str(epsilon), adjacency=m, symmetric=symmetric, value=value))
path = pathlib.Path(__file__).with_name("divergences.json")
path.write_text(json.dumps({"by": "cvxpy, Clarabel", "cases": cases}, indent=1) + "\n")
