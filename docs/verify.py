"""Independent verifier of discreet/mechanism@1 files, written from mechanism-file.md alone.

Usage: python3 verify.py FILE...    One line per file: holds, fails, or invalid and the reason.
Exit code: 0 if all claims hold, else 2 if any file is invalid, else 3. All arithmetic is exact."""
import json, math, re, sys
from fractions import Fraction

FIELDS = {"format", "step", "adjacency", "from", "weights", "tails", "claim"}
INTEGER = "0|[1-9][0-9]{0,19999}"
DECIMAL = r"([+-]?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,6}))?"

def require(condition, reason):
    if not condition:
        raise ValueError(reason)

def whole(value, low, high):
    valid = type(value) in (int, float) and low <= value <= high and value % 1 == 0
    require(valid, f"{value!r:.40} is not a whole number from {low} to {high}")
    return int(value)

def integers(items, name):
    valid = type(items) is list and all(type(x) is str and re.fullmatch(INTEGER, x) for x in items)
    require(valid, f"{name} is not an array of integer strings")
    return [int(item) for item in items]

def decimal(value):
    match = type(value) is str and re.fullmatch(DECIMAL, value)
    require(match, f"{value!r:.40} is not a decimal string")
    sign, before, after, exponent = match.groups(default="")
    digits, power = before + after, int(exponent or 0) - len(after)
    require(len(digits) + abs(power) <= 20000, f"{value!r:.40} has too many digits or powers of 10")
    return int(sign + digits) * Fraction(10) ** power

def fraction(value):
    return type(value) is str and len(value) <= 20001 and re.fullmatch("[+-]?[0-9]+/0*[1-9][0-9]*", value)

def read_tail(tail, inward):  # inward: the weights from the edge of this tail on
    if tail is None:
        return 1, Fraction(0)  # no tail is the same as a tail of ratio 0
    require(type(tail) is dict and set(tail) == {"period", "ratio"}, "a tail's fields are wrong")
    period, ratio = whole(tail["period"], 1, len(inward)), integers(tail["ratio"], "ratio")
    require(len(ratio) == 2 and 0 < ratio[0] < ratio[1], "a ratio is not a pair between 0 and 1")
    require(min(inward[:period]) > 0, "a tail repeats a weight of 0")
    return period, Fraction(*ratio)

def read(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file, parse_constant=lambda name: require(False, f"{name} is not JSON"))
    require(type(data) is dict and set(data) - {"origin"} == FIELDS, "top-level fields are wrong")
    require(data["format"] == "discreet/mechanism@1", "format is not discreet/mechanism@1")
    require(type(data.get("origin", {})) is dict, "origin is not an object")
    adjacency, _ = whole(data["adjacency"], 1, 10**6), whole(data["from"], -2**50, 2**50)
    weights, tails, claim = integers(data["weights"], "weights"), data["tails"], data["claim"]
    require(weights and weights[0] and weights[-1], "weights is empty, or an end of it is 0")
    require(type(tails) is type(claim) is dict, "tails or claim is not an object")
    require(set(tails) == {"left", "right"} and set(claim) == {"epsilon", "delta"}, "wrong fields")
    left, right = read_tail(tails["left"], weights), read_tail(tails["right"], weights[::-1])
    step = Fraction(data["step"]) if fraction(data["step"]) else decimal(data["step"])
    epsilon, delta = map(decimal, (claim["epsilon"], claim["delta"]))
    require(step > 0 and epsilon >= 0 and 0 <= delta <= 1, "step, epsilon or delta is out of range")
    return weights, left, right, epsilon, delta, adjacency

def exp_bounds(x, bits):  # integers low <= 2**bits * e**x <= high: power series, rounded outward
    x_low, x_high, n = math.floor(x * 2**bits), math.ceil(x * 2**bits), 1
    low = high = term_low = term_high = 1 << bits
    while term_high > 1 or n < 2 * x:
        term_low, term_high = term_low * x_low // (n << bits), -(-term_high * x_high // (n << bits))
        low, high, n = low + term_low, high + term_high, n + 1
    return low, high + term_high  # from here on, each term is at most half the one before

def least(items, count):  # of every so many neighbours
    size = 1
    while 2 * size <= count:
        items, size = list(map(min, items, items[size:])), 2 * size
    return map(min, items, items[count - size:])

def holds(weights, left, right, epsilon, delta, m):
    (p, a), (q, b), end = left, right, m + len(weights)
    scale = math.lcm(a.denominator ** -(-m // p), b.denominator ** -(-m // q))
    w = [weight * scale for weight in weights]  # and m more on both sides: all are integers
    for (p, a) in (right, left):
        for _ in range(m):
            w.append(w[-p] * a.numerator // a.denominator)
        w.reverse()
    def total(t, near, far):  # the terms that touch the window, and the two series beyond it
        (p, a), (q, b) = near, far
        return sum(t) + a / (1 - a) * sum(t[:p]) + b / (1 - b) * sum(t[-q:])
    def kept(e):  # with e / 2**bits for e**epsilon; a pure claim is kept if every term is 0
        plus, minus = [x << bits for x in w], [x * e for x in w]
        limit = delta * total(plus[m:end], left, right)
        ways = (plus, minus, left, right), (plus[::-1], minus[::-1], right, left)
        def meets(low, high):  # shifts low to high at once: by the least that a point may meet
            return all(total([max(0, x - y) for x, y in zip(plus[m - high:end], least(
                minus[m - high + low:end + high], high - low + 1))], near, far) <= limit
                for plus, minus, near, far in ways)
        def within(low, high):
            if low == high or not meets(high, high):
                return meets(high, high)
            half = (low + high) // 2
            return meets(low, high - 1) or within(half + 1, high) and within(low, half)
        return within(1, m)
    bits, x = 64, min(epsilon, max(w).bit_length() - min(filter(None, w)).bit_length() + 1)
    while delta < 1:  # where x < epsilon, e**x exceeds all ratios just as e**epsilon does
        low, high = exp_bounds(x, bits)
        if kept(low):  # a larger e helps the claim, so either of these settles it
            return True
        if not kept(high):
            return False
        bits *= 4
    return True

getattr(sys, "set_int_max_str_digits", int)(0)  # newer versions limit the length of int(text)
codes = set()
for path in sys.argv[1:]:
    try:
        code, verdict = (0, "holds") if holds(*read(path)) else (3, "fails")
    except (OSError, ValueError, RecursionError) as error:
        code, verdict = 2, f"invalid: {error}"
    print(f"{path}: {verdict}")
    codes.add(code)
sys.exit(2 if 2 in codes else max(codes, default=2))
