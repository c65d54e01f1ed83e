"""Releases of DataFrames: charged once on the driver, carried out in tasks that may be run again."""

from __future__ import annotations

import json
import numbers
import os
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Union

from pyspark import cloudpickle
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    CalendarIntervalType,
    DataType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    IntegralType,
    LongType,
    MapType,
    NullType,
    NumericType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
    YearMonthIntervalType,
)

from ._command import DiscreetError, check_frame, command_of, version_of
from ._driver import Session
from ._ids import check_ids
from ._lineage import Lineage
from ._partition import PARTITION, joined, partition_function
from ._pinned import pin

Number = Union[int, float, str]
Path = Union[str, "os.PathLike[str]"]


#: So many rows are one task's.
ROWS_A_TASK = 1_000_000


class Release:
    """A release of a DataFrame, as a context: inside of it the released DataFrame can be computed, outside it fails.

    ``result`` tells afterwards what it cost, in which entry, and where the mechanism files are.
    """

    def __init__(self, df: DataFrame, columns: str | Sequence[str] | Mapping[str, Path | None], options: _Options) -> None:
        self._df = df
        check_frame(df)
        names = [columns] if isinstance(columns, str) else columns
        self._columns: Mapping[str, Path | None] = names if isinstance(names, Mapping) else dict.fromkeys(names)
        for name, mechanism in self._columns.items():
            if mechanism is not None and not isinstance(mechanism, (str, os.PathLike)):
                raise DiscreetError(f'columns: expected a mechanism file for {name!r}, as in {{"{name}": "mechanism.json"}}; ε goes to epsilon=')
        self._options = options
        self._session: Session | None = None
        self._shared: Any = None
        self.result: dict[str, Any] | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise DiscreetError(f"a release is used in a block: with release(…) as released: released.{name}…")

    def __enter__(self) -> DataFrame:
        df, options = self._df, self._options
        if self._session or self.result is not None:
            raise DiscreetError("a release is done once; call release() again for another, which costs again")
        context = _context(df)
        _check_types(df, tuple(self._columns))
        # Tasks carry this package along: executors need the command, and nothing of Python but pyarrow.
        cloudpickle.register_pickle_by_value(sys.modules[__package__ or "discreet_spark"])
        command = command_of(options.command)
        version = version_of(command)
        by_partition = options.id is None
        if options.pinned is not None and by_partition:
            raise DiscreetError("pinned= says nothing of partitions; name an id, or release a checkpoint() without pinned=")
        _check_threshold(context)
        self._pin = pin(df, by_partition, options.pinned)
        words = self._pin.words
        session = Session(command, self._arguments(words))
        try:
            # What the budget or the options speak against is told before the cluster is asked for anything.
            protected = session.ready()
            # Rows must not be chosen or ordered by anything that the budget protects, whether it is released now or not.
            Lineage(df, (*self._columns, *protected)).columns(df)
            _check_executors(context, command, version)
            _check_arrow(df)
            self._rows = df.count() if options.id is None else check_ids(df, options.id)
        except BaseException:
            session.stop()
            raise
        session.charge()
        self._session = session
        try:
            half = os.urandom(32)
            self._tasks = context.accumulator(0)
            self._shared = context.broadcast((session.job, joined(bytes(session.key), half)))
            whole = options.id is None or options.part is not None
            run = partition_function(command, half, self._shared, options.id, tuple(self._columns), whole, self._tasks)
            ready = df.withColumn(PARTITION, F.spark_partition_id()) if by_partition else self._in_order(df)
            return ready.mapInArrow(run, self._schema())
        except BaseException as error:
            self._stop(type(error).__name__)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            entry = self._session.entry if self._session else None
            self._stop(kind.__name__)
            if entry is not None:
                warnings.warn(f"the block failed; entry {entry} of the ledger stays spent, and another release costs again", stacklevel=2)
            return
        session = self._session
        assert session is not None
        try:
            self._pin.check()
        except BaseException:
            self._stop("the input was changed")
            raise
        if self._rows and self._tasks.value == 0:
            self._stop("nothing was computed")
            raise DiscreetError(
                "no partition of the released DataFrame was computed to its end, so nothing counts as released; write it inside of "
                "the block (show() and limit() read only a beginning). The entry stays spent"
            )
        # What completes the key is gone from the cluster before the entry is settled.
        try:
            self._shared.destroy()
        except BaseException:
            self._stop("Spark was stopped inside of the block")
            raise
        self._session = None
        self.result = session.complete(self._rows)

    def _stop(self, reason: str) -> None:
        session, self._session, self.result = self._session, None, {}
        try:
            if self._shared is not None:
                self._shared.destroy()
        except Exception:
            pass  # Where Spark is gone, so is the broadcast.
        finally:
            if session is not None:
                session.abort(reason)

    def _in_order(self, df: DataFrame) -> DataFrame:
        """Rows dealt out and sorted by their ids: Spark takes files by their sizes, which depend on what they hold."""
        if self._options.input_order:
            return df
        id = "`" + str(self._options.id).replace("`", "``") + "`"
        stated = str(df.sparkSession.conf.get("spark.sql.shuffle.partitions", "200"))
        most = int(stated) if stated.isdigit() else 200
        return df.repartition(max(1, min(most, self._rows // ROWS_A_TASK + 1)), F.col(id)).sortWithinPartitions(F.col(id))

    def _arguments(self, pinned: str) -> list[str]:
        options = self._options
        if options.input_order:
            pinned += "; rows in the order in which Spark reads the input, as the publisher said"
        fields = self._df.schema.fields
        lineage = Lineage(self._df, tuple(self._columns))
        if options.id is not None:
            lineage.check_own(self._df, options.id)
        origins = lineage.columns(self._df)
        schema = [{**origin, "inside": _inside(field.dataType), "oneText": isinstance(field.dataType, ONE_TEXT)} for field, origin in zip(fields, origins)]
        args = ["--pinned", pinned, "--schema", json.dumps(schema), "--input", self._pin.name]
        for name, mechanism in self._columns.items():
            args += ["--column", name if mechanism is None else f"{name}={os.fspath(mechanism)}"]
        for flag, value in options.flags().items():
            args += [flag, str(value)]
        for flag, many in options.lists().items():
            for value in many:
                args += [flag, str(value)]
        return args + (["--skip-invalid"] if options.skip_invalid else []) + (["--force"] if options.force else [])

    def _schema(self) -> StructType:
        types = {column["name"]: _type_of(column) for column in json.loads(self._session.job)["columns"]}  # type: ignore[union-attr]
        return StructType(
            [
                # What is noted beside a protected column was computed from true values.
                StructField(f.name, types[f.name], True) if f.name in types else StructField(f.name, f.dataType, True, f.metadata)
                for f in self._df.schema.fields
            ]
        )


#: Given once for all columns, or by column.
BY_COLUMN = ("epsilon", "delta", "adjacency", "step", "clamp", "round_to")


class _Options:
    def __init__(self, **given: Any) -> None:
        self.id: str | None = given.pop("id")
        self.pinned: str | None = given.pop("pinned")
        self.command = given.pop("command")
        self.input_order: bool = given.pop("input_order")
        self.part: str | None = given["part"]
        self.skip_invalid: bool = given.pop("skip_invalid")
        self.force: bool = given.pop("force")
        passed = given.pop("passed")
        self._passed: list[str] = [passed] if isinstance(passed, str) else list(passed)
        self._lists = {f"--{name.replace('_', '-')}": given.pop(name) for name in BY_COLUMN}
        self._given = given

    def flags(self) -> dict[str, Any]:
        """Options with a value, as the command calls them."""
        given = {"id": self.id, **self._given}
        return {f"--{name.replace('_', '-')}": value for name, value in given.items() if value is not None}

    def lists(self) -> dict[str, list[str]]:
        """Options that may be repeated."""
        found = {flag: _texts(value) for flag, value in self._lists.items() if value is not None}
        return {"--pass": self._passed, **found}


def _texts(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{name}={_text(own)}" for name, own in value.items()]
    return [_text(value)] if isinstance(value, (str, numbers.Number, tuple)) else [str(item) for item in value]


def _text(value: Any) -> str:
    return ",".join(str(part) for part in value) if isinstance(value, (tuple, list)) else str(value)


def release(
    df: DataFrame,
    columns: str | Sequence[str] | Mapping[str, Path | None],
    *,
    id: str | None,
    dataset: str,
    ledger: str | None = None,
    epsilon: Number | Mapping[str, Number] | None = None,
    delta: Number | Mapping[str, Number] | None = None,
    adjacency: Number | Mapping[str, Number] | None = None,
    step: Number | Mapping[str, Number] | None = None,
    prior: str | None = None,
    family: str | None = None,
    per_person: int | None = None,
    part: str | None = None,
    clamp: Any = None,
    round_to: Any = None,
    passed: Sequence[str] = (),
    skip_invalid: bool = False,
    pinned: str | None = None,
    output: Path | None = None,
    report: Path | None = None,
    force: bool = False,
    input_order: bool = False,
    command: Sequence[str] | str | None = None,
) -> Release:
    """A release of ``df``: ``with release(df, {"visits": "m.json"}, id="id", dataset="visits") as released: released.write…``

    ``columns`` are the names of those to protect, each with its mechanism file, or without where ``epsilon`` makes
    the noise; one ``epsilon`` is for all of them together, ``{"visits": 0.5, "age": 0.2}`` gives each its own, and so it is with ``adjacency`` and ``step``. ``id`` names the column that tells rows apart, or is None for a reliable checkpoint. ``output`` is the
    name beside which mechanism files are written on the driver. Rows come out by their ids; ``input_order=True`` leaves
    them as Spark reads them, which saves a shuffle and may tell of the sizes of files. The rest is as with ``discreet release``.
    """
    options = _Options(**{name: value for name, value in locals().items() if name not in ("df", "columns")})
    return Release(df, columns, options)


def _check_types(df: DataFrame, names: Sequence[str]) -> None:
    """What can be known of types before anything is charged."""
    twice = next((name for name in df.columns if df.columns.count(name) > 1), None)
    if twice is not None:
        raise DiscreetError(f"two columns are called {twice!r}; give each a name of its own")
    for field in df.schema.fields:
        if isinstance(field.dataType, (YearMonthIntervalType, CalendarIntervalType)):
            raise DiscreetError(f"{field.name!r} is an interval, which Spark cannot hand to Python; drop it, or cast it to text")
        if field.name in names and not isinstance(field.dataType, (IntegralType, DoubleType, DecimalType, StringType)):
            raise DiscreetError(
                f"{field.name!r} is of type {field.dataType.simpleString()}; expected whole numbers, double, decimal, or text that is numbers"
            )


def _context(df: DataFrame) -> Any:
    try:
        return df.sparkSession.sparkContext
    except Exception:
        raise DiscreetError(
            "Spark Connect has no closures that stay off its server's disk; release from a session with a SparkContext"
        ) from None


#: A closure of a release is far below it.
LEAST_THRESHOLD = 1 << 18


def _check_threshold(context: Any) -> None:
    """Closures that are larger than Spark's threshold travel by broadcast, which lands on disk."""
    threshold = context.getConf().get("spark.broadcast.UDFCompressionThreshold", str(1 << 20))
    if not threshold.isdigit() or int(threshold) < LEAST_THRESHOLD:
        raise DiscreetError(
            f"spark.broadcast.UDFCompressionThreshold is {threshold}, so that half of the key would go through a file; "
            f"set it to {LEAST_THRESHOLD} or more, or leave it out"
        )


def _check_executors(context: Any, command: list[str], version: str) -> None:
    def look(_: Any) -> list[str]:
        try:
            return [version_of(command)]
        except DiscreetError as error:
            return [f"! {error}"]

    tasks = max(context.defaultParallelism, 1)
    for found in context.parallelize(range(tasks), tasks).mapPartitions(look).collect():
        if found.startswith("! "):
            raise DiscreetError(f"on an executor: {found[2:]}")
        if found != version:
            raise DiscreetError(
                f"an executor has discreet {found}, the driver {version}: noise is the same only where the program is; "
                "install one version on all machines"
            )


def _check_arrow(df: DataFrame) -> None:
    """That rows reach Python as Arrow batches on every executor, which takes packages there, as many as this Spark needs: a job on rows of its own."""
    spark = df.sparkSession
    tasks = max(spark.sparkContext.defaultParallelism, 1)
    try:
        spark.range(0, tasks, 1, tasks).mapInArrow(_as_they_are, "id bigint").collect()
    except Exception as error:
        found = re.search(r"No module named '([A-Za-z0-9_]+)|(PyArrow|Pandas) >= [0-9.]+ must be installed", str(error))
        lacks = found and (found[1] or found[0])
        raise DiscreetError(
            f"on an executor: Spark cannot hand rows to Python{f', for it lacks {lacks}' if lacks else ''}; "
            "install pyarrow and pandas on the driver and on every executor. Nothing was released or charged"
        ) from error


def _as_they_are(batches: Any) -> Any:
    yield from batches


def _type_of(column: Mapping[str, Any]) -> DataType:
    """As the command writes the column."""
    places = int(column["places"])
    return LongType() if places == 0 else DecimalType(int(column["digits"]), places)


#: Types whose values have one text, whatever they are read from: a part is known by it.
ONE_TEXT = (StringType, IntegralType)

#: Types of one value.
PLAIN = (
    *(NumericType, StringType, BooleanType, DateType, TimestampType, TimestampNTZType, BinaryType, DayTimeIntervalType, NullType),
)


def _inside(kind: DataType) -> list[str]:
    """Names within a nested type; a mark where it has none."""
    if isinstance(kind, StructType):
        return [name for f in kind.fields for name in (f.name, *_inside(f.dataType))] or ["struct"]
    if isinstance(kind, ArrayType):
        return ["element", *_inside(kind.elementType)]
    if isinstance(kind, MapType):
        return ["key", "value", *_inside(kind.keyType), *_inside(kind.valueType)]
    return [] if isinstance(kind, PLAIN) else ["value"]
