"""Reference values for every family, computed with mpmath and nothing of Discreet.

    pip install mpmath==1.3.0 && python3 test/vectors/generate.py > test/vectors/families.json

Each mass function is summed straight from its definition over a window beyond which less than 1e-140
is left (geometric tails included), with 180 digits; the counterparts that a shift moves points to are
looked up in a window that is wider by the adjacency, so that no end of a window passes for a zero.
"""

import json
from mpmath import mp, mpf, exp, log, erfc, sqrt, floor, ceil, nstr

mp.dps = 180
LEFT_OVER = mpf(10) ** -140
PAD = 0  # steps by which a window is widened, set for each case


def normal_tail(x):
    return erfc(x / sqrt(mpf(2))) / 2


def gaussian(step, sigma, mu):
    z = sqrt(-2 * log(LEFT_OVER)) + 2
    lo, hi = int(floor((mu - z * sigma) / step)) - PAD, int(ceil((mu + z * sigma) / step)) + PAD

    def mass(k):
        a, b = (k * step - mu) / sigma, ((k + 1) * step - mu) / sigma
        return normal_tail(a) - normal_tail(b) if a >= 0 else normal_tail(-b) - normal_tail(-a)

    return {k: mass(k) for k in range(lo, hi + 1)}


def laplace(step, scale, mu):
    def cdf_low(x):  # P(X < x) for x <= mu
        return exp((x - mu) / scale) / 2

    def tail(x):  # P(X > x) for x >= mu
        return exp((mu - x) / scale) / 2

    reach = int(ceil(-scale * log(LEFT_OVER) / step)) + 2 + PAD
    centre = int(floor(mu / step))

    def mass(k):
        a, b = k * step, (k + 1) * step
        if b <= mu:
            return cdf_low(b) - cdf_low(a)
        if a >= mu:
            return tail(a) - tail(b)
        return 1 - cdf_low(a) - tail(b)

    return {k: mass(k) for k in range(centre - reach, centre + reach + 1)}


def staircase(step, width, ratio):
    width = int(width)
    stairs = int(ceil(log(LEFT_OVER) / log(ratio))) + 1 + PAD // width + 1
    p = {}
    for j in range(stairs):
        for i in range(width):
            p[j * width + i] = (1 - ratio) / (2 * width) * ratio**j
            p[-(j * width + i) - 1] = (1 - ratio) / (2 * width) * ratio**j
    return p


def uniform(step, low, high):
    a, b = int(floor(low / step + mpf(1) / 2)), int(floor(high / step + mpf(1) / 2))
    return {k: mpf(1) / (b - a + 1) for k in range(a, b + 1)}


def exponential(step, rate):
    reach = int(ceil(-log(LEFT_OVER) / (rate * step))) + 1 + PAD
    return {k: (exp(rate * step) - 1) * exp(-rate * step * k) for k in range(1, reach + 1)}


def discrete_gaussian(step, sigma, mu):
    z = sqrt(-2 * log(LEFT_OVER)) + 2
    lo, hi = int(floor((mu - z * sigma) / step)) - PAD, int(ceil((mu + z * sigma) / step)) + PAD
    w = {k: exp(-((k * step - mu) ** 2) / (2 * sigma**2)) for k in range(lo, hi + 1)}
    total = sum(w.values())
    return {k: v / total for k, v in w.items()}


def geometric(step, scale):
    reach = int(ceil(-scale * log(LEFT_OVER) / step)) + 1 + PAD
    w = {k: exp(-abs(k) * step / scale) for k in range(-reach, reach + 1)}
    total = (1 + exp(-step / scale)) / (1 - exp(-step / scale))
    return {k: v / total for k, v in w.items()}


