"""Counts by public domains: counted exactly in Spark, collected once, and noised on the driver."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, Union

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DecimalType, DoubleType, FloatType, LongType, StringType, StructField, StructType

from ._command import DiscreetError, check_frame, command_of, failure, pass_notes_on, version_of
from ._lineage import Lineage
from ._names import read_as
from ._pinned import files_of
from ._steps import STEPS, WAY_OUT, check_steps, is_files, kind_of

#: The column of the cells that are handed over, which no input has.
ROWS = "discreet rows"
#: So many values are looked for in a list, more by a join.
FEW = 200
#: Longer arguments are taken by no system.
LONGEST = 100_000

Number = Union[int, float, str]
Path = Union[str, "os.PathLike[str]"]


def count(
    df: DataFrame,
    by: Sequence[str] | str,
    domain: Mapping[str, Sequence[Any] | range],
    *,
    epsilon: Number,
    dataset: str,
    ledger: str | None = None,
    delta: Number | None = None,
    per_person: int | None = None,
    clamp: tuple[Any, Any] | None = None,
    round_to: Number | None = None,
    output: Path | None = None,
    report: Path | None = None,
    force: bool = False,
    command: Sequence[str] | str | None = None,
) -> DataFrame:
    """A noisy count for every cell of ``domain``, empty ones included, as a DataFrame.

    Only the counts of the cells leave the cluster, once. They are charged before they are noised. With ``output`` the
    counts are kept as a CSV on the driver, with their mechanism beside them. The rest is as with ``discreet count``.
    """
    called = command_of(command)
    version_of(called)
    check_frame(df)
    names = [by] if isinstance(by, str) else list(by)
    _check(df, names, domain)
    _check_rows(df, names, _protected(called, ledger, dataset))
    cells = _cells(df, names, domain)
    with tempfile.TemporaryDirectory() as folder:
        target = os.fspath(output) if output is not None else os.path.join(folder, "counts.csv")
        options = {
            **{"--epsilon": epsilon, "--dataset": dataset, "--ledger": ledger, "--delta": delta},
            **{"--per-person": per_person, "--round-to": round_to, "--report": report},
            "--clamp": None if clamp is None else f"{clamp[0]},{clamp[1]}",
        }
        args = [*called, "count", "-", "--input-format", "csv", "--by", ",".join(names), "--counted", ROWS]
        for name in names:
            args += ["--domain", f"{name}={_values(name, domain[name])}"]
        for flag, value in options.items():
            args += [] if value is None else [flag, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
        args += ["-o", target, "--output-format", "csv", "--json"] + (["--force"] if force else [])
        done = subprocess.run(args, input=_csv(names, cells), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise failure(done.returncode, done.stderr)
        pass_notes_on(done.stderr)
        with open(target, newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
    whole = [isinstance(domain[name], range) for name in names] + [True]
    schema = StructType([StructField(name, LongType() if w else StringType(), False) for name, w in zip(header, whole)])
    return df.sparkSession.createDataFrame([[int(v) if w else v for v, w in zip(row, whole)] for row in rows], schema)


#: Steps after which a record is in as many rows as before, or in fewer, whatever other records hold.
ONCE = STEPS - {"Union"}
#: Sources whose rows are there once.
SOURCES = {"LogicalRelation", "LogicalRDD", "Range", "LocalRelation", "OneRowRelation", "CTERelationRef"}


def _protected(called: Sequence[str], ledger: str | None, dataset: str) -> list[str]:
    """What the budget or an earlier release protects, by which no rows may be chosen."""
    args = [*called, "ledger", "status", "--json", *([] if ledger is None else ["--ledger", ledger])]
    done = subprocess.run(args, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise failure(done.returncode, done.stderr)
    own = [found for found in json.loads(done.stdout)["datasets"] if read_as(found["dataset"]) == read_as(dataset)]
    return [name for found in own for name in found["protected"]]


def _check_rows(df: DataFrame, names: Sequence[str], protected: Sequence[str]) -> None:
    """That a record is not counted more often than it is charged for."""
    may = "may put a record into several rows, or choose it by what others hold, and then its count costs more than is charged"
    for node in check_steps(df, ONCE, may):
        kind = kind_of(node)
        if node.children().size() == 0 and kind not in SOURCES:
            raise DiscreetError(f"nothing shows that this source ({kind}) has a record in one row; {WAY_OUT}")
        if kind == "LogicalRelation" and not is_files(node) and "JDBC" in kind_of(node.relation()):
            if len(node.relation().parts()) > 1:
                raise DiscreetError("the table is read by several conditions, which may overlap; read it in one piece, and count that")
        files = files_of(node) if is_files(node) else []
        if len(set(files)) < len(files):
            raise DiscreetError("a file is read twice, so that its records would be counted twice; name every file once")
    lineage = Lineage(df, protected)
    for name in names:
        lineage.check_not_from_protected(df, name)


def _check(df: DataFrame, names: Sequence[str], domain: Mapping[str, Any]) -> None:
    for name in names:
        if name not in df.columns:
            raise DiscreetError(f"there is no column {name!r}; the columns are: {', '.join(df.columns)}")
        if name not in domain:
            raise DiscreetError(
                f"domain: expected all values that {name!r} may have; they are not read from the data, for that would tell which occur"
            )
        if "," in name:
            raise DiscreetError(f"by: {name!r} has a comma in its name; rename it first")
    stray = next((name for name in domain if name not in names), None)
    if stray is not None:
        raise DiscreetError(f"domain: {stray!r} is not counted by; add it to by=")


def _text(df: DataFrame, name: str) -> Column:
    """As text, by which values match; whole numbers have no point, whatever their type."""
    text = F.col("`" + name.replace("`", "``") + "`").cast("string")
    if isinstance(df.schema[name].dataType, (DoubleType, FloatType, DecimalType)):
        return F.regexp_replace(text, r"\.0+$", "")
    return text


def _cells(df: DataFrame, names: Sequence[str], domain: Mapping[str, Any]) -> list[Any]:
    """Counts of the cells of the domain that occur. What lies outside of it is left out before anything is collected."""
    texts = df.select(*[_text(df, name).alias(f"v{i}") for i, name in enumerate(names)])
    for i, name in enumerate(names):
        if len(domain[name]) <= FEW:
            texts = texts.where(F.col(f"v{i}").isin([_written(v) for v in domain[name]]))
            continue
        values = df.sparkSession.createDataFrame([(_written(v),) for v in domain[name]], f"v{i} string")
        texts = texts.join(F.broadcast(values), f"v{i}")
    return texts.groupBy(*[f"v{i}" for i in range(len(names))]).count().collect()


def _written(value: Any) -> str:
    """As Spark writes it, and whole numbers without a point."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _values(name: str, values: Sequence[Any] | range) -> str:
    if isinstance(values, range) and values.step == 1 and len(values) > 0:
        return f"{values[0]}..{values[-1]}"
    line = io.StringIO()
    # In quotes, so that 1..3 is no range.
    csv.writer(line, lineterminator="", quoting=csv.QUOTE_ALL).writerow([_written(value) for value in values])
    if len(line.getvalue()) > LONGEST:
        raise DiscreetError(f"domain: the values of {name!r} take more than {LONGEST} characters; use a range, or fewer")
    return line.getvalue()


def _csv(names: Sequence[str], cells: list[Any]) -> str:
    lines = io.StringIO()
    writer = csv.writer(lines, quoting=csv.QUOTE_ALL)
    writer.writerow([*names, ROWS])
    writer.writerows([list(cell) for cell in cells])
    return lines.getvalue()
