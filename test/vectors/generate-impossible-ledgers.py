"""Ledgers that no program of ours writes, and some that it does: python3 test/vectors/generate-impossible-ledgers.py > test/vectors/impossible-ledgers.json

Every chain is whole, so that what is said of a ledger is all that is wrong with it. `discreet ledger import` and
docs/verify-ledger.py refuse all that are impossible, and take all that are possible.
"""

import copy
import hashlib
import json
import sys

BUDGET = {
    "kind": "budget",
    "dataset": "d",
    "epsilon": "3",
    "delta": "0.001",
    "adjacency": {"visits": "5", "days": "2"},
    "perPerson": None,
    "partition": None,
}
CHARGE = {"on": "visits", "mechanism": None, "adjacency": "5", "epsilon": "1", "delta": "0"}
DAYS = {**CHARGE, "on": "days", "adjacency": "2"}
RELEASE = {
    "kind": "release",
    "act": "release",
    "dataset": "d",
    "part": None,
    "input": "a.csv",
    "output": "b.csv",
    "query": None,
    "charges": [CHARGE],
    "passed": [],
    "by": [],
    "byProtected": [],
    "perPerson": None,
    "perPersonEnforced": False,
    "epsilon": "1",
    "delta": "0",
}
COUNTING = {**CHARGE, "on": "count by region", "adjacency": "1"}
COUNT = {**RELEASE, "act": "count", "by": ["region"], "charges": [COUNTING], "counted": None}
PRIOR = {
    **RELEASE,
    "act": "prior",
    "by": ["visits"],
    "byProtected": ["visits"],
    "charges": [{**COUNTING, "on": "prior of visits"}],
    "epsilon": "2",
}
QUERY = {"sql": "select * from t where age > 50", "rowsOnce": True}
TEXT = json.dumps(
    {
        "format": "discreet/mechanism@1",
        "step": "1",
        "adjacency": 1,
        "from": 0,
        "weights": ["1", "2", "1"],
        "tails": {"left": {"period": 1, "ratio": ["1", "2"]}, "right": None},
        "claim": {"epsilon": "1", "delta": "1"},
        "origin": {},
    }
)


