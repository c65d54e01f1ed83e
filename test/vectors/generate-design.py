"""Reference optima of noise design, by a plain linear programme and nothing of Discreet.

    pip install 'numpy<2' 'scipy<1.13' && python3 test/vectors/generate-design.py    # writes test/vectors/design.json

Every programme has all the privacy rows of its window (each pair of points within the adjacency) and
periodic geometric tails beyond it; HiGHS solves it. A solver's own figure is not trusted: its primal
solution becomes a noise that keeps the guarantee on the whole lattice, whose objective is summed
afresh (an upper bound), and its multipliers become a dual solution on the whole lattice (a lower
bound, whatever the window). A case is written only when the two agree; the value is the upper one.

Upper bound, pure: for any p >= 0 on a window, k -> max over j of q^ceil(|k - j| / m) p(j), q = e^-epsilon,
is epsilon-DP on the lattice, because ceil(|.| / m) is a metric. Beyond the window it is periodic.

Lower bound, pure: with multipliers u >= 0 on rows p(i) <= e^epsilon p(j) and |y| <= 1 on the rows of W, the
greatest lambda for which every point's reduced cost c(k) - lambda + (A'u)(k) is >= 0. Beyond the edge the rows
p(k - m) <= e^epsilon p(k) take the multipliers that make the reduced costs zero, a geometric sum; they must
come out >= 0, which is what decides whether a window is wide enough.

Approximate: the profile of the noise is summed afresh at every shift, and a bound below takes multipliers
u(s, k) in 0 .. tau(s) on the rows h(s, k) >= p(k - s) - e^epsilon p(k), zero beyond the window.
"""

import json
import math
import sys
import time
from pathlib import Path

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, csr_matrix, diags, hstack, identity, vstack

SEED = 20240611
GOOD, ENOUGH = 1e-9, 2e-8  # relative gaps: taken at once; taken when no attempt does better
APPROXIMATE_GOOD, APPROXIMATE_ENOUGH = 1e-8, 5e-7


class TooNarrow(Exception):
    """The window's tails are not optimal: widen it."""


# --- Costs: one number per noise value, quadratic beyond the window on each side ---------------------


class Objective:
    """The linear part of an objective, and the rows of W over the prior's support."""

    def __init__(self, text, first, weights):
        self.parts = {}
        for part in text.split(","):
            name, _, weight = part.partition("=")
            self.parts[name] = float(weight) if weight else 1.0
        self.p = np.array(weights, float) / sum(weights)
        self.a, self.b = first, first + len(weights) - 1
        self.F = np.cumsum(self.p)
        self.F[-1] = 1.0
        self.H = np.cumsum(self.F)  # sums of F from the left
        self.mean = float(np.dot(self.p, np.arange(self.a, self.b + 1)))
        tails = [int(name[5:]) for name in self.parts if name.startswith("tail:")]
        self.range = max([self.b - self.a, *tails])
        self.w = self.parts.get("wasserstein", 0.0)
        self.middle = np.arange(self.a, self.b) if self.w else np.arange(0)  # rows whose sign is not known

    def cdf(self, k):
        return np.where(k < self.a, 0.0, self.F[np.clip(k - self.a, 0, self.b - self.a)])

    def linear(self, j):
        """The cost of noise values j, without the rows in the middle."""
        j = np.asarray(j)
        cost = np.zeros(len(j))
        for name, weight in self.parts.items():
            if name == "magnitude":
                cost += weight * np.abs(j)
            elif name == "variance":
                cost += weight * j.astype(float) ** 2
            elif name.startswith("tail:"):
                cost += weight * (np.abs(j) > int(name[5:]))
            else:  # W: the sum of F(i) for i < a - j, and the sum of 1 - F(i) for i >= b - j
                n = self.b - self.a
                i = -j - 1  # a - j - 1, from a
                left = np.where(i < 0, 0.0, self.H[np.clip(i, 0, n)] + np.maximum(i - n, 0))
                i = n - j  # b - j, from a
                below = np.where(i <= 0, 0.0, self.H[np.clip(i - 1, 0, n)])
                right = np.where(i > n, 0.0, self.mean - self.a - i + below)
                cost += weight * (left + right)
        return cost

    def rows(self, j):
        """F(k - j) for every k in the middle (rows) and noise value j (columns)."""
        return self.cdf(self.middle[:, None] - np.asarray(j)[None, :])

    def evaluate(self, lo, p):
        """The objective of a noise given as an explicit PMF, summed from its definition."""
        j = np.arange(lo, lo + len(p))
        total = 0.0
        for name, weight in self.parts.items():
            if name == "magnitude":
                total += weight * math.fsum(p * np.abs(j))
            elif name == "variance":
                total += weight * math.fsum(p * j.astype(float) ** 2)
            elif name.startswith("tail:"):
                total += weight * math.fsum(p[np.abs(j) > int(name[5:])])
            else:
                difference = np.convolve(p, self.p)
                difference[-lo : -lo + len(self.p)] -= self.p
                # From both ends, so that a far tail is not a difference of numbers near one.
                half = len(difference) // 2
                left = np.abs(np.cumsum(difference))[:half]
                right = np.abs(np.cumsum(difference[::-1]))[: len(difference) - half - 1]
                total += weight * (math.fsum(left) + math.fsum(right))
        return total


