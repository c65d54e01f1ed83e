"""Differentially private releases of Spark DataFrames, by the command ``discreet`` on every machine."""

from ._command import DiscreetError, Refused
from ._count import count
from ._release import Release, release

__all__ = ["DiscreetError", "Refused", "Release", "count", "release"]