def sha256(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def written(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class Raw:
    """An entry whose text is changed before it is hashed."""

    def __init__(self, entry, old, new):
        self.entry, self.old, self.new = entry, old, new


def first(entry):
    return {"format": "discreet/ledger@1", **entry}


def chain(*entries):
    lines, previous = [], "0" * 64
    for number, entry in enumerate(entries, 1):
        raw = entry if isinstance(entry, Raw) else None
        signed = {
            "format": "discreet/ledger@2",
            "sequence": number,
            "previous": previous,
            "time": "2026-11-15T12:00:00.000Z",
            "who": "me",
            **copy.deepcopy(raw.entry if raw else entry),
        }
        text = written(signed)
        if raw:
            assert raw.old in text, (raw.old, text)
            text = text.replace(raw.old, raw.new)
        lines.append(text)
        previous = sha256(text)
    return lines


def mechanism(text, own=None):
    return written({"format": "discreet/ledger@2", "kind": "mechanism", "hash": own or sha256(text), "text": text})


def using(text):
    return {**RELEASE, "charges": [{**CHARGE, "mechanism": sha256(text)}], "kept": True}


def with_(entry, **changes):
    return {**entry, **changes}


def charged(epsilon, delta="0", **changes):
    return with_(RELEASE, charges=[{**CHARGE, "epsilon": epsilon, "delta": delta, **changes}])


def settled(kind, release):
    return {"kind": kind, "release": release, "reason": ""}


def budget(**changes):
    return with_(BUDGET, **changes)


NORTH = {"column": "region", "parts": ["north", "south"]}
MALFORMED = json.loads(TEXT)
impossible, possible = {}, {}


def add(where, title, *entries):
    assert title not in where, title
    where[title] = chain(*entries)


# Figures
for title, figure in {
    "an underscore": "1_0",
    "full-width digits": "１",
    "Arabic digits": "١",
    "a negative figure": "-1",
    "infinity": "Infinity",
    "an infinite power": "1e9999999",
    "a power beyond all": "1e99999",
    "NaN": "NaN",
    "hexadecimal digits": "0x1",
    "a fraction": "1/2",
    "nothing": "",
    "a point alone": "1.",
    "a point in front": ".5",
}.items():
    add(impossible, f"{title} for a total", BUDGET, with_(RELEASE, epsilon=figure))
    add(impossible, f"{title} for a charge", BUDGET, charged(figure))
    add(impossible, f"{title} for a budget", budget(epsilon=figure))
for title, value in {"a number": 1, "true": True, "nothing": None, "a list": ["1"], "an object": {}}.items():
    add(impossible, f"{title} for a decimal", BUDGET, with_(RELEASE, epsilon=value))
    add(impossible, f"{title} for a charge's delta", BUDGET, charged("1", value))
    add(impossible, f"{title} for an adjacency", budget(adjacency={"visits": value}))
for key in ("perPerson", "sequence"):
    for title, value in {"true": True, "a text": "1", "zero": 0, "a half": 1.5, "too many": 2**53}.items():
        add(impossible, f"{title} for {key}", with_(BUDGET, **{key: value}))
    add(impossible, f"1e9999999 for {key}", Raw(with_(BUDGET, **{key: 8191}), f'"{key}":8191', f'"{key}":1e9999999'))
add(impossible, "NaN for rows per person", Raw(budget(perPerson=8191), "8191", "NaN"))
add(impossible, "NaN in a field that is not known", Raw(budget(extra=8191), "8191", "NaN"))
add(impossible, "-Infinity in a field that is not known", Raw(budget(extra=8191), "8191", "-Infinity"))
add(impossible, "brackets 101 deep in a field that is not known", Raw(budget(extra=8191), "8191", "[" * 100 + "]" * 100))
add(possible, "brackets 100 deep in a field that is not known", Raw(budget(extra=8191), "8191", "[" * 99 + "]" * 99))
add(impossible, "brackets 3,000 deep in a field that is not known", Raw(budget(extra=8191), "8191", "[" * 3000 + "]" * 3000))
add(impossible, "a release that is settled by true", BUDGET, RELEASE, settled("void", True))
add(impossible, "a budget of 0", budget(epsilon="0"))
add(impossible, "a budget above a million", budget(epsilon="1000000.1"))
add(impossible, "a budget with a delta of 1", budget(delta="1"))
add(impossible, "an adjacency of 0", budget(adjacency={"visits": "0"}))

# Fields
for key in BUDGET:
    add(impossible, f"a budget without {key}", {k: v for k, v in BUDGET.items() if k != key})
for key in RELEASE:
    if key not in ("query", "passed"):
        add(impossible, f"a release without {key}", BUDGET, {k: v for k, v in RELEASE.items() if k != key})
for key in CHARGE:
    charge = {k: v for k, v in CHARGE.items() if k != key}
    add(impossible, f"a charge without {key}", BUDGET, with_(RELEASE, charges=[charge]))
for key, value in {
    "act": "delete", "dataset": 5, "part": 5, "input": None, "charges": {}, "passed": "all", "by": "region", "byProtected": None,
    "perPersonEnforced": 1, "kept": "yes", "keyed": {}, "apart": "0", "counted": 5, "query": {}, "dropped": "region",
}.items():
    add(impossible, f"a release whose {key} is none", BUDGET, with_(RELEASE, **{key: value}))
add(impossible, "a count that counted a name that is empty", BUDGET, with_(COUNT, counted=""))
add(impossible, "a format of tomorrow", with_(BUDGET, format="discreet/ledger@3"))
add(impossible, "a kind of tomorrow", with_(BUDGET, kind="grant"))
add(impossible, "a format of yesterday after one of today", BUDGET, first(RELEASE))

# Budgets by themselves
add(impossible, "a dataset without a name", budget(dataset=" \u200b"))
add(impossible, "a column twice, as people read it", budget(adjacency={"visits": "5", "Visits ": "6"}))
add(impossible, "a part twice, as people read it", budget(partition={"column": "region", "parts": ["a", "A"]}))
add(impossible, "parts by a protected column", budget(partition={"column": "VISITS", "parts": ["a"]}))
add(impossible, "a part without a name", budget(partition={"column": "region", "parts": [""]}))
add(impossible, "an unknown way to add releases up", budget(filter="renyi"))
add(impossible, "an unknown way to add releases up, for a while", budget(filter="renyi"), BUDGET)
add(impossible, "a budget for a name that reads like a known one", BUDGET, budget(dataset="D\u200b"))

# Totals
add(impossible, "a total of 1e-120 more than the budget", budget(epsilon="1"), with_(RELEASE, epsilon="1." + "0" * 119 + "1"))
add(impossible, "a charge of 50 in a total of 0.1", budget(epsilon="100"), with_(charged("50"), epsilon="0.1"))
add(impossible, "a charge's delta that its total does not have", BUDGET, charged("1", "0.0001"))
add(impossible, "a total a little below its charge", BUDGET, with_(charged("1." + "0" * 119 + "1"), epsilon="1"))
add(impossible, "two charges in a total of one", BUDGET, with_(RELEASE, charges=[CHARGE, DAYS]))
add(impossible, "three rows in a total of one", budget(perPerson=3), with_(RELEASE, perPerson=3))
add(impossible, "a choice of three rows in a total of one", budget(perPerson=3), with_(RELEASE, act="choose", perPerson=3))
MOVED = with_(COUNT, by=["visits"], byProtected=["visits"])
add(impossible, "a count by a protected column in a total of one change", BUDGET, MOVED)
add(impossible, "a count of a query in a total of one change", BUDGET, with_(COUNT, query=QUERY))
add(impossible, "a prior in a total of one change", BUDGET, with_(PRIOR, epsilon="1"))
SMALL = {**COUNTING, "delta": "0.0001"}
GROWN = with_(MOVED, charges=[SMALL], epsilon="2", delta="0.00037182818284590453")
add(impossible, "a delta that grows with two changes and is only doubled", BUDGET, with_(GROWN, delta="0.0002"))
add(impossible, "a delta that grows with two changes, a little below", BUDGET, with_(GROWN, delta="0.00037182818284590452"))
add(possible, "a delta that grows with two changes", BUDGET, GROWN)

# Spending beyond the budget
add(impossible, "more than the budget", BUDGET, RELEASE, RELEASE, RELEASE, with_(RELEASE, epsilon="1.5"))
add(impossible, "more than the budget at the time, which was raised", BUDGET, *[RELEASE] * 4, budget(epsilon="9"))
add(impossible, "more than the budget at the time, given back since", BUDGET, *[RELEASE] * 4, settled("void", 2))
add(impossible, "more delta than the budget", BUDGET, with_(charged("1", "0.002"), delta="0.002"))
PARTS = budget(partition=NORTH)
add(impossible, "more than the budget in one part", PARTS, RELEASE, *[with_(RELEASE, part="north")] * 3)
add(impossible, "a budget below what is spent", BUDGET, RELEASE, RELEASE, budget(epsilon="1.5"))
add(possible, "parts that share no person", PARTS, RELEASE, *[with_(RELEASE, part=part) for part in ("north", "south") * 2])
add(possible, "what was given back is spent again", BUDGET, *[RELEASE] * 3, settled("void", 2), RELEASE)

# Budgets over a past
add(impossible, "an adjacency raised from 5 to 1000", BUDGET, RELEASE, budget(adjacency={"visits": "1000", "days": "2"}))
add(impossible, "an adjacency raised and lowered again", BUDGET, RELEASE, budget(adjacency={"visits": "9"}), BUDGET)
add(impossible, "a released column that is dropped", BUDGET, RELEASE, budget(adjacency={"days": "2"}))
add(impossible, "a column that may have left", BUDGET, RELEASE, budget(adjacency={"visits": "5", "age": "1"}))
add(impossible, "a partition that is dropped", PARTS, RELEASE, BUDGET)
add(impossible, "a partition that is declared after spending", BUDGET, RELEASE, PARTS)
add(impossible, "another part", PARTS, RELEASE, budget(partition={"column": "region", "parts": ["north", "south", "west"]}))
add(impossible, "more rows per person", BUDGET, RELEASE, budget(perPerson=2))
add(impossible, "a budget for more than was charged without one", with_(charged("1", adjacency="3")), BUDGET)
add(impossible, "a protected column that was counted by", COUNT, budget(adjacency={"region": "1"}))
add(impossible, "a protected column that may have been computed", with_(COUNT, query=QUERY), budget(adjacency={"age": "1"}))
FAR = with_(PRIOR, apart="5", epsilon="1")
add(impossible, "an adjacency beyond thresholds", BUDGET, FAR, budget(adjacency={"visits": "6", "days": "2"}))
add(impossible, "a protected column that may have chosen rows", BUDGET, with_(FAR, query=QUERY), budget(adjacency={"visits": "5", "age": "1"}))
add(possible, "a larger budget that keeps its past", BUDGET, RELEASE, budget(epsilon="9"))
add(possible, "a budget set anew before anything was spent", BUDGET, budget(adjacency={"age": "1000"}, perPerson=7), PARTS)
add(possible, "a budget set anew where all was given back", BUDGET, RELEASE, settled("void", 2), budget(adjacency={"age": "9"}))
add(possible, "a column added that was not released without", BUDGET, COUNT, budget(adjacency={"visits": "5", "days": "2", "age": "1"}))
add(possible, "a column that was protected all along", BUDGET, RELEASE, budget(adjacency={"visits": "5", "days": "9"}))

# Parts
WHERE = with_(PRIOR, by=["region"], byProtected=["region"], charges=[{**COUNTING, "on": "prior of region"}])
PART = with_(COUNT, by=["age"], part="north")
add(impossible, "a column that tells parts, protected by a prior", PARTS, WHERE)
add(impossible, "a column that told parts, protected by a prior", PARTS, PART, with_(PART, part="south"), WHERE)
add(impossible, "a column that tells parts, protected under another spelling", PARTS, with_(WHERE, by=["Region"], byProtected=["Region"]))
add(impossible, "parts by a column that a prior protected", WHERE, PARTS)
add(impossible, "a column that left as it was, protected by a budget", with_(RELEASE, passed=["age"]), AGES := budget(adjacency={"visits": "5", "age": "1"}))
add(possible, "a column that did not leave, protected by a budget", with_(RELEASE, dropped=["age"]), AGES)
add(possible, "a prior of a column beside parts", PARTS, PART, PRIOR)

# What counted rows
SUM = with_(COUNT, counted="visits")
OLDER = {key: value for key, value in COUNT.items() if key != "counted"}
AGE = budget(adjacency={"age": "1"})
add(impossible, "rows counted by a protected column", BUDGET, SUM)
add(impossible, "rows counted by a protected column, spelt otherwise", BUDGET, with_(SUM, counted="Visits\u200b"))
add(impossible, "rows counted by what a release protected", RELEASE, SUM)
add(impossible, "a column that counted rows, protected by a budget", AGE, SUM, budget(adjacency={"age": "1", "visits": "5"}))
add(impossible, "a column that counted rows, protected by a release", SUM, RELEASE)
add(impossible, "a column that may have counted rows, protected by a budget", AGE, OLDER, budget(adjacency={"age": "1", "visits": "5"}))
add(impossible, "a column that was counted by, protected by a release", with_(COUNT, by=["visits"]), RELEASE)
add(possible, "a column that counted rows and stays unprotected", AGE, SUM, budget(epsilon="9", adjacency={"age": "1"}))
add(possible, "rows that no column counted", AGE, COUNT, budget(adjacency={"age": "1", "visits": "5"}))
add(possible, "an older count under a budget that protects the column", BUDGET, OLDER, budget(epsilon="9"))
add(possible, "an older count after a release of the column", RELEASE, OLDER, budget(adjacency={"visits": "5"}))
add(possible, "an older count before a release", OLDER, RELEASE)
add(possible, "an older count by what a release protected", RELEASE, with_(OLDER, by=["visits"]))
add(possible, "an older count that was given back", OLDER, settled("void", 1), budget(adjacency={"visits": "5"}))
add(
    possible,
    "a query counted while a column was protected by a release, and another since",
    RELEASE,
    with_(COUNT, query=QUERY, epsilon="2"),
    with_(RELEASE, charges=[DAYS]),
)

# What columns were used for
FREE = {**CHARGE, "epsilon": "0", "delta": "0"}
for act, entry in {"release": RELEASE, "count": COUNT, "prior": PRIOR, "choice": with_(RELEASE, act="choose")}.items():
    add(impossible, f"a {act} that was never charged", BUDGET, with_(entry, charges=[], epsilon="0"))
    add(impossible, f"a {act} whose charge is nothing", BUDGET, with_(entry, charges=[{**entry["charges"][0], **FREE, "on": entry["charges"][0]["on"]}], epsilon="0"))
add(impossible, "a charge of nothing beside another", BUDGET, with_(RELEASE, charges=[CHARGE, {**DAYS, "epsilon": "0"}]))
WEIGHTED = with_(COUNT, counted="size")
MOVING = with_(WEIGHTED, by=["visits"], byProtected=["visits"], epsilon="2")
add(possible, "what rows stand for, by a protected column, for two changes", BUDGET, MOVING)
add(impossible, "what rows stand for, by a protected column, for one change", BUDGET, with_(MOVING, epsilon="1"))
add(impossible, "what rows stand for, counted by a column that a budget protects later", with_(WEIGHTED, by=["visits"]), BUDGET)
add(impossible, "what rows stand for, of a query beside protected columns", BUDGET, with_(WEIGHTED, query=QUERY, epsilon="2"))
add(impossible, "rows counted by what they are counted by", BUDGET, with_(WEIGHTED, counted="Region"))
add(impossible, "rows counted by what tells parts", PARTS, with_(WEIGHTED, by=["sex"], counted="region", part="north"))
add(impossible, "rows of a person counted where each stands for several", BUDGET, with_(WEIGHTED, perPerson=1, perPersonEnforced=True))
add(impossible, "a release that counted rows by a column", BUDGET, with_(RELEASE, counted="size"))
add(impossible, "a release that counted rows by none", BUDGET, with_(RELEASE, counted=None))
add(impossible, "a release with thresholds", BUDGET, with_(RELEASE, apart="5"))
add(impossible, "a protected column that left as it was", BUDGET, with_(RELEASE, passed=["Days"]))
add(impossible, "a column that left and was left out", BUDGET, with_(RELEASE, passed=["region"], dropped=["region"]))
add(possible, "what rows stand for, by a public column", BUDGET, WEIGHTED)
add(possible, "what rows stand for, of a query where nothing is protected", with_(WEIGHTED, query=QUERY))
add(possible, "a protected column counted by, for two changes", BUDGET, with_(COUNT, by=["visits"], byProtected=["visits"], epsilon="2"))
add(possible, "a column that left beside one that was left out", BUDGET, with_(RELEASE, passed=["region"], dropped=["sex"]))

# What told persons and rows apart
TOLD = with_(COUNT, perPerson=2, perPersonEnforced=True, person="id", epsilon="2")
KEYED = with_(RELEASE, keyed={"id": "id", "pinned": "files"})
IDS = budget(adjacency={"visits": "5", "id": "1"})
TWO, TWO_IDS = budget(perPerson=2), budget(perPerson=2, adjacency={"visits": "5", "id": "1"})
add(impossible, "a column that told persons apart, protected by a budget", TWO, TOLD, TWO_IDS)
add(impossible, "a column that told persons apart, protected by a release", TOLD, with_(charged("1", on="ID"), perPerson=2, epsilon="2"))
add(impossible, "a column that told rows apart, protected by a budget", KEYED, IDS)
add(impossible, "persons told apart by a protected column", TWO_IDS, TOLD)
add(impossible, "rows told apart by a protected column", IDS, KEYED)
add(impossible, "rows told apart by the column that is released", with_(KEYED, keyed={"id": "Visits", "pinned": "files"}))
add(impossible, "persons told apart whose rows were not counted", TWO, with_(TOLD, perPersonEnforced=False))
add(impossible, "persons told apart by nothing", TWO, with_(TOLD, person=""))
add(possible, "persons told apart by a public column", TWO, TOLD)
add(possible, "rows told apart by a public column", BUDGET, KEYED)

# What stays protected
add(impossible, "a column that was counted by for two changes, and is not protected any more", BUDGET, with_(MOVED, epsilon="2"), budget(adjacency={"days": "2"}))
add(possible, "a column that was counted by for two changes, and stays protected", BUDGET, with_(MOVED, epsilon="2"), budget(adjacency={"visits": "6"}))
add(impossible, "a column left out under another spelling, protected by a budget", with_(RELEASE, dropped=["age "]), AGES)
add(impossible, "a column left out of a query, protected by a budget", with_(RELEASE, dropped=["age"], query=QUERY), AGES)

# What spending must keep of its budget
add(impossible, "a dataset without a budget beside one with", BUDGET, with_(RELEASE, dataset="e"))
add(impossible, "a dataset that reads like one with a budget", BUDGET, with_(RELEASE, dataset="D"))
add(impossible, "a dataset that reads like a known one", RELEASE, with_(RELEASE, dataset="D "))
add(impossible, "a dataset of blanks", with_(RELEASE, dataset=" \t"))
add(impossible, "a part that was never declared", BUDGET, with_(RELEASE, part="north"))
add(impossible, "a part of another spelling", PARTS, with_(RELEASE, part="North"))
add(impossible, "a part that is declared later", RELEASE, with_(RELEASE, part="north"), PARTS)
add(impossible, "fewer rows per person than the budget's", budget(perPerson=3), with_(RELEASE, perPerson=1))
add(impossible, "rows per person that the budget does not state", BUDGET, with_(RELEASE, perPerson=2, epsilon="2"))
add(impossible, "rows that were counted, and none stated", BUDGET, with_(RELEASE, perPersonEnforced=True))
add(impossible, "a column at a smaller adjacency than the budget's", BUDGET, charged("1", adjacency="4.9"))
add(impossible, "a column that the budget does not have", BUDGET, charged("1", on="age"))
add(impossible, "thresholds closer than the adjacency", BUDGET, with_(FAR, apart="4"))
add(impossible, "a protected column counted by as if it were none", BUDGET, with_(COUNT, by=["visits"]))
add(impossible, "an older count by a protected column as if it were none", BUDGET, with_(OLDER, by=["visits"]))
add(impossible, "a count by what a release protected, as if it were none", RELEASE, with_(COUNT, by=["visits"]))
add(impossible, "an unprotected column said to be protected", with_(COUNT, by=["visits"], byProtected=["visits"], epsilon="2"))
add(impossible, "a prior that says its column did not move", BUDGET, with_(PRIOR, byProtected=[], epsilon="1"))
add(possible, "one row per person, stated, under a budget for one row", BUDGET, with_(RELEASE, perPerson=1))
add(possible, "a count, a choice and a prior", budget(epsilon="9"), COUNT, with_(RELEASE, act="choose"), PRIOR, FAR)
add(possible, "datasets without budgets", RELEASE, with_(RELEASE, dataset="e", perPerson=4, epsilon="4"))
add(possible, "a total above its charges", BUDGET, with_(RELEASE, epsilon="1.5"))
add(possible, "figures with blanks, a sign and a power", budget(epsilon=" +3e0 "), with_(RELEASE, epsilon="0.1E1"))
add(possible, "whole numbers with a point", Raw(budget(perPerson=1), '"perPerson":1', '"perPerson":1.0'))
add(possible, "fields that are not known", budget(extra={"of": [1e300]}), with_(RELEASE, dropped=["region"], more=None))
add(possible, "the first format, and then the second", first(BUDGET), first(RELEASE), RELEASE)

# Settlements
add(impossible, "a settlement of a budget", BUDGET, settled("void", 1))
add(impossible, "a settlement of what comes later", BUDGET, settled("void", 3), RELEASE)
add(impossible, "a second settlement", BUDGET, RELEASE, settled("complete", 2), settled("void", 2))
add(impossible, "a settlement without a reason", BUDGET, RELEASE, {"kind": "void", "release": 2})
add(possible, "releases that were settled, each once", BUDGET, RELEASE, RELEASE, settled("abort", 3), settled("complete", 2))

# Mechanisms
kept = chain(BUDGET, using(TEXT))
possible["a mechanism before its entry"] = [kept[0], mechanism(TEXT), kept[1]]
possible["a mechanism behind its entry"] = [*kept, mechanism(TEXT)]
possible["a mechanism that no entry names"] = [*chain(BUDGET), mechanism(TEXT)]
possible["a mechanism behind a mark of its bytes"] = [*chain(BUDGET), mechanism("\ufeff" + TEXT)]
add(possible, "a kept choice, which has no mechanism", BUDGET, with_(RELEASE, act="choose", kept=True))
impossible["a mechanism that was kept and removed"] = kept
impossible["a mechanism that was edited"] = [kept[0], mechanism(TEXT.replace('"2"', '"3"'), sha256(TEXT)), kept[1]]
impossible["a mechanism without a hash"] = [kept[0], mechanism(TEXT, 5), kept[1]]
for title, changes in {
    "of another format": {"format": "discreet/mechanism@2"},
    "with a field too many": {"note": ""},
    "whose step is a number": {"step": 1},
    "whose step is 0": {"step": "0"},
    "whose adjacency is 0": {"adjacency": 0},
    "whose adjacency is true": {"adjacency": True},
    "without weights": {"weights": []},
    "with a weight of 0 at its end": {"weights": ["1", "0"]},
    "with a weight that is a number": {"weights": [1]},
    "with a negative weight": {"weights": ["1", "-1", "1"]},
    "with a weight with a leading zero": {"weights": ["01"]},
    "with one tail": {"tails": {"left": None}},
    "with a tail that does not end": {"tails": {"left": {"period": 1, "ratio": ["2", "2"]}, "right": None}},
    "with a tail longer than its window": {"tails": {"left": {"period": 4, "ratio": ["1", "2"]}, "right": None}},
    "with a claim that is negative": {"claim": {"epsilon": "-1", "delta": "0"}},
    "with a claimed delta above 1": {"claim": {"epsilon": "1", "delta": "1.1"}},
    "with a claim with blanks": {"claim": {"epsilon": " 1", "delta": "0"}},
    "with an origin that is a text": {"origin": ""},
    "that starts out of range": {"from": 2**51},
}.items():
    text = json.dumps({**MALFORMED, **changes})
    impossible[f"a mechanism {title}"] = [*chain(BUDGET), mechanism(text)]
for title, text in {"that is no JSON": "hello", "that is a list": "[]", "that is NaN": "NaN", "that is empty": ""}.items():
    impossible[f"a mechanism {title}, under the right hash"] = [*chain(BUDGET), mechanism(text)]

# Lines
base = chain(BUDGET, RELEASE)
impossible["no line"] = []
impossible["mechanisms alone"] = [mechanism(TEXT)]
impossible["a blank line at the end"] = [*base, ""]
impossible["a blank line between"] = [base[0], "", base[1]]
impossible["a blank line first"] = ["", *base]
impossible["a mark of bytes in front"] = ["\ufeff" + base[0], base[1]]
for title, line in {"a number": "5", "null": "null", "a list": "[]", "a text": '"{}"', "an object": "{}", "half an entry": base[0][:40]}.items():
    impossible[f"a line that is {title}"] = [*base, line]
impossible["an entry that was edited"] = [base[0].replace('"3"', '"9"'), base[1]]
impossible["an entry that was moved"] = base[::-1]
impossible["an entry that was removed"] = base[1:]

for title, table in (("impossible", impossible), ("possible", possible)):
    assert all("\n" not in line for lines in table.values() for line in lines), title
json.dump({"impossible": impossible, "possible": possible}, sys.stdout, indent=1)
sys.stdout.write("\n")
