"""Independent verifier of discreet/mechanism@1 files, written from mechanism-file.md alone.

Usage: python3 verify.py FILE...    One line per file: holds, fails, or invalid and the reason.
Exit code: 0 if all claims hold, else 2 if any file is invalid, else 3. All arithmetic is exact.
"""
import json, math, re, sys
from fractions import Fraction

FIELDS = {"format", "step", "adjacency", "from", "weights", "tails", "claim"}
DECIMAL = r"[ \t\n\r]*([+-]?)([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]{1,6}))?[ \t\n\r]*"

def require(condition, reason):
    if not condition:
        raise ValueError(reason)

def whole(value, low, high, name):
    valid = type(value) in (int, float) and low <= value <= high and value % 1 == 0
    require(valid, f"{name} is not a whole number in its range")
    return int(value)

def integer(value, name):
    valid = type(value) is str and re.fullmatch("0|[1-9][0-9]{0,19999}", value)
    require(valid, f"{name} is not an integer string")
    return int(value)

def decimal(value, name):
    match = type(value) is str and re.fullmatch(DECIMAL, value)
    require(match, f"{name} is not a decimal string")
    sign, before, after, exponent = match.groups(default="")
    digits, power = before + after, int(exponent or 0) - len(after)
    require(len(digits) + abs(power) <= 20000, f"{name} is too long or its exponent too large")
    return int(sign + digits) * Fraction(10) ** power

def read_tail(tail, inward, name):  # inward: the weights from this edge on
    if tail is None:
        return 1, Fraction(0)  # no tail is the same as a tail of ratio 0
    period, ratio = whole(tail.get("period"), 1, len(inward), f"{name} period"), tail.get("ratio")
    require(type(ratio) is list and len(ratio) == 2, f"{name} ratio is not a pair")
    num, den = (integer(part, f"{name} ratio") for part in ratio)
    require(0 < num < den, f"{name} ratio is not between 0 and 1")
    require(min(inward[:period]) > 0, f"{name} tail repeats a weight of 0")
    return period, Fraction(num, den)

def read(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file, parse_constant=lambda name: require(False, f"{name} is not JSON"))
    require(type(data) is dict and set(data) - {"origin"} == FIELDS, "top-level fields are wrong")
    require(data["format"] == "discreet/mechanism@1", "format is not discreet/mechanism@1")
    require(type(data.get("origin", {})) is dict, "origin is not an object")
    require(decimal(data["step"], "step") > 0, "step is not positive")
    whole(data["from"], 1 - 2**53, 2**53 - 1, "from")
    require(type(data["weights"]) is list and data["weights"], "weights is not a filled array")
    weights = [integer(weight, "a weight") for weight in data["weights"]]
    require(weights[0] > 0 and weights[-1] > 0, "the first or the last weight is 0")
    require(set(data["tails"]) == {"left", "right"}, "tails does not have just left and right")
    left = read_tail(data["tails"].get("left"), weights, "left")
    right = read_tail(data["tails"].get("right"), weights[::-1], "right")
    epsilon, delta = (decimal(data["claim"].get(name), name) for name in ("epsilon", "delta"))
    require(epsilon >= 0 and 0 <= delta <= 1, "epsilon or delta is out of range")
    return weights, left, right, epsilon, delta, whole(data["adjacency"], 1, 2**53 - 1, "adjacency")

def exp_bounds(x, bits):  # integers low <= 2**bits * e**x <= high: power series, rounded outward
    x_low, x_high, n = math.floor(x * 2**bits), math.ceil(x * 2**bits), 0
    low = high = term_low = term_high = 1 << bits
    while term_high > 1 or n < 2 * x:
        n += 1
        term_low, term_high = term_low * x_low // (n << bits), -(-term_high * x_high // (n << bits))
        low, high = low + term_low, high + term_high
    return low, high + term_high  # from here on, each term is at most half the one before

def holds(weights, left, right, epsilon, delta, m):
    if delta == 1 or m > 64 and not holds(weights, left, right, epsilon, delta, m // 2):
        return delta == 1  # a larger m never helps, so a smaller one may settle a huge one
    (p, a), (q, b), end = left, right, m + len(weights)
    scale = math.lcm(a.denominator ** -(-m // p), b.denominator ** -(-m // q))
    w = [weight * scale for weight in weights]  # w[m:end] once it goes m points beyond both edges
    for _ in range(m):
        w.append(w[-q] * b.numerator // b.denominator)  # without remainder, thanks to scale
        w.insert(0, w[p - 1] * a.numerator // a.denominator)
    def total(t):  # the terms that touch the window, and the geometric series beyond
        return sum(t) + a / (1 - a) * sum(t[:p]) + b / (1 - b) * sum(t[-q:])
    def kept(e):  # the claim with e / 2**bits in place of e**epsilon; a larger e helps it
        if delta == 0:
            return all(0 < max(w[i:i + m + 1]) << bits <= e * min(w[i:i + m + 1]) for i in range(end))
        pairs = ((slice(m - s, end), slice(m, end + s)) for s in range(1, m + 1))
        plus, minus = [x << bits for x in w], [x * e for x in w]
        return all(total([max(0, x - y) for x, y in zip(plus[i], minus[j])]) <= limit << bits
                   for pair in pairs for i, j in (pair, pair[::-1]))
    ...
