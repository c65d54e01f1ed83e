"""δ(ε) of densities by another way: integrals of (f(x − s) − e^ε·f(x))₊ in numbers of 50 digits, cut at the places where the sign may
change, over many shifts s; tables of a distribution function in fractions, over all shifts that matter. Writes density.json.

    python3 generate-density.py > density.json
"""

import json
import random
import sys
from fractions import Fraction

from mpmath import exp, inf, log, mp, mpf, nstr, quad, sqrt, pi

mp.dps = 50


def delta(f, cuts, s, eps):
    """∫ (f(x − s) − e^ε f(x))₊, between cuts of both densities and the sign's change, found by halving."""
    g = lambda x: f(x - s) - exp(eps) * f(x)
    points = sorted(set([mpf(c) for c in cuts] + [mpf(c) + s for c in cuts]))
    total = mpf(0)
    for a, b in zip(points, points[1:]):
        width = b - a
        ends = [a + width * mpf(10) ** -40, b - width * mpf(10) ** -40]
        low, high = g(ends[0]), g(ends[1])
        if low <= 0 and high <= 0:
            continue
        if low > 0 and high > 0:
            total += quad(g, [ends[0], (a + b) / 2, ends[1]])
            continue
        x, y = ends
        for _ in range(200):
            m = (x + y) / 2
            if (g(m) > 0) == (low > 0):
                x = m
            else:
                y = m
        total += quad(g, [ends[0], x]) if low > 0 else quad(g, [y, ends[1]])
    return total


def normal(sigma):
    f = lambda x: exp(-(x / sigma) ** 2 / 2) / (sigma * sqrt(2 * pi))
    cuts = [k * sigma for k in range(-20, 21)]
    return f, cuts


def laplace(scale):
    f = lambda x: exp(-abs(x) / scale) / (2 * scale)
    return f, sorted([0] + [k * scale * s for k in (1, 2, 4, 8, 16, 32, 64, 120) for s in (1, -1)])


def stairs(width, ratio):
    """By pieces: the sum over stairs, far enough out."""
    def at(m, eps):
        w, r = Fraction(width), Fraction(ratio)
        height = (1 - r) / (2 * w)
        reach = int(48 * log(10) / -log(mpf(ratio))) + int(Fraction(m) / w) + 2
        edges = sorted(set([j * w for j in range(-reach, reach + 1)] + [j * w + Fraction(m) for j in range(-reach, reach + 1)]))
        f = lambda x: mpf(height.numerator) / height.denominator * mpf(ratio) ** int(abs(x) // w)
        total = mpf(0)
        for a, b in zip(edges, edges[1:]):
            x = (a + b) / 2
            p, q = f(x - Fraction(m)), f(x)
            value = p - exp(eps) * q
            if value > 0:
                total += value * (mpf((b - a).numerator) / (b - a).denominator)
        return total
    return at


def table_delta(points, m, eps):
    """Over all distances of two points up to m, and m, both ways."""
    xs = [Fraction(x) for x, _ in points]
    fs = [Fraction(p) for _, p in points]
    heights = [(fs[i + 1] - fs[i]) / (xs[i + 1] - xs[i]) for i in range(len(xs) - 1)]

    def f(x):
        for i in range(len(heights)):
            if xs[i] <= x < xs[i + 1]:
                return heights[i]
        return Fraction(0)

    shifts = {Fraction(m)} | {b - a for a in xs for b in xs if 0 < b - a <= Fraction(m)}
    best = mpf(0)
    for s in shifts:
        for shift in (s, -s):
            edges = sorted(set(xs) | {x + shift for x in xs})
            total = mpf(0)
            for a, b in zip(edges, edges[1:]):
                p, q = f((a + b) / 2 - shift), f((a + b) / 2)
                value = mpf(p.numerator) / p.denominator - exp(eps) * mpf(q.numerator) / q.denominator
                if value > 0:
                    total += value * mpf((b - a).numerator) / (b - a).denominator
            best = max(best, total)
    return best


rows = []


def put(noise, m, eps, value, **more):
    rows.append({"noise": noise, "adjacency": str(m), "epsilon": str(eps), "delta": nstr(value, 40), **more})
    print(noise, m, eps, nstr(value, 12), file=sys.stderr)


for sigma, m, eps in [("10", "1", "0.1"), ("10", "1", "0"), ("10", "15", "3.68"), ("1", "1", "5"), ("3", "2", "0.5"), ("0.5", "2", "1"), ("100", "1", "0.05")]:
    f, cuts = normal(mpf(sigma))
    put(f"gaussian:sigma={sigma}", m, eps, delta(f, cuts, mpf(m), mpf(eps)))
for scale, m, eps in [("7.5", "15", "1"), ("7.5", "15", "1.999"), ("7.5", "15", "2"), ("1", "3", "0"), ("20", "1", "0.01")]:
    f, cuts = laplace(mpf(scale))
    put(f"laplace:scale={scale}", m, eps, max(mpf(0), delta(f, cuts, mpf(m), mpf(eps))))
for width, ratio, m, eps in [(4, "0.5", "15", "1"), (4, "0.5", "16", "0.3"), (4, "0.5", "1", "0.5"), (3, "0.7", "7", "0"), (5, "0.2", "12", "2"), (2, "0.9", "31", "1.1")]:
    put(f"staircase:width={width},ratio={ratio}", m, eps, stairs(width, ratio)(m, mpf(eps)))
random.seed(5)
for _ in range(12):
    n = random.randint(2, 9)
    xs = sorted(random.sample(range(-30, 30), n))
    steps = [random.randint(0, 20) for _ in range(n - 1)]
    steps[random.randrange(n - 1)] += 1
    total = sum(steps)
    # The cdf as decimals that end exactly at 1.
    cdf, left = ["0"], 0
    for s in steps[:-1]:
        left += s
        cdf.append(str(Fraction(round(left / total * 1000), 1000).limit_denominator(1000).__float__()))
    cdf.append("1")
    points = [(str(x), c) for x, c in zip(xs, cdf)]
    for m, eps in [("1", "0.5"), ("7", "0"), ("20", "1"), ("3", "3")]:
        put("cdf", m, eps, table_delta(points, m, mpf(eps)), rows=points)
json.dump(rows, sys.stdout, indent=1)
print()