def geometric(f, at, m, q):
    """The sum over i >= 0 of q^i f(at + i m), for f quadratic from `at` outward (m of either sign)."""
    f0, f1, f2 = f(at), f(at + m), f(at + 2 * m)
    second = (f2 - 2 * f1 + f0) / 2
    first = f1 - f0 - second
    return f0 / (1 - q) + first * q / (1 - q) ** 2 + second * q * (1 + q) / (1 - q) ** 3


# --- Pure: epsilon-DP ---------------------------------------------------------------------------------


def envelope(p, m, q):
    """The least noise above p on the window, widened by m, that is epsilon-DP; periodic beyond."""
    n = len(p)
    wide = np.concatenate([np.zeros(m), p, np.zeros(m)])
    out = wide.copy()
    for _ in range(2 * (n // m + 3)):
        grown = out.copy()
        for s in range(1, m + 1):
            grown[s:] = np.maximum(grown[s:], q * out[:-s])
            grown[:-s] = np.maximum(grown[:-s], q * out[s:])
        if np.array_equal(grown, out):
            break
        out = grown
    return out


def unroll(p, m, q):
    """p with its periodic tails written out, to below 1e-19 of the mass. Returns it and the points added."""
    blocks = int(math.ceil(46 / -math.log(q))) + 2
    ratios = q ** np.arange(1, blocks + 1)
    right = (ratios[:, None] * p[None, -m:]).ravel()
    left = (ratios[::-1][:, None] * p[None, :m]).ravel()
    return np.concatenate([left, p, right]), blocks * m


class Pure:
    def __init__(self, objective, epsilon, m, reach, unbiased=False, symmetric=False):
        self.o, self.epsilon, self.m, self.K = objective, epsilon, m, reach
        self.unbiased, self.symmetric = unbiased, symmetric
        self.q, self.E = math.exp(-epsilon), math.exp(epsilon)
        K = reach
        self.k = np.arange(-K, K + 1)
        N = len(self.k)
        # All pairs within the adjacency, in the window.
        i, j = [], []
        for s in range(1, m + 1):
            at = np.arange(N - s)
            i += [at, at + s]
            j += [at + s, at]
        self.i, self.j = np.concatenate(i), np.concatenate(j)
        self.mono = np.arange(m - 1)  # rows p(K - m + 2 + r) <= p(K - m + 1 + r), and mirrored

    def whole(self, f):
        """The coefficient of each window point when its periodic tail is added."""
        value = f(self.k).astype(float)
        m = self.m
        value[-m:] = geometric(f, self.k[-m:], m, self.q)
        value[:m] = geometric(f, self.k[:m], -m, self.q)
        return value

    def fold(self, r):
        return (r + r[::-1]) / 2 if self.symmetric else r

    def solve(self, method, size, factor, floor, seam):
        """`size`: the scale of the objective; `factor`: of the rows of W; `floor`: the least of a variable;
        `seam`: with the rows that let the last m values not increase outward."""
        o, m, N = self.o, self.m, len(self.k)
        scale = np.maximum(np.exp(-self.epsilon * np.abs(self.k) / m), floor)
        rows = np.arange(len(self.i))
        privacy = coo_matrix(
            (
                np.concatenate([np.ones(len(rows)), -self.E * scale[self.j] / scale[self.i]]),
                (np.concatenate([rows, rows]), np.concatenate([self.i, self.j])),
            ),
            shape=(len(rows), N),
        ).tocsr()
        r = self.mono
        outer = np.concatenate([N - m + 1 + r, m - 2 - r])
        inner = np.concatenate([N - m + r, m - 1 - r])
        rows = np.arange(len(outer))
        edge = coo_matrix(
            (
                np.concatenate([np.ones(len(rows)), -scale[inner] / scale[outer]]),
                (np.concatenate([rows, rows]), np.concatenate([outer, inner])),
            ),
            shape=(len(rows), N),
        ).tocsr()
        cost = self.whole(o.linear)
        mass = self.whole(lambda k: np.ones(len(k)))
        n = len(o.middle)
        left = np.zeros(N)  # left of the window F(k - j) = 1 in every row; right of it 0
        left[:m] = mass[:m] - 1
        middle = o.rows(self.k) + left[None, :]
        equal = [mass]
        if self.unbiased:
            equal.append(self.whole(lambda k: k.astype(float)))
        A_ub = vstack([privacy, edge]) if seam and m > 1 else privacy
        A_eq = csr_matrix(np.vstack(equal)) @ diags(scale)
        if n:
            # F(k) - (F * p)(k) = size (t+ - t-), times a factor against the solver's rounding small entries to 0
            A_eq = vstack([A_eq, csr_matrix(middle) @ diags(scale * factor)])
        c = cost * scale / size
        if self.symmetric:
            half = N // 2
            to = np.abs(np.arange(N) - half)  # the variable of each point
            E = coo_matrix((np.ones(N), (np.arange(N), to))).tocsr()
            A_ub, A_eq, c = A_ub @ E, A_eq @ E, E.T @ c
        columns = A_ub.shape[1]
        if n:
            eye = vstack([csr_matrix((len(equal), n)), identity(n) * (factor * size)])
            A_eq = hstack([A_eq, eye, -eye])
            A_ub = hstack([A_ub, csr_matrix((A_ub.shape[0], 2 * n))])
            c = np.concatenate([c, np.full(2 * n, o.w)])
        b_eq = np.concatenate([[1.0], np.zeros(len(equal) - 1), o.F[:n] * factor])
        options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10, "time_limit": 60}
        if method == "highs-ipm":
            options["ipm_optimality_tolerance"] = 1e-12
        result = linprog(
            c, A_ub.tocsc(), np.zeros(A_ub.shape[0]), A_eq.tocsc(), b_eq, (0, None), method, options=options
        )
        if result.x is None or result.ineqlin is None or result.ineqlin.marginals is None:
            raise RuntimeError(result.message)
        p = result.x[:columns]
        p = np.maximum((p[to] if self.symmetric else p) * scale, 0)
        u = np.maximum(-result.ineqlin.marginals, 0) * size
        pairs = len(self.i)
        dual = {
            "u": u[:pairs] / scale[self.i],
            "w": u[pairs:] / scale[outer] if seam else np.zeros(len(outer)),
            "lambda": result.eqlin.marginals[0] * size,
            "nu": -result.eqlin.marginals[1] * size if self.unbiased else 0.0,
            "y": np.clip(result.eqlin.marginals[len(equal) :] * (factor * size), -o.w, o.w) if n else np.zeros(0),
        }
        return p, dual

    def upper(self, p):
        """A noise on the whole lattice from p, its objective, its ratio and its mean."""
        if self.symmetric:
            p = (p + p[::-1]) / 2
        noise, added = unroll(envelope(p, self.m, self.q), self.m, self.q)
        noise /= math.fsum(noise)
        lo = -self.K - self.m - added
        ratio = 0.0
        for s in range(1, self.m + 1):
            a, b = noise[:-s], noise[s:]
            some = np.minimum(a, b) > 1e-300
            ratio = max(ratio, np.max(a[some] / b[some]), np.max(b[some] / a[some]))
        mean = math.fsum(noise * np.arange(lo, lo + len(noise)))
        return self.o.evaluate(lo, noise), ratio, mean

    def lower(self, p, dual):
        """A bound below the objective of every epsilon-DP noise on the lattice."""
        o, m, q, E, N = self.o, self.m, self.q, self.E, len(self.k)
        y, nu, lam = dual["y"], dual["nu"], dual["lambda"]
        # sum_k y_k (F(k) - (F * p)(k)) is below the middle part of W.
        constant = float(np.dot(y, o.F[: len(y)]))

        def cost(k):
            c = o.linear(k) + nu * k
            if len(y):
                c = c - y @ o.rows(k)
            return c

        def price(k):
            return (cost(k) + cost(-k)) / 2 if self.symmetric else cost(k)

        u = dual["u"].copy()
        w = dual["w"].copy()
        if self.symmetric:
            flipped = {}
            for a, b, x in zip(self.i, self.j, u):
                flipped[a, b] = x
            u = np.array([(x + flipped[N - 1 - a, N - 1 - b]) / 2 for a, b, x in zip(self.i, self.j, u)])
            w = np.tile((w[: m - 1] + w[m - 1 :]) / 2, 2)
        # The first m points beyond each edge, outward: the multipliers of p(k - m) <= E p(k).
        right, left = np.arange(self.K + 1, self.K + m + 1), -np.arange(self.K + 1, self.K + m + 1)
        tails = []
        for at, step in ((right, m), (left, -m)):
            tails.append(geometric(price, at, step, q) - lam / (1 - q))
            further = geometric(price, at + step, step, q) - lam / (1 - q)
            if min(tails[-1]) < 0 or np.any(further < tails[-1] - 1e-9 * np.abs(tails[-1])):
                raise TooNarrow
        # A row p(outer) <= p(inner) is p(outer) <= E p(inner + m), and takes from that multiplier.
        w = np.minimum(w, q * np.concatenate([tails[0][: m - 1], tails[1][: m - 1]]))
        r = self.whole(price)
        mass = self.whole(lambda k: np.ones(len(k)))
        r = r - lam * mass
        np.add.at(r, self.i, u)
        np.add.at(r, self.j, -E * u)
        inner = np.concatenate([N - m + self.mono, m - 1 - self.mono])
        outer = np.concatenate([N - m + 1 + self.mono, m - 2 - self.mono])
        np.add.at(r, outer, w)
        np.add.at(r, inner, -w)
        # Rounding left reduced costs a little below zero. From the edges inward, take the defect out of
        # the multiplier of a row p(t) <= E p(k), t further in, which costs t only q times as much.
        middle = int(np.argmax(p))
        u_at = np.zeros((N, 2 * m + 1))  # of p(t) <= E p(k), at [k, t - k + m]
        u_at[self.j, self.i - self.j + m] = u
        for points, sign in ((range(N - 1, middle, -1), -1), (range(middle), 1)):
            for k in points:
                for d in range(m, 0, -1):
                    t = k + sign * d
                    if r[k] >= 0:
                        break
                    if 0 <= t < N and (t - middle) * (k - middle) >= 0:
                        take = min(u_at[k, t - k + m], -r[k] * q)
                        u_at[k, t - k + m] -= take
                        r[k] += E * take
                        r[t] -= take
        return constant + lam + float(min(0.0, np.min(r / mass)))


def pure(case, reach=None):
    """The value of a case, its relative gap and the window that was needed."""
    epsilon, m = float(case["epsilon"]), case["adjacency"]
    objective = Objective(case["objective"], case["from"], case["weights"])
    flags = {name: case.get(name, False) for name in ("unbiased", "symmetric")}
    K = reach or objective.range + 4 * m
    best = (math.inf, None)
    size, attempt = 1.0, 0
    plan = [  # The rows at the seam may go: the upper bound tells whether they were needed.
        ("highs-ipm", 1e5, 1e-6, True),
        ("highs-ipm", 1e5, 1e-6, False),
        ("highs-ipm", 1e3, 1e-6, False),
        ("highs-ds", 1e5, 1e-6, True),
        ("highs-ipm", 1e4, 1e-3, True),
        ("highs-ds", 1e3, 1e-4, False),
    ]
    while attempt < len(plan):
        method, factor, floor, seam = plan[attempt]
        programme = Pure(objective, epsilon, m, K, **flags)
        try:
            p, dual = programme.solve(method, size, factor, floor, seam)
            value, ratio, mean = programme.upper(p)
            if ratio > math.exp(epsilon) * (1 + 1e-6):
                raise RuntimeError("not private")
            value += abs(dual["nu"] * mean)
            gap = (value - programme.lower(p, dual)) / value
            assert gap > -1e-12, gap
        except TooNarrow:
            K += objective.range + 4 * m
            assert K <= 20 * (objective.range + 4 * m)
            continue
        except RuntimeError as error:
            print("   ", method, error, file=sys.stderr)
            attempt += 1
            continue
        if gap < best[0]:
            best = (gap, value)
        if gap <= GOOD or (attempt >= 2 and best[0] <= ENOUGH):
            break
        size = 10.0 ** round(math.log10(value))
        attempt += 1
    return best[1], best[0], K


# --- Approximate: (epsilon, delta)-DP -----------------------------------------------------------------


class Approximate(Pure):
    def __init__(self, objective, epsilon, delta, m, reach):
        super().__init__(objective, epsilon, m, reach)
        self.delta = delta
        N = len(self.k)
        s, k = np.meshgrid([d for d in range(-m, m + 1) if d], np.arange(N), indexing="ij")
        self.s, self.at = s.ravel(), k.ravel()  # one row h >= p(k - s) - E p(k) for each

    def solve(self, method, size, factor, floor):
        o, m, N, q = self.o, self.m, len(self.k), self.q
        scale = np.maximum(np.exp(-self.epsilon * np.abs(self.k) / m), floor * self.delta)
        rows = np.arange(len(self.s))
        source = self.at - self.s
        tail = (source < 0) | (source >= N)  # beyond the edge: q times the point m further in
        source = np.where(source < 0, source + m, np.where(source >= N, source - m, source))
        by = 1 / scale[self.at]
        row = coo_matrix(
            (
                np.concatenate([np.where(tail, q, 1.0) * scale[source] * by, np.full(len(rows), -self.E)]),
                (np.concatenate([rows, rows]), np.concatenate([source, self.at])),
            ),
            shape=(len(rows), N),
        ).tocsr()
        r = self.mono
        outer = np.concatenate([N - m + 1 + r, m - 2 - r])
        inner = np.concatenate([N - m + r, m - 1 - r])
        edge = coo_matrix(
            (
                np.concatenate([np.ones(len(outer)), -scale[inner] / scale[outer]]),
                (np.tile(np.arange(len(outer)), 2), np.concatenate([outer, inner])),
            ),
            shape=(len(outer), N),
        ).tocsr()
        shifts = np.where(self.s < 0, self.s + m, self.s + m - 1)  # 0 .. 2 m - 1
        # The slack h is delta h'.
        budget = coo_matrix((np.ones(len(rows)), (shifts, rows))).tocsr()
        A_ub = vstack(
            [
                hstack([row, diags(-self.delta * by)]),
                hstack([csr_matrix((2 * m, N)), budget]),
                hstack([edge, csr_matrix((len(outer), len(rows)))]),
            ]
        )
        b_ub = np.concatenate([np.zeros(len(rows)), np.ones(2 * m), np.zeros(len(outer))])
        mass = self.whole(lambda k: np.ones(len(k)))
        n = len(o.middle)
        left = np.zeros(N)
        left[:m] = mass[:m] - 1
        A_eq = hstack([csr_matrix(mass * scale), csr_matrix((1, len(rows)))])
        c = np.concatenate([self.whole(o.linear) * scale / size, np.zeros(len(rows))])
        if n:
            middle = csr_matrix((o.rows(self.k) + left[None, :]) * scale[None, :] * factor)
            A_eq = vstack([A_eq, hstack([middle, csr_matrix((n, len(rows)))])])
            eye = vstack([csr_matrix((1, n)), identity(n) * (factor * size)])
            A_eq = hstack([A_eq, eye, -eye])
            A_ub = hstack([A_ub, csr_matrix((A_ub.shape[0], 2 * n))])
            c = np.concatenate([c, np.full(2 * n, o.w)])
        b_eq = np.concatenate([[1.0], o.F[:n] * factor])
        options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10, "time_limit": 120}
        if method == "highs-ipm":
            options["ipm_optimality_tolerance"] = 1e-12
        result = linprog(c, A_ub.tocsc(), b_ub, A_eq.tocsc(), b_eq, (0, None), method, options=options)
        if result.x is None or result.ineqlin is None or result.ineqlin.marginals is None:
            raise RuntimeError(result.message)
        return np.maximum(result.x[:N] * scale, 0), {
            "u": np.maximum(-result.ineqlin.marginals[: len(rows)], 0) * size * by,
            "tau": np.maximum(-result.ineqlin.marginals[len(rows) : len(rows) + 2 * m], 0) * size / self.delta,
            "lambda": result.eqlin.marginals[0] * size,
            "y": np.clip(result.eqlin.marginals[1:] * (factor * size), -o.w, o.w),
        }

    def profile(self, noise):
        worst = 0.0
        for s in range(1, self.m + 1):
            a, b = np.concatenate([noise, np.zeros(s)]), np.concatenate([np.zeros(s), noise])
            worst = max(worst, math.fsum(np.maximum(0, a - self.E * b)), math.fsum(np.maximum(0, b - self.E * a)))
        return worst

    def upper(self, p):
        """A noise on the whole lattice from p, its objective and its profile. A little noise that is
        epsilon-DP, mixed in, takes the profile below delta: it is convex."""
        p, added = unroll(p, self.m, self.q)
        lo = -self.K - added
        k = np.arange(lo, lo + len(p))
        p /= math.fsum(p)
        over = self.profile(p)
        if over > self.delta:
            pure = np.exp(-self.epsilon * np.abs(k) / self.m)
            p = p * (self.delta / over) + pure / math.fsum(pure) * (1 - self.delta / over)
        return self.o.evaluate(lo, p), self.profile(p)

    def lower(self, p, dual):
        o, m, K = self.o, self.m, self.K
        y = dual["y"]
        shifts = np.where(self.s < 0, self.s + m, self.s + m - 1)
        u = np.minimum(dual["u"], dual["tau"][shifts])
        wide = np.arange(-K - 2 * m, K + 2 * m + 1)  # beyond it only the cost is left, and grows

        def cost(k):
            return o.linear(k) - y @ o.rows(k) if len(y) else o.linear(k)

        r = cost(wide)
        if min(r[0] - r[1], r[-1] - r[-2]) < 0:
            raise TooNarrow
        np.add.at(r, self.at - self.s + 2 * m, u)
        np.add.at(r, self.at + 2 * m, -self.E * u)
        return float(np.dot(y, o.F[: len(y)]) + np.min(r) - self.delta * np.sum(dual["tau"]))


