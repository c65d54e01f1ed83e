"""Names that read alike, by Python's own tables: python3 test/vectors/generate-names.py > test/vectors/names.json

For every character that another one reads like (NFKC, default-ignorable characters left out, case folded), the
character and what it folds to. White space and characters without a fold of their own are left out.
"""

import json
import sys
import unicodedata

# Default_Ignorable_Code_Point of Unicode 14 (DerivedCoreProperties.txt).
IGNORABLE = [
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
]


def ignorable(code):
    return any(low <= code <= high for low, high in IGNORABLE)


def fold(text):
    for _ in range(2):
        text = unicodedata.normalize("NFKC", text)
        text = "".join(c for c in text if not ignorable(ord(c)))
        text = unicodedata.normalize("NFKC", text.casefold())
    return text


pairs = []
for code in range(0x21, 0x110000):
    char = chr(code)
    if unicodedata.category(char) in ("Cn", "Cs", "Co", "Cc") or ignorable(code) or char.isspace():
        continue
    folded = fold(char)
    if folded != char and folded.strip() == folded and folded != "":
        pairs.append([code, folded])
json.dump({"unicode": unicodedata.unidata_version, "pairs": pairs, "ignorable": IGNORABLE}, sys.stdout, separators=(",", ":"))
sys.stdout.write("\n")
