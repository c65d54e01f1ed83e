"""The command ``discreet``: where it is, which version, and what it says when it fails."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import warnings
from collections.abc import Sequence

from pyspark.sql import DataFrame

REFUSED = 3
INSTALL = (
    "install it on the driver and on every executor, from a clone: npm ci && "
    "npm install -g \"$(npm pack --silent)\"; or say where it is with command=… or DISCREET_COMMAND"
)


class DiscreetError(Exception):
    """What went wrong, in the command's own words."""


class Refused(DiscreetError):
    """Refused for privacy, or because the budget does not suffice."""


def command_of(given: Sequence[str] | str | None) -> list[str]:
    """The command as it is called: given, from DISCREET_COMMAND, or ``discreet``."""
    if given is None:
        given = os.environ.get("DISCREET_COMMAND", "discreet")
    return shlex.split(given) if isinstance(given, str) else list(given)


def version_of(command: Sequence[str]) -> str:
    """Its version; a missing command or a missing Node is an error that says so."""
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise DiscreetError(f"there is no command {command[0]!r} here; {INSTALL}") from None
    except PermissionError:
        raise DiscreetError(f"the command {command[0]!r} cannot be run here; {INSTALL}") from None
    if done.returncode == 127:
        raise DiscreetError("Node is missing, which the command discreet runs on; install Node 20 or newer")
    if done.returncode != 0:
        raise DiscreetError(f"{command[0]!r} --version failed: {done.stderr.strip()}; {INSTALL}")
    version = done.stdout.strip()
    if not re.fullmatch(r"\d+\.\d+\.\S+", version):
        raise DiscreetError(f"{command[0]!r} is another program than discreet; {INSTALL}")
    return version


#: Options of the command that are called otherwise here.
NAMES = {"column": "columns", "pass": "passed"}


OPTION = re.compile(r"--([a-z][a-z-]*)(?: (\"[^\"]*\"|([^\s=;,'\"]+)=([0-9][0-9.]*)|[0-9][0-9.,]*))?")


def _argument(found: re.Match[str]) -> str:
    """An option of the command, with its value where there is one, as an argument in Python."""
    name = NAMES.get(found[1], found[1]).replace("-", "_")
    if name in ("force", "skip_invalid"):
        return f"{name}=True"
    value = f'{{"{found[3]}": {found[4]}}}' if found[3] else found[2] or ""
    return f"{name}=[{value}]" if name == "passed" and value else f"{name}={value}"


def check_frame(df: object) -> None:
    """That it is a DataFrame of Spark."""
    if not isinstance(df, DataFrame):
        raise DiscreetError(f"expected a DataFrame of Spark, got {type(df).__module__}.{type(df).__name__}")


def failure(code: int, stderr: str) -> DiscreetError:
    """An error of the command, from its exit code and what it wrote."""
    lines = [line for line in stderr.splitlines() if not line.startswith("note: ")]
    words = "\n".join(lines).strip() or f"discreet ended with exit code {code}"
    for start in ("error: ", "refused: ", "standard input: "):
        words = words.removeprefix(start)
    # Rows are numbered within a partition, which helps nobody here; options are arguments.
    words = re.sub(r", data row \d+", "", words)
    words = re.sub(r"^-o: ", "output: ", words)
    words = re.sub(r"--column (\S+)=(\S+\.json)", r'columns={"\1": "\2"}', words)
    # What is to be typed in a shell stays as it is.
    parts = re.split(r"(discreet [a-z]+ [^;,]*)", words)
    words = "".join(part if part.startswith("discreet ") else OPTION.sub(_argument, part) for part in parts)
    return (Refused if code == REFUSED else DiscreetError)(words)


def pass_notes_on(stderr: str) -> None:
    """What the command noted, as warnings."""
    for line in stderr.splitlines():
        if line.startswith("note: "):
            warnings.warn(line.removeprefix("note: "), stacklevel=2)