def approximate(case):
    epsilon, delta, m = float(case["epsilon"]), float(case["delta"]), case["adjacency"]
    objective = Objective(case["objective"], case["from"], case["weights"])
    K = objective.range + m * (4 + math.ceil(-math.log(delta) / epsilon))
    best = (math.inf, None)
    size = 1.0
    for method, factor, floor in (("highs-ipm", 1e3, 1e-1), ("highs-ds", 1e3, 1e-1), ("highs-ipm", 1e4, 1e-2)):
        programme = Approximate(objective, epsilon, delta, m, K)
        try:
            p, dual = programme.solve(method, size, factor, floor)
        except RuntimeError as error:
            print("   ", method, error, file=sys.stderr)
            continue
        value, profile = programme.upper(p)
        assert profile <= delta * (1 + 1e-12), profile
        gap = (value - programme.lower(p, dual)) / value
        assert gap > -1e-12, gap
        if gap < best[0]:
            best = (gap, value)
        if gap <= APPROXIMATE_GOOD:
            break
        size = 10.0 ** round(math.log10(value))
    return best[1], best[0], K


# --- The cases ----------------------------------------------------------------------------------------


def trimmed(first, weights):
    weights = [int(w) for w in weights]
    some = [k for k, w in enumerate(weights) if w]
    return first + some[0], weights[some[0] : some[-1] + 1]


