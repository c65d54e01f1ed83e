"""How files may be read: what rows there are, and in which column a value lands, must not depend on what is protected."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from pyspark.sql import SparkSession

from ._command import DiscreetError
from ._names import read_as
from ._steps import items, kind_of

#: Reader options by the format's class, in small letters. Whatever else may be said to a reader is refused.
ANY = {"path", "paths", "basepath", "pathglobfilter", "recursivefilelookup", "serialization.format", "compression"}
#: Those that must be characters which no number is made of.
MARKS = {"sep", "delimiter", "quote", "escape", "linesep", "comment"}
TEXT = {"encoding", "charset", "multiline", "mode", "dateformat", "timestampformat", "timestampntzformat", "locale", "inferschema"}
OPTIONS = {
    "ParquetFileFormat": {"mergeschema"},
    "OrcFileFormat": {"mergeschema"},
    "JsonFileFormat": {*TEXT, "linesep", "primitivesasstring", "prefersdecimal"},
    "CSVFileFormat": {*TEXT, *MARKS, "header", "nullvalue", "ignoreleadingwhitespace", "ignoretrailingwhitespace"},
}
ENCODINGS = {"utf-8", "iso-8859-1", "us-ascii"}


def check_reading(spark: SparkSession, relation: Any, protected: Iterable[str], raw: str) -> None:
    """An error with the way out where files are laid out or read by what is protected."""
    own = {read_as(name) for name in protected}
    kind = kind_of(relation.fileFormat())
    if kind not in OPTIONS:
        raise DiscreetError(
            f"nothing is known of how such files are read ({kind}); write them as Parquet, ORC, CSV or JSON lines, and read those"
        )
    _check_layout(relation, own)
    _check_types(spark, relation, kind, own)
    _check_settings(spark)
    given = relation.options()
    names = items(given.keySet().toSeq())
    options = {str(name): str(given.apply(name)) for name in names}
    for name, value in options.items():
        _check_option(kind, name, value)
    if any(name.lower() == "header" and value.lower() == "true" for name, value in options.items()):
        _check_headers(spark, relation, options, raw)


def _check_option(kind: str, given: str, value: str) -> None:
    name = given.lower()
    if name not in ANY | OPTIONS[kind]:
        fault = "and what it does to protected values is not known"
    elif name == "mode" and value.upper() != "PERMISSIVE":
        fault = "so that which rows there are, or whether there is an error, may tell of protected values"
    elif name == "nullvalue" and re.search(r"\d", value):
        fault = "which would tell who has this value"
    elif name in MARKS and re.search(r"[\w.+-]", value):
        fault = "which numbers are made of; use another character"
    elif name in ("encoding", "charset") and value.lower() not in ENCODINGS:
        fault = "and in it numbers may have other bytes; write the files as UTF-8"
    else:
        return
    raise DiscreetError(f"files are read with {given}={value}, {fault}; leave it out, or write what you read to Parquet, and release that")


def _check_layout(relation: Any, protected: set[str]) -> None:
    laid = list(relation.partitionSchema().fieldNames())
    # A folder of one value of a column is a choice of rows by it.
    roots = [str(path.toUri().getPath()) for path in items(relation.location().rootPaths())]
    laid += [part.split("=")[0] for root in roots for part in root.split("/") if "=" in part]
    buckets = relation.bucketSpec()
    if buckets.isDefined():
        laid += items(buckets.get().bucketColumnNames()) + items(buckets.get().sortColumnNames())
    for name in laid:
        if read_as(name) in protected:
            raise DiscreetError(
                f"the files are laid out by the protected {name!r}, so that rows would come out ordered by it; write them "
                "without partitionBy, bucketBy and sortBy, and release those"
            )


def _check_types(spark: SparkSession, relation: Any, kind: str, protected: set[str]) -> None:
    """That protected values are read with the type that they are written in: into a narrower one some readers wrap them."""
    fields = [field for field in items(relation.dataSchema().toSeq()) if read_as(field.name()) in protected]
    for field in fields:
        narrow = field.dataType().typeName() in ("byte", "short") and kind == "JsonFileFormat"
        if narrow or field.dataType().typeName() == "float":
            raise DiscreetError(
                f"{field.name()!r} is read as {field.dataType().simpleString()}, which changes numbers that do not fit; read it as "
                "bigint, double or decimal"
            )
    files = [unquote(str(file)) for file in relation.location().inputFiles()]
    if kind != "ParquetFileFormat" or not fields or not files:
        return
    try:
        written = spark.read.option("mergeSchema", True).option("recursiveFileLookup", True).parquet(*files).schema
        types = {read_as(field.name): field.dataType.simpleString() for field in written.fields}
    except Exception:
        types = None
    for field in fields:
        if types is None or types.get(read_as(field.name()), None) not in (None, field.dataType().simpleString()):
            raise DiscreetError(
                f"{field.name()!r} is read as {field.dataType().simpleString()}, but not all files have it so, and their values would "
                "be changed; write them with one type first, and leave out a schema of your own"
            )


#: Settings by which rows go missing, or columns are found otherwise than by their names.
SETTINGS = (
    "spark.sql.files.ignoreCorruptFiles",
    "spark.sql.files.ignoreMissingFiles",
    "spark.sql.parquet.fieldId.read.enabled",
    "orc.force.positional.evolution",
)


def _check_settings(spark: SparkSession) -> None:
    hadoop = spark._jsparkSession.sessionState().newHadoopConf()  # type: ignore[attr-defined]
    for name in SETTINGS:
        value = spark.conf.get(name, "false") if name.startswith("spark.") else hadoop.get(name, "false")
        if str(value).lower() == "true":
            raise DiscreetError(
                f"{name} is on, so that rows may be missing for what they hold, or another column be protected; turn it off"
            )


def _check_headers(spark: SparkSession, relation: Any, options: dict[str, str], raw: str) -> None:
    """A schema goes by position, whatever the header says: the wrong column would be protected."""
    plain = {name: value for name, value in options.items() if name.lower() not in ("path", "paths", "inferschema")}
    stated = [read_as(name) for name in relation.dataSchema().fieldNames() if name != raw]
    for file in relation.location().inputFiles():
        found = [read_as(name) for name in spark.read.options(**plain).csv(unquote(str(file))).columns]
        # One without a header has no rows.
        if found and found[: len(stated)] != stated:
            raise DiscreetError(
                "the header of a CSV names its columns otherwise than the schema does, which goes by their place; read such "
                "files each by itself, with a schema in the order of the header"
            )
