"""One composition by one accountant; prints one JSON object: bounds on epsilon, seconds and memory.

    account-env/bin/python account.py peer '{"releases": [["gaussian", 10, 100]], "delta": 1e-6}'

Releases are [kind, sigma or scale, times] at an adjacency of 1; kinds are gaussian (discrete), geometric, fine (a continuous
Gaussian) and sampled (one of a Poisson sample, [kind, sigma, times, rate]). Peers are google-1e-4, google-1e-5, prv and fourier. What a peer does not
have is printed as null.
"""

import json
import resource
import sys
import time

peer, case = sys.argv[1], json.loads(sys.argv[2])
releases, delta = case["releases"], case["delta"]


def google(grid):
    from dp_accounting.pld import privacy_loss_distribution as pld

    def one(kind, scale, rate, pessimistic):
        if kind == "gaussian":
            return pld.from_discrete_gaussian_mechanism(scale, value_discretization_interval=grid, pessimistic_estimate=pessimistic)
        if kind == "geometric":
            return pld.from_discrete_laplace_mechanism(1 / scale, value_discretization_interval=grid, pessimistic_estimate=pessimistic)
        # What is left is continuous, of a sample or of all.
        return pld.from_gaussian_mechanism(
            scale, value_discretization_interval=grid, pessimistic_estimate=pessimistic, sampling_prob=rate
        )

    def total(pessimistic):
        all_of_them = None
        for kind, scale, times, *rate in releases:
            law = one(kind, scale, rate[0] if rate else 1.0, pessimistic).self_compose(times)
            all_of_them = law if all_of_them is None else all_of_them.compose(law)
        return all_of_them.get_epsilon_for_delta(delta)

    start = time.perf_counter()
    upper = total(True)
    middle = time.perf_counter()
    lower = total(False)
    return lower, upper, middle - start, time.perf_counter() - middle


def prv():
    from prv_accountant import PRVAccountant, PoissonSubsampledGaussianMechanism

    if any(kind != "sampled" for kind, *_ in releases):
        return None
    start = time.perf_counter()
    accountant = PRVAccountant(
        prvs=[PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=rate) for _, sigma, _, rate in releases],
        max_self_compositions=[times for _, _, times, _ in releases],
        eps_error=0.01,
        delta_error=delta / 1000,
    )
    lower, _, upper = accountant.compute_epsilon(delta=delta, num_self_compositions=[times for _, _, times, _ in releases])
    return lower, upper, time.perf_counter() - start, 0


def fourier():
    import fourier_accountant

    if len(releases) != 1 or releases[0][0] != "sampled":
        return None
    _, sigma, times, rate = releases[0]
    start = time.perf_counter()
    # Neighbours that come or go; one figure, with no statement of its error.
    found = fourier_accountant.get_epsilon_R(target_delta=delta, sigma=sigma, q=rate, ncomp=times, nx=int(1e6), L=20.0)
    return None, float(found), time.perf_counter() - start, 0


def run():
    if peer.startswith("google-"):
        return google(float(peer.removeprefix("google-")))
    return {"prv": prv, "fourier": fourier}[peer]()


best = None
for _ in range(case.get("runs", 3)):
    found = run()
    if found is None:
        break
    best = found if best is None or found[2] < best[2] else best
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
json.dump(
    None
    if best is None
    else {"lower": best[0], "upper": best[1], "seconds": best[2], "lowerSeconds": best[3], "memory": memory},
    sys.stdout,
)
