"""Check an exported ledger without Discreet: python3 verify-ledger.py entries.jsonl [head]

Every line is an entry as it was hashed, of the formats discreet/ledger@1 and @2, or a mechanism that entries name by its hash.
Prints the head and what each dataset has spent. Exit code 3, with the reason, where `discreet ledger import` would refuse the file:
where the chain is broken, where an entry or a mechanism is not what it can be, where an entry could not follow those before it
(budgets keep what their past rests on, spending stays within them), or where the given head is not in it.
Names of columns and datasets are compared as people read them, by the Unicode tables of this Python. All arithmetic is exact.
"""

import decimal
import hashlib
import json
import re
import sys
import unicodedata
from fractions import Fraction

getattr(sys, "set_int_max_str_digits", int)(0)  # newer versions limit the length of int(text)
FORMATS = ("discreet/ledger@1", "discreet/ledger@2")
MECHANISM = '{"format":"discreet/ledger@2","kind":"mechanism",'
# White space, as the ledger's own program trims it.
BLANK = "\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
# Default_Ignorable_Code_Point of Unicode, control characters and annotations: they are not seen.
UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)


class Refused(Exception):
    """What is wrong, in words."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


# Texts and figures


def sha256(text):
    # A lone surrogate has no UTF-8.
    return hashlib.sha256(re.sub("[\ud800-\udfff]", "\ufffd", text).encode("utf-8")).hexdigest()


def parse(text):
    """JSON, as strict as a browser: NaN and Infinity are none, nor are brackets more than 100 deep."""
    try:
        value = json.loads(
            text,
            parse_constant=lambda name: require(False, f"{name} is not JSON"),
            parse_int=lambda digits: int(digits) if len(digits) < 400 else float(digits),
            parse_float=lambda digits: int(float(digits)) if float(digits).is_integer() else float(digits),
        )
    except (ValueError, RecursionError):
        return None
    return None if deeper(value, 100) else value


def deeper(value, than):
    if not isinstance(value, (dict, list)):
        return False
    return than == 0 or any(deeper(own, than - 1) for own in (value.values() if isinstance(value, dict) else value))


def trimmed(text):
    return re.sub(f"^[{BLANK}]+|[{BLANK}]+$", "", text)


def number(text):
    """The value of a decimal as text, exactly; None where it is none."""
    pattern = r"([+-]?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,6}))?"
    match = isinstance(text, str) and re.fullmatch(pattern, trimmed(text))
    if not match:
        return None
    sign, whole, fraction, exponent = match.groups(default="")
    shift = int(exponent or 0) - len(fraction)
    if len(whole) + len(fraction) + abs(shift) > 20000:
        return None
    return int(sign + whole + fraction) * Fraction(10) ** shift


def plain(value):
    """A decimal that ends, as text."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str(int(abs(value) * 10**places)).rjust(places + 1, "0")
    return ("-" if value < 0 else "") + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def rounded_up(value):
    """To 17 significant digits, as costs are written."""
    if value == 0:
        return value
    exponent = len(str(value.numerator)) - len(str(value.denominator))
    while value >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while value < Fraction(10) ** exponent:
        exponent -= 1
    unit = Fraction(10) ** (exponent - 16)
    return -(-value // unit) * unit


def reads_as(name):
    """Names that look the same on paper are the same."""
    for _ in range(2):
        name = unicodedata.normalize("NFKC", name)
        name = re.sub("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u2800]+", " ", name)
        name = re.sub(f"[{UNSEEN}]", "", name)
        name = unicodedata.normalize("NFKC", name.lower().upper())
        name = trimmed(re.sub(" +", " ", name))
    return name


def like(name, names):
    """The name in the list that is spelt so, else the only one that reads so; None where there is none."""
    if name in names:
        return name
    alike = [other for other in names if reads_as(other) == reads_as(name)]
    return alike[0] if len(alike) == 1 else None


def among(name, names):
    return any(other == name or reads_as(other) == reads_as(name) for other in names)


# What the fields of an entry can be


def is_text(value):
    return isinstance(value, str)


def is_name(value):
    return isinstance(value, str) and value != ""


def is_flag(value):
    return isinstance(value, bool)


def is_count(value, low=1, high=2**53 - 1):
    return type(value) is int and low <= value <= high


def is_cost(value):
    return number(value) is not None and number(value) >= 0


def is_positive(value):
    return number(value) is not None and number(value) > 0


def one_of(*values):
    return lambda value: is_text(value) and value in values


def or_null(rule):
    return lambda value: value is None or rule(value)


def list_of(rule):
    return lambda value: isinstance(value, list) and all(map(rule, value))


class Absent:
    """What a field is that is not there."""


def or_absent(rule):
    return lambda value: value is Absent or rule(value)


def fields(**rules):
    return lambda value: isinstance(value, dict) and all(rule(value.get(key, Absent)) for key, rule in rules.items())


CHARGE = fields(on=is_text, mechanism=or_null(is_text), adjacency=is_positive, epsilon=is_cost, delta=is_cost)
SETTLEMENT = {"release": is_count, "reason": is_text}
KINDS = {
    "budget": {
        "dataset": is_name,
        "epsilon": is_positive,
        "delta": is_cost,
        "adjacency": lambda value: isinstance(value, dict) and all(map(is_positive, value.values())),
        "perPerson": or_null(is_count),
        "partition": or_null(fields(column=is_name, parts=list_of(is_name))),
        "filter": or_absent(is_name),
    },
    "release": {
        "act": one_of("release", "count", "choose", "prior"),
        "dataset": is_name,
        "part": or_null(is_name),
        "input": is_text,
        "output": is_text,
        "query": or_absent(or_null(fields(sql=is_text, rowsOnce=is_flag))),
        "charges": list_of(CHARGE),
        "passed": or_absent(list_of(is_text)),
        "dropped": or_absent(list_of(is_text)),
        "by": list_of(is_text),
        "byProtected": list_of(is_text),
        "counted": or_absent(or_null(is_name)),
        "apart": or_absent(is_positive),
        "perPerson": or_null(is_count),
        "perPersonEnforced": is_flag,
        "person": or_absent(is_name),
        "epsilon": is_cost,
        "delta": is_cost,
        "keyed": or_absent(fields(id=or_null(is_name), pinned=is_text)),
        "kept": or_absent(is_flag),
    },
    "complete": SETTLEMENT,
    "void": SETTLEMENT,
    "abort": SETTLEMENT,
}
SIGNED = {"sequence": is_count, "previous": is_text, "time": is_text, "who": is_text}


def read_entry(text):
    entry = parse(text)
    require(isinstance(entry, dict) and is_text(entry.get("kind")), "is no entry of a ledger")
    require(entry.get("format") in FORMATS, "has a format that this program does not know")
    require(entry["kind"] in KINDS, "is of a kind that this program does not know")
    for key, rule in {**SIGNED, **KINDS[entry["kind"]]}.items():
        require(rule(entry.get(key, Absent)), f"has a {key} that is missing, or not what an entry can say")
    if entry["format"] == FORMATS[0]:
        # It had no word for rows per person that were not stated, and no queries.
        if entry["kind"] == "budget" and entry["perPerson"] == 1:
            entry["perPerson"] = None
        if entry["kind"] == "release":
            if entry["perPerson"] == 1 and not entry["perPersonEnforced"]:
                entry["perPerson"] = None
            entry["query"] = None
    return entry


# What a mechanism file is (docs/mechanism-file.md); whether it keeps its claim, docs/verify.py tells


def check_mechanism(text):
    file = parse(text.removeprefix("\ufeff"))
    keys = {"format", "step", "adjacency", "from", "weights", "tails", "claim"}
    require(isinstance(file, dict) and set(file) - {"origin"} == keys, "is no mechanism: its fields are others")
    require(file["format"] == "discreet/mechanism@1", "is of another format")
    require(isinstance(file.get("origin", {}), dict), "has an origin that is no object")
    require(is_count(file["adjacency"], 1, 10**6) and is_count(file["from"], -(2**50), 2**50), "is out of range")
    weights, tails, claim = integers(file["weights"]), file["tails"], file["claim"]
    require(weights and weights[0] and weights[-1], "has no weights, or a weight of 0 at an end")
    require(isinstance(tails, dict) and set(tails) == {"left", "right"}, "has tails of other sides")
    require(isinstance(claim, dict) and set(claim) == {"epsilon", "delta"}, "claims something else than ε and δ")
    for tail, inward in ((tails["left"], weights), (tails["right"], weights[::-1])):
        if tail is None:
            continue
        require(isinstance(tail, dict) and set(tail) == {"period", "ratio"}, "has a tail with other fields")
        ratio = integers(tail["ratio"])
        require(len(ratio) == 2 and 0 < ratio[0] < ratio[1], "has a tail whose ratio is not between 0 and 1")
        require(is_count(tail["period"], 1, len(weights)), "has a tail with another period than it can have")
        require(min(inward[: int(tail["period"])]) > 0, "has a tail that repeats a weight of 0")
    for value in (file["step"], *claim.values()):
        require(is_text(value) and value == trimmed(value) and is_cost(value), "has a figure that is no decimal")
    require(number(file["step"]) > 0 and number(claim["delta"]) <= 1, "has a step or a δ that cannot be")


def integers(items):
    pattern = "0|[1-9][0-9]{0,19999}"
    valid = isinstance(items, list) and all(is_text(x) and re.fullmatch(pattern, x) for x in items)
    require(valid, "has weights or ratios that are no whole numbers")
    return [int(item) for item in items]


# What an entry must keep of those before it


class Release:
    def __init__(self, entry, under):
        self.entry, self.under, self.state = entry, under, "open"

    def protects(self):
        """Columns whose values it protected."""
        if self.entry["act"] == "prior":
            return self.entry["by"]
        return [charge["on"] for charge in self.entry["charges"]] if self.entry["act"] == "release" else []


class Dataset:
    def __init__(self):
        self.budget, self.releases, self.due = None, [], False

    def counted(self):
        """Releases that were not given back."""
        return [release for release in self.releases if release.state != "void"]

    def earlier(self):
        """Columns that releases have protected so far."""
        return {column for release in self.counted() for column in release.protects()}


def declared(budget):
    return list(budget["adjacency"]) if budget else []


def spent(releases):
    """By a person of the part that has spent the most: parts share no person, and what is of no part is of all."""
    parts = {None, *(release.entry["part"] for release in releases)}
    return {
        key: max(
            sum((number(r.entry[key]) for r in releases if r.entry["part"] in (None, part)), Fraction(0))
            for part in parts
        )
        for key in ("epsilon", "delta")
    }


def check_within(name, dataset, budget):
    if budget:
        total = spent(dataset.counted())
        require(all(total[key] <= number(budget[key]) for key in total), f"{name} is overspent")


def check_due(name, dataset):
    """Where spending only grows, the last moment tells for those before it: before a budget, what is given back, and at the end."""
    if dataset.due:
        check_within(name, dataset, dataset.budget)
    dataset.due = False


def check_spelling(entry, datasets):
    """A name that reads like a known one is that one; the first format told names apart by their letters."""
    name = entry["dataset"]
    if entry["format"] != FORMATS[0] and name not in datasets:
        require(not among(name, datasets), f"names a dataset {name!r}, which reads like a known one")


def check_budget(entry, datasets):
    name, columns, partition = entry["dataset"], declared(entry), entry["partition"]
    require(entry.get("filter", "basic") == "basic", "adds releases up in a way that this program does not know")
    check_spelling(entry, datasets)
    require(reads_as(name) != "", "has no name for its dataset")
    require(number(entry["epsilon"]) <= 10**6 and number(entry["delta"]) < 1, "is beyond any budget")
    require(len(set(map(reads_as, columns))) == len(columns), "has a column twice, as people read it")
    if partition:
        require(len(set(map(reads_as, partition["parts"]))) == len(partition["parts"]), "has a part twice")
        require(not among(partition["column"], columns), "has parts by a column that it protects")
    known = datasets.get(name)
    if partition and known:
        require(not among(partition["column"], known.earlier()), "has parts by a column that was protected")
    releases = known.counted() if known else []
    if not releases:
        return  # what was never spent can be set anew
    for release in releases:
        check_past(entry, release, releases)
        stay = [*columns, *known.earlier()]
        lost = [column for column in release.entry["byProtected"] if not among(column, stay)]
        require(not lost, f"no longer protects {lost}, which entry {release.entry['sequence']} counted by")
    if known.budget:
        said = [value and (value["column"], value["parts"]) for value in (known.budget["partition"], partition)]
        require(said[0] == said[1], "has another partition than releases were charged for")
    check_within(name, known, entry)


def check_past(budget, release, releases):
    """A budget must not make a past charge wrong."""
    past, number_of = release.entry, f"entry {release.entry['sequence']}"
    for column in declared(budget):
        why = spoils(release, column, releases, None)
        require(why is None, f"protects {column!r}, and {number_of} {why}")
    if "apart" in past:
        for column in past["by"]:
            now = like(column, declared(budget))
            near = now is None or number(past["apart"]) >= number(budget["adjacency"][now])
            require(near, f"is for larger moves than {number_of} was charged for")
    require((past["perPerson"] or 1) >= (budget["perPerson"] or 1), f"is for more rows a person than {number_of}")
    if past["act"] != "release":
        return
    for charge in past["charges"]:
        now = like(charge["on"], declared(budget))
        known = now is not None and number(charge["adjacency"]) >= number(budget["adjacency"][now])
        require(known, f"is not for what {number_of} was charged for: {charge['on']!r} at {charge['adjacency']}")


def spoils(release, column, releases, input):
    """Why a column cannot be protected after this release in this input, None being any; None where it can."""
    entry = release.entry
    before = [other for other in releases if other.entry["sequence"] < entry["sequence"]]
    known = [*declared(release.under), *(name for other in before for name in other.protects())]
    if among(column, [name for name in (entry.get("person"), entry.get("keyed", {}).get("id")) if name]):
        return "told persons or rows apart by it"
    if entry["act"] == "count":
        if entry.get("counted") is not None and among(column, [entry["counted"]]):
            return "counted rows by what it says"
        if "counted" not in entry and not among(column, known):
            return "may have counted rows by what it says"
        if entry.get("query") and not known:
            return "counted what a query computed"
    if "apart" in entry and entry.get("query") and not among(column, known):
        return "counted rows that a query chose"
    parts = release.under["partition"] if release.under else None
    if entry["part"] is not None and parts and among(column, [parts["column"]]):
        return "was for a part of it"
    if entry["act"] == "release" and not among(column, release.protects()):
        if among(column, entry["passed"]):
            return "let it leave as it is"
        out = not entry.get("query") and column in entry.get("dropped", [])
        bare = not among(column, declared(release.under)) and not out
        if bare and input in (None, entry["input"]):
            return "did not protect it, so that it may have left"
    if among(column, entry["by"]) and not among(column, entry["byProtected"]):
        return "counted by it while it was not protected"
    return None


def check_spending(entry, datasets):
    name = entry["dataset"]
    dataset = datasets.get(name, Dataset())
    budget = dataset.budget
    if budget is None:
        require(all(other.budget is None for other in datasets.values()), f"is of {name!r}, which has no budget")
        require(trimmed(name) != "", "has no name for its dataset")
        check_spelling(entry, datasets)
    if entry["part"] is not None:
        parts = budget["partition"]["parts"] if budget and budget["partition"] else []
        require(entry["part"] in parts, f"is of {entry['part']!r}, which is no part of {name!r}")
    rows, stated = entry["perPerson"], budget and budget["perPerson"]
    if budget:
        require(rows == stated or (stated is None and rows == 1), "is for other rows per person than its budget")
    require(rows is not None or stated is not None or not entry["perPersonEnforced"], "counted rows, and says none")
    reach = [(c["on"], c["adjacency"]) for c in entry["charges"]] if entry["act"] == "release" else []
    reach += [(column, entry["apart"]) for column in entry["by"]] if "apart" in entry else []
    for column, adjacency in reach if budget else []:
        found = like(column, declared(budget))
        enough = found is not None and number(adjacency) >= number(budget["adjacency"][found])
        require(enough, f"charges {column!r} at {adjacency}, which is less than its budget declares")
    older = entry["act"] == "count" and "counted" not in entry
    known = [*declared(budget), *dataset.earlier()]
    then = declared(budget) if older else known
    may = [column for column in entry["by"] if entry["act"] == "prior" or among(column, known)]
    must = [column for column in may if not older or among(column, then)]
    marked = all(c in entry["byProtected"] for c in must) and all(c in may for c in entry["byProtected"])
    require(marked, "says otherwise which of the columns that it counts by are protected")
    check_uses(entry, budget, known)
    telling = [release for release in dataset.counted() if "counted" in release.entry]
    parts = budget["partition"] if budget else None
    for column in Release(entry, budget).protects():
        require(not parts or not among(column, [parts["column"]]), f"protects {column!r}, which tells the budget's parts")
        for release in [] if among(column, known) else telling:
            why = spoils(release, column, dataset.counted(), entry["input"])
            require(why is None, f"protects {column!r}, and entry {release.entry['sequence']} {why}")
    check_total(entry, rows or 1, then)


def check_uses(entry, budget, known):
    """What its columns were used for, and that it cost something."""
    act, by, counted = entry["act"], entry["by"], entry.get("counted")
    told = lambda name: name is not None and among(name, known)
    costs = [number(charge["epsilon"]) > 0 or number(charge["delta"]) > 0 for charge in entry["charges"]]
    require(costs and all(costs), "has no charge, or one that costs nothing")
    require(act == "count" or "counted" not in entry, "counts, and is no count")
    require(act == "prior" or "apart" not in entry, "has thresholds, and is no prior")
    parts = budget["partition"]["column"] if budget and entry["part"] is not None else None
    person = entry.get("person")
    require(person is None or entry["perPersonEnforced"], "tells persons apart, and does not count their rows")
    for name in (person, entry.get("keyed", {}).get("id")):
        require(not told(name) and not (name and among(name, Release(entry, budget).protects())), "tells persons or rows apart by a protected column")
    require(not told(parts), "is for a part that a protected column tells")
    if counted is not None:
        require(not told(counted), "counts rows by what a protected column says")
        require(not (known and entry.get("query")), "counts what a query may have computed of protected columns")
        require(not entry["perPersonEnforced"], "counts the rows of a person where each stands for several")
        require(not among(counted, [name for name in (*by, parts, person) if name]), "counts by what says how many rows there are")
    passed = entry.get("passed") or []
    require(not any(among(name, declared(budget)) for name in passed), "lets leave what the budget protects")
    require(not any(among(name, entry.get("dropped") or []) for name in passed), "lets leave what it leaves out")


def check_total(entry, times, protected):
    """An entry costs at least what its charges give, as often as a person is charged."""
    epsilon, delta = (sum((number(c[key]) for c in entry["charges"]), Fraction(0)) for key in ("epsilon", "delta"))
    if entry["act"] in ("release", "choose"):
        growth = times  # each row has noise of its own
    else:
        # A row that moves leaves one count for another.
        moves = entry["byProtected"] if not entry.get("query") else protected
        if "apart" not in entry if entry["act"] == "prior" else moves:
            times *= 2
        growth = grown(epsilon, times) if delta else times
    least = {"epsilon": epsilon * times, "delta": delta * growth}
    if entry["act"] in ("count", "prior"):
        least["delta"] = min(Fraction(1), least["delta"])
    for key, value in least.items():
        require(number(entry[key]) >= rounded_up(value), f"costs less {key} than its charges give")


def grown(epsilon, times):
    """1 + e^ε + … + e^((times − 1)·ε): what δ grows to with so many changes of one result."""
    if epsilon == 0 or times == 1:
        return times
    if epsilon * times > 20000:
        return 10**40000  # more than any δ
    small = len(str(epsilon.denominator)) - len(str(epsilon.numerator))
    with decimal.localcontext() as context:
        context.prec, context.Emax, context.Emin = 120 + 2 * max(0, small), 10**8, -(10**8)
        x = decimal.Decimal(epsilon.numerator) / epsilon.denominator
        return Fraction(((x * times).exp() - 1) / (x.exp() - 1))


def check_chain(lines, head):
    """The datasets and the head of a ledger that holds."""
    mechanisms, texts = {}, []
    for line in lines:
        found = parse(line) if line.startswith(MECHANISM) else None
        if found and is_text(found.get("hash")) and is_text(found.get("text")):
            mechanisms[found["hash"]] = found["text"]
        else:
            texts.append(line)
    require(texts, "there is no entry")
    for own, text in mechanisms.items():
        require(sha256(text) == own, f"mechanism {own} does not have its hash: it was edited")
        told(f"mechanism {own}", check_mechanism, text)
    previous, hashes, releases, datasets, entries = "0" * 64, [], {}, {}, []
    for count, text in enumerate(texts, 1):
        entry = told(f"entry {count}", read_entry, text)
        require(entry["sequence"] == count and entry["previous"] == previous, f"entry {count} does not follow")
        require(not entries or entry["format"] >= entries[-1]["format"], f"entry {count} is of an older format")
        previous = sha256(text)
        hashes.append(previous)
        entries.append(entry)
        told(f"entry {count}", check_next, entry, datasets, releases, mechanisms)
    for name, dataset in datasets.items():
        check_due(name, dataset)
    require(head is None or head in hashes, f"{head} is not among them: the end was cut off or rewritten")
    return datasets, len(hashes), previous


def check_next(entry, datasets, releases, mechanisms):
    if entry["kind"] == "budget":
        dataset = datasets.get(entry["dataset"], Dataset())
        check_due(entry["dataset"], dataset)
        check_budget(entry, datasets)
        datasets.setdefault(entry["dataset"], dataset).budget = entry
    elif entry["kind"] == "release":
        named = [c["mechanism"] for c in entry["charges"] if c["mechanism"] is not None]
        require(not entry.get("kept") or all(m in mechanisms for m in named), "kept its mechanism, which was removed")
        check_spending(entry, datasets)
        dataset = datasets.setdefault(entry["dataset"], Dataset())
        release = releases[entry["sequence"]] = Release(entry, dataset.budget)
        dataset.releases.append(release)
        dataset.due = True
    else:
        release = releases.get(entry["release"])
        require(release and release.state == "open", f"settles entry {entry['release']}, which is no open release")
        if entry["kind"] == "void":
            check_due(release.entry["dataset"], datasets[release.entry["dataset"]])
        release.state = entry["kind"]


def told(name, work, *given):
    try:
        return work(*given)
    except Refused as refused:
        raise Refused(f"{name}: {refused}") from None


def main(path, head=None):
    sys.stdout.reconfigure(errors="backslashreplace")
    with open(path, "rb") as file:
        lines = file.read().decode("utf-8", "replace").split("\n")
    try:
        require(lines.pop() == "", "the last line does not end: the file was cut off")
        datasets, count, last = check_chain(lines, head)
    except Refused as refused:
        print(refused)
        return 3
    print(f"{count} entries, head {last}")
    for name, dataset in sorted(datasets.items()):
        total = {key: plain(value) for key, value in spent(dataset.counted()).items()}
        limit = f" of {dataset.budget['epsilon']}, {dataset.budget['delta']}" if dataset.budget else ""
        print(f"{name}: epsilon {total['epsilon']}, delta {total['delta']}{limit}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
