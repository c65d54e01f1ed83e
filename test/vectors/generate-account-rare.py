"""The least epsilon of many releases of counts of secret samples, by quadrature of the inversion integral with mpmath:
no grid of losses, no bounds, and the discrete Gaussian from its formula. Writes account-rare.json beside itself."""

import json
import pathlib

from mpmath import exp, inf, log, mp, mpc, mpf, nsum, pi

mp.dps = 30
DELTA = mpf(10) ** -6


def losses(sigma, q, comes):
    """(loss, mass) of M = (1 - q) N + q N(. - 1) against N, or of N against M."""
    width = 60
    norm = nsum(lambda k: exp(-(k**2) / (2 * sigma**2)), [-inf, inf])
    law = {k: exp(-mpf(k) ** 2 / (2 * sigma**2)) / norm for k in range(-width, width + 2)}
    found = []
    for k in range(-width + 1, width + 1):
        bare, mixed = law[k], (1 - q) * law[k] + q * law[k - 1]
        found.append((log(bare / mixed), bare) if comes else (log(mixed / bare), mixed))
    # What is rarer says nothing at this delta.
    return [(x, p) for x, p in found if p > mpf(10) ** -24]


def delta_of(law, times, epsilon, c):
    """(1 / 2 pi) of the integral of exp(K(z) - z epsilon) / (z (z + 1)) along c + it, by the trapezoidal rule."""
    step = mpf(c) / 20

    def term(t):
        z = mpc(c, t)
        k = times * log(sum(p * exp(z * x) for x, p in law))
        return (exp(k - z * epsilon) / (z * (z + 1))).real

    total, k, largest = term(0) / 2, 1, mpf(0)
    while True:
        value = term(k * step)
        total += value
        largest = max(largest, abs(total))
        if k > 60 and abs(value) < largest * mpf(10) ** -14:
            break
        k += 1
    return total * step / pi


def tilt(law, times, epsilon):
    """Where exp(K(c) - c epsilon) is least, about."""
    best = min(
        (times * log(sum(p * exp(c * x) for x, p in law)) - c * epsilon, c)
        for c in [mpf(10) ** (mpf(i) / 20) for i in range(-10, 80)]
    )
    return best[1]


def least_epsilon(sigma, q, times):
    worst = mpf(0)
    for comes in (True, False):
        law = losses(mpf(sigma), mpf(q), comes)
        low, high = mpf(0), mpf(4)
        for _ in range(31):
            middle = (low + high) / 2
            if delta_of(law, times, middle, tilt(law, times, middle)) > DELTA:
                low = middle
            else:
                high = middle
        worst = max(worst, (low + high) / 2)
    return worst


if __name__ == "__main__":
    cases = [("1", "0.0001", 10**5), ("1.5", "0.0001", 10**5), ("2", "0.0001", 10**6), ("1", "0.0001", 10**6)]
    rows = [
        {"sigma": s, "sampling": float(q), "times": n, "epsilon": mp.nstr(least_epsilon(s, q, n), 9)}
        for s, q, n in cases
    ]
    path = pathlib.Path(__file__).with_name("account-rare.json")
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf8")