def geng_viswanath(step, epsilon, adjacency, objective="magnitude"):
    m = int(floor(adjacency / step + mpf(1) / 2))
    reach = m * (int(ceil(-log(LEFT_OVER) / epsilon)) + 1 + PAD // m + 1)

    def noise(r):
        w = {}
        for i in range(reach):
            block, place = divmod(i, m)
            w[i] = exp(-epsilon * (block + (0 if place < r else 1)))
            w[-i] = w[i]
        total = sum(w.values())
        return {k: v / total for k, v in w.items()}

    def cost(p):
        return sum((abs(k) if objective == "magnitude" else k * k) * v for k, v in p.items())

    return min((noise(r) for r in range(1, m + 1)), key=cost)


def canonical(step, epsilon, delta, adjacency):
    # By the probability of at least k, as (epsilon, delta) lets it fall; each mass spread evenly over one adjacency.
    m = int(floor(adjacency / step + mpf(1) / 2))
    beyond = [(1 - delta) / (1 + exp(epsilon))]
    while beyond[-1] > 0:
        beyond.append(max(mpf(0), exp(-epsilon) * (beyond[-1] - delta)))
    masses = {0: 1 - 2 * beyond[0]}
    for k in range(1, len(beyond)):
        masses[k] = masses[-k] = beyond[k - 1] - beyond[k]
    p = {}
    for block, mass in masses.items():
        for first in {block * m - (m - 1) // 2, block * m - m // 2}:
            for k in range(first, first + m):
                p[k] = p.get(k, mpf(0)) + mass / m / (1 if m % 2 else 2)
    return p



def delta(p, shifts, epsilon):
    factor = exp(epsilon)
    zero = mpf(0)
    best = zero
    # A key at an end that is not a true end of the support has its counterpart beyond the window: left out.
    lo = min(p) + (0 if p[min(p)] > LEFT_OVER else PAD)
    hi = max(p) - (0 if p[max(p)] > LEFT_OVER else PAD)
    for s in shifts:
        total = zero
        for k, v in p.items():
            if k < lo or k > hi:
                continue
            gap = v - factor * p.get(k + s, zero)
            if gap > 0:
                total += gap
        best = max(best, total)
    return best


def epsilon_at(p, shifts, target):
    lo, hi = mpf(0), mpf(1)
    if delta(p, shifts, lo) <= target:
        return lo
    while delta(p, shifts, hi) > target:
        lo, hi = hi, 2 * hi
    for _ in range(70):
        mid = (lo + hi) / 2
        if delta(p, shifts, mid) > target:
            lo = mid
        else:
            hi = mid
    return hi


FAMILIES = {
    "gaussian": gaussian,
    "laplace": laplace,
    "staircase": staircase,
    "uniform": uniform,
    "exponential": exponential,
    "discrete-gaussian": discrete_gaussian,
    "geometric": geometric,
    "geng-viswanath": geng_viswanath,
    "canonical": canonical,
}


def case(family, parameters, step, adjacency, epsilons, deltas=(), pure=None, all_shifts=True):
    d = mpf(step)
    values = {k: (v if k == "objective" else mpf(v)) for k, v in parameters.items()}
    global PAD
    m = PAD = int(floor(mpf(adjacency) / d + mpf(1) / 2))
    p = FAMILIES[family](d, **values)
    # Every family here is unimodal: all shifts where that is affordable, a few of them elsewhere.
    shifts = [s for s in range(-m, m + 1) if s] if all_shifts else [-m, -m // 2, -1, 1, m // 2, m]
    mean = sum(k * v for k, v in p.items()) * d
    spec = family + ":" + ",".join(f"{k}={v}" for k, v in parameters.items())
    return {
        "noise": spec,
        "step": step,
        "adjacency": adjacency,
        "pure": None if pure is None else nstr(pure, 30),
        "profile": [[e, nstr(delta(p, shifts, mpf(e)), 30)] for e in epsilons],
        "epsilonAt": [[t, nstr(epsilon_at(p, [-m, m], mpf(t)), 25)] for t in deltas],
        "mean": nstr(mean, 25),
        "meanAbsolute": nstr(sum(abs(k) * v for k, v in p.items()) * d, 25),
        "variance": nstr(sum((k * d - mean) ** 2 * v for k, v in p.items()), 25),
    }


def table_case(rows, step, adjacency, epsilons, deltas=()):
    d = mpf(step)
    p = {int(floor(mpf(v) / d + mpf(1) / 2)): mpf(n) / mpf(m) for v, n, m in rows}
    m = int(floor(mpf(adjacency) / d + mpf(1) / 2))
    shifts = [s for s in range(-m, m + 1) if s]
    mean = sum(k * v for k, v in p.items()) * d
    # A finite support: no window, no padding.
    global PAD
    PAD = 0
    return {
        "noise": "table:rows",
        "rows": [[v, f"{n}/{q}"] for v, n, q in rows],
        "step": step,
        "adjacency": adjacency,
        "pure": None,
        "profile": [[e, nstr(delta(p, shifts, mpf(e)), 30)] for e in epsilons],
        "epsilonAt": [[t, nstr(epsilon_at(p, shifts, mpf(t)), 25)] for t in deltas],
        "mean": nstr(mean, 25),
        "meanAbsolute": nstr(sum(abs(k) * v for k, v in p.items()) * d, 25),
        "variance": nstr(sum((k * d - mean) ** 2 * v for k, v in p.items()), 25),
    }


def main():
    one = mpf(1)
    cases = [
        case("gaussian", {"sigma": "10", "mu": "0"}, "1", "15", ["0", "0.5", "3.68", "6.08", "10", "32.8"], ["1e-6"]),
        case("gaussian", {"sigma": "10", "mu": "0"}, "1", "1", ["0", "0.05", "0.42", "1", "2.2"], ["1e-9", "1e-100"]),
        case("gaussian", {"sigma": "5", "mu": "0"}, "1", "15", ["11.52", "21.12"]),
        case("gaussian", {"sigma": "2", "mu": "0"}, "1", "5", ["12", "19.5"]),
        case("gaussian", {"sigma": "3.7", "mu": "0.3"}, "0.25", "2.5", ["0", "1", "5", "15"], ["1e-12"]),
        case("gaussian", {"sigma": "0.3", "mu": "-0.21"}, "1", "1", ["0", "3", "30", "60"]),
        case("gaussian", {"sigma": "0.05", "mu": "0.4"}, "1", "2", ["0", "100"]),
        case("gaussian", {"sigma": "150", "mu": "12.34"}, "1", "400", ["1", "20", "64"], all_shifts=False),
        case("laplace", {"scale": "7.5", "mu": "0"}, "1", "15", ["0", "1", "1.9", "1.999999999"], ["0.01", "1e-30"], one * 15 / mpf("7.5")),
        case("laplace", {"scale": "6.2", "mu": "0.3"}, "0.25", "3", ["0", "0.2", "0.4838709", "0.5"], ["1e-9"], one * 3 / mpf("6.2")),
        case("laplace", {"scale": "0.4", "mu": "-0.7"}, "1", "2", ["0", "1", "4.9"], [], one * 2 / mpf("0.4")),
        case("laplace", {"scale": "60", "mu": "0.5"}, "1", "300", ["1", "4.9"], [], one * 300 / 60, all_shifts=False),
        case("staircase", {"width": "5", "ratio": "0.5"}, "1", "15", ["0", "1", "2"], ["0.01"], 3 * log(mpf(2))),
        case("staircase", {"width": "20", "ratio": "0.13"}, "0.5", "7.5", ["0", "1", "2"], [], -log(mpf("0.13"))),
        case("staircase", {"width": "7", "ratio": "0.9"}, "1", "200", ["0", "2.9"], [], -29 * log(mpf("0.9")), all_shifts=False),
        case("uniform", {"low": "-10", "high": "10"}, "0.5", "3", ["0", "1", "50"]),
        case("uniform", {"low": "-3", "high": "4"}, "1", "1", ["0", "2"]),
        case("uniform", {"low": "-3", "high": "4"}, "1", "300", ["0", "2"], all_shifts=False),
        case("exponential", {"rate": "0.2"}, "1", "5", ["0", "1", "300"]),
        case("exponential", {"rate": "1.7"}, "0.25", "1", ["0", "3"]),
        case("discrete-gaussian", {"sigma": "10", "mu": "0"}, "1", "15", ["0", "3.68", "32.8"], ["1e-6", "1e-100"]),
        case("discrete-gaussian", {"sigma": "0.6", "mu": "0.4"}, "1", "1", ["0", "2", "20"]),
        case("discrete-gaussian", {"sigma": "2.5", "mu": "-0.1"}, "0.25", "1.5", ["0", "1", "10"]),
        case("discrete-gaussian", {"sigma": "120", "mu": "0"}, "1", "250", ["1", "40"], all_shifts=False),
        case("geometric", {"scale": "7.5"}, "1", "15", ["0", "1", "1.999"], ["1e-6"], mpf(2)),
        case("geometric", {"scale": "0.8"}, "0.5", "2", ["0", "2"], [], mpf(2) / mpf("0.8")),
        case("geometric", {"scale": "40"}, "1", "400", ["1", "9.5"], [], mpf(10), all_shifts=False),
        case("geng-viswanath", {"epsilon": "2", "adjacency": "15"}, "1", "15", ["0", "1", "1.9"], ["0.01"], mpf(2)),
        case("geng-viswanath", {"epsilon": "0.5", "adjacency": "4", "objective": "variance"}, "1", "4", ["0", "0.3"], [], mpf("0.5")),
        case("geng-viswanath", {"epsilon": "3", "adjacency": "2.5"}, "0.5", "4", ["0", "3", "5"], [], mpf(6)),
        case("geng-viswanath", {"epsilon": "1", "adjacency": "1"}, "1", "1", ["0", "0.5"], [], mpf(1)),
        case("canonical", {"epsilon": "1", "delta": "0.001", "adjacency": "1"}, "1", "1", ["0", "0.5", "1", "2"], ["0.001", "0.01"]),
        case("canonical", {"epsilon": "0.5", "delta": "0.2", "adjacency": "4"}, "1", "4", ["0", "0.5", "3"], ["0.1"]),
        case("canonical", {"epsilon": "2", "delta": "1e-6", "adjacency": "7.5"}, "0.5", "5", ["0", "1", "2"], ["1e-6"]),
        case("canonical", {"epsilon": "6", "delta": "0.01", "adjacency": "3"}, "1", "5", ["0", "6", "9"]),
        # A comb on which the worst shift is not the largest, zeros inside, and off-centre.
        table_case([[str(k), 7 if k % 3 == 0 else 1, 81] for k in range(-10, 17)], "1", "3", ["0", "0.5", "1.9", "5"]),
        table_case([["-0.5", 1, 3], ["0", 1, 2], ["1.25", 1, 6]], "0.25", "1.5", ["0", "0.3", "2"]),
    ]
    print(json.dumps({"digits": mp.dps, "cases": cases}, indent=1))


main()
