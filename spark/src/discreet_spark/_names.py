"""Names as people read them."""

from __future__ import annotations

import unicodedata


def read_as(name: str) -> str:
    """Letters and digits, small."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", name).casefold() if letter.isalnum()) or name