def prior(random, kind):
    """The first point and the integer weights of a random prior, at most 80 points wide."""
    first = int(random.integers(-40, 41))
    n = int(random.integers(2, 81))
    k = np.arange(n)
    bell = lambda centre, sigma: np.exp(-(((k - centre) / sigma) ** 2) / 2)
    if kind == "smooth":
        sigma = random.uniform(0.8, 13)
        k = np.arange(min(80, 2 * math.ceil(4 * sigma) + 1))
        weights = np.round(100_000 * bell(len(k) / 2 + random.uniform(-0.5, 0.5), sigma))
    elif kind == "poisson":
        mean = random.uniform(0.3, 25)
        k = np.arange(80)
        logs = k * math.log(mean) - mean - np.array([math.lgamma(i + 1) for i in k])
        weights = np.round(100_000 * np.exp(logs))
    elif kind == "geometric":
        weights = np.round(100_000 * random.uniform(0.4, 0.95) ** k)
    elif kind == "multimodal":
        weights = np.zeros(n)
        for _ in range(int(random.integers(2, 5))):
            weights += random.uniform(0.1, 1) * bell(random.uniform(0, n - 1), random.uniform(0.5, n / 10 + 0.6))
        weights = np.round(50_000 * weights)
    elif kind == "atomic":
        weights = np.zeros(n)
        for at in random.integers(0, n, int(random.integers(1, 6))):
            weights[at] += random.integers(1, 21)
    elif kind == "gaps":
        weights = np.round(10_000 * bell(random.uniform(0, n - 1), random.uniform(2, 20))) + random.integers(1, 200, n)
        for _ in range(int(random.integers(1, 5))):
            at = int(random.integers(0, n))
            weights[at : at + int(random.integers(1, n // 4 + 2))] = 0
        weights[0] = max(weights[0], 1)
    elif kind == "zipf":
        weights = np.round(100_000 / (k + 1) ** random.uniform(0.6, 2.4))
    elif kind == "rough":
        weights = random.integers(0, 1000, n) if random.random() < 0.5 else np.ceil(random.exponential(100, n) ** 1.5)
        weights[0] = max(weights[0], 1)
    if kind in ("poisson", "geometric", "zipf") and random.random() < 0.3:
        weights = weights[::-1]
    return trimmed(first, weights)


def rounded(random, low, high):
    return f"{math.exp(random.uniform(math.log(low), math.log(high))):.3g}"


KINDS = ["smooth", "poisson", "geometric", "multimodal", "atomic", "gaps", "zipf", "rough"]


def wasserstein(random):
    while True:
        for kind in KINDS:
            low, high = [(1, 8), (9, 24), (25, 40)][random.choice(3, p=[0.55, 0.27, 0.18])]
            first, weights = prior(random, kind)
            yield {
                "kind": kind,
                "epsilon": rounded(random, 0.1, 5),
                "adjacency": int(random.integers(low, high + 1)),
                "from": first,
                "weights": weights,
                "objective": "wasserstein",
            }


NO_PRIOR = {"kind": "none", "from": 0, "weights": [1]}


def drawn(random, kinds):
    kind = kinds[random.integers(len(kinds))]
    first, weights = prior(random, kind)
    return {"kind": kind, "from": first, "weights": weights}


def variants(random):
    skewed = ["poisson", "geometric", "zipf", "rough"]
    while True:
        for objective, flag in (
            ("magnitude", None),
            ("variance", None),
            (f"tail:{random.integers(0, 30)}", None),
            ("wasserstein,magnitude=0.1", None),
            ("wasserstein", "unbiased"),
            ("wasserstein", "symmetric"),
        ):
            yield {
                **(drawn(random, skewed) if "wasserstein" in objective else NO_PRIOR),
                "epsilon": rounded(random, 0.2, 4),
                "adjacency": int(random.integers(1, 13)),
                "objective": objective,
                **({flag: True} if flag else {}),
            }


def approximates(random):
    while True:
        for objective in ("magnitude", "variance", "wasserstein"):
            yield {
                **(drawn(random, KINDS) if objective == "wasserstein" else NO_PRIOR),
                "epsilon": rounded(random, 0.3, 3),
                "delta": f"{10 ** random.uniform(-4, -2):.2g}",
                "adjacency": int(random.integers(1, 9)),
                "objective": objective,
            }


def collect(name, source, count, solve, enough):
    cases, worst, start = [], 0.0, time.time()
    while len(cases) < count:
        case = next(source)
        at = time.time()
        value, gap, reach = solve(case)
        size = f"m={case['adjacency']} epsilon={case['epsilon']} n={len(case['weights'])} window=+-{reach}"
        print(f"{name} {len(cases)} {case['kind']} {size}: {value} gap {gap:.1e} {time.time() - at:.1f}s", file=sys.stderr, flush=True)
        if gap > enough:
            print("    left out", file=sys.stderr)
            continue
        worst = max(worst, gap)
        cases.append({**case, "value": value})
    print(f"{name}: {len(cases)} cases, largest gap {worst:.1e}, {time.time() - start:.0f}s", file=sys.stderr)
    return cases


def check_known():
    gaussian = [math.erf((k + 1) / 10 / 2**0.5) - math.erf(k / 10 / 2**0.5) for k in range(-60, 61)]
    poisson = [math.exp(k * math.log(5) - 5 - math.lgamma(k + 1)) for k in range(41)]
    for first, weights, epsilon, known in (
        (-60, gaussian, "1", 9.05849),
        (-60, gaussian, "2", 2.79830),
        (-60, gaussian, "3", 1.13785),
        (-60, gaussian, "4", 0.51231),
        (0, poisson, "2", 4.98544),
        (0, poisson, "3", 2.36854),
    ):
        case = {"epsilon": epsilon, "adjacency": 15, "from": first, "weights": weights, "objective": "wasserstein"}
        value, gap, _ = pure(case)
        assert abs(value - known) <= 6e-6 and gap <= ENOUGH, (epsilon, value, known, gap)


def check_windows(cases, count):
    """A window of twice the extension changes nothing, small epsilon first."""
    cases = sorted((c for c in cases if c["adjacency"] <= 12), key=lambda c: float(c["epsilon"]))
    for case in cases[:count] + cases[:: max(1, len(cases) // count)][1:]:
        objective = Objective(case["objective"], case["from"], case["weights"])
        value, gap, _ = pure(case, objective.range + 2 * (objective.range + 8 * case["adjacency"]))
        assert gap > ENOUGH or abs(value - case["value"]) <= 1e-9 * value, (case, value, gap)


def main():
    check_known()
    lists = {}
    for name, source, count, solve, enough in (
        ("wasserstein", wasserstein, 256, pure, ENOUGH),
        ("variants", variants, 48, pure, ENOUGH),
        ("approximate", approximates, 30, approximate, APPROXIMATE_ENOUGH),
    ):
        lists[name] = collect(name, source(np.random.default_rng([SEED, len(lists)])), count, solve, enough)
    assert sum(case["adjacency"] >= 25 for case in lists["wasserstein"]) >= 20
    check_windows(lists["wasserstein"], 8)
    check_windows(lists["variants"], 4)
    body = ",\n".join(f' "{name}": [\n' + ",\n".join("  " + json.dumps(c) for c in cases) + "\n ]" for name, cases in lists.items())
    Path(__file__).with_name("design.json").write_text("{\n" + body + "\n}\n")


if __name__ == "__main__":
    main()
