"""Draws per second of the peers' samplers on one core; prints one JSON object."""

import json
import time

import numpy as np


def rate(draw, count, seconds=2.0):
    draw()
    best, start = 0.0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        t = time.perf_counter()
        draw()
        best = max(best, count / (time.perf_counter() - t))
    return best


def opendp(scale):
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    laplace = dp.m.make_laplace(*space, scale=scale)
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
    gaussian = dp.m.make_gaussian(*space, scale=scale)
    zeros = [0] * 100_000
    return rate(lambda: laplace(zeros), 100_000), rate(lambda: gaussian(zeros), 100_000)


def diffprivlib(scale):
    from diffprivlib.mechanisms import Geometric

    mechanism = Geometric(epsilon=1.0 / scale, sensitivity=1)
    return rate(lambda: [mechanism.randomise(0) for _ in range(20_000)], 20_000)


def versions():
    from importlib.metadata import version

    return {name: version(name) for name in ("opendp", "diffprivlib", "numpy")}


generator = np.random.default_rng()
laplace, gaussian = opendp(7.5)
print(
    json.dumps(
        {
            "versions": versions(),
            "OpenDP discrete Laplace": laplace,
            "OpenDP discrete Gaussian": gaussian,
            "diffprivlib Geometric": diffprivlib(7.5),
            "numpy laplace, rounded (insecure, float)": rate(
                lambda: np.rint(generator.laplace(0, 7.5, 1_000_000)).astype(np.int32), 1_000_000
            ),
        }
    )
)
