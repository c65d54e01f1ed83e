"""Check an exported ledger without Discreet: python3 verify-ledger.py entries.jsonl [head]

Every line is an entry as it was hashed, of the formats discreet/ledger@1 and @2, or a mechanism that entries name by its hash.
Prints the head and what each dataset has spent; exit code 3 where the chain is broken, where a mechanism does not have its hash,
where a budget is overspent, or where the given head is not in it.
"""

import hashlib
import json
import sys
from decimal import Decimal, getcontext

getcontext().prec = 100
FORMATS = ("discreet/ledger@1", "discreet/ledger@2")


def main(path, head=None):
    previous, hashes, releases, void, budgets = "0" * 64, [], {}, set(), {}
    open_releases, mechanisms = set(), set()
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            text, number = line.rstrip("\n"), len(hashes) + 1
            entry = json.loads(text)
            if entry["format"] not in FORMATS:
                print(f"entry {number} has the format {entry['format']}, which this program does not know")
                return 3
            if entry["kind"] == "mechanism":
                if hashlib.sha256(entry["text"].encode("utf-8")).hexdigest() != entry["hash"]:
                    print(f"mechanism {entry['hash']} does not have its hash: it was edited")
                    return 3
                mechanisms.add(entry["hash"])
                continue
            if entry["sequence"] != number or entry["previous"] != previous:
                print(f"entry {number} does not follow the one before it")
                return 3
            previous = hashlib.sha256(text.encode("utf-8")).hexdigest()
            hashes.append(previous)
            if entry["kind"] == "budget":
                budgets[entry["dataset"]] = entry
            elif entry["kind"] == "release":
                if any(not isinstance(entry[key], str) or Decimal(entry[key]) < 0 for key in ("epsilon", "delta")):
                    print(f"entry {number} costs less than nothing, or what is no decimal")
                    return 3
                parts = (budgets.get(entry["dataset"], {}).get("partition") or {}).get("parts", [])
                if entry["part"] is not None and entry["part"] not in parts:
                    print(f"entry {number}: {entry['part']} was no part of {entry['dataset']}")
                    return 3
                if entry.get("kept") and any(c["mechanism"] not in mechanisms for c in entry["charges"]):
                    print(f"entry {number}: its mechanism was kept, and was removed")
                    return 3
                releases[number] = entry
                open_releases.add(number)
            else:
                if entry["release"] not in open_releases:
                    print(f"entry {number} settles entry {entry['release']}, which is no open release")
                    return 3
                open_releases.discard(entry["release"])
                if entry["kind"] == "void":
                    void.add(entry["release"])
    print(f"{len(hashes)} entries, head {previous}")
    if head is not None and head not in hashes:
        print(f"{head} is not among them: the end was cut off or rewritten")
        return 3
    names = {entry["dataset"] for entry in [*releases.values(), *budgets.values()]}
    for name in sorted(names):
        counted = [r for n, r in releases.items() if n not in void and r["dataset"] == name]
        parts = {r["part"] for r in counted} | {None}
        total = {
            key: max(
                sum((Decimal(r[key]) for r in counted if r["part"] in (None, part)), Decimal(0))
                for part in parts
            )
            for key in ("epsilon", "delta")
        }
        budget = budgets.get(name)
        if budget and budget.get("filter", "basic") != "basic":
            print(f"{name}: releases are added up by {budget['filter']}, which this program does not know")
            return 3
        limit = f" of {budget['epsilon']}, {budget['delta']}" if budget else ""
        print(f"{name}: epsilon {total['epsilon']}, delta {total['delta']}{limit}")
        if budget and any(total[key] > Decimal(budget[key]) for key in total):
            print(f"{name} is overspent")
            return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
