"""Where the columns of a DataFrame come from: which are a source's own, and what is computed from protected ones."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame

from ._command import DiscreetError


class Lineage:
    """The steps of a DataFrame, from its sources on."""

    def __init__(self, df: DataFrame, protected: Sequence[str]) -> None:
        #: The name that a source gives a column, by Spark's number of it; renamed columns too.
        self._names: dict[int, str] = {}
        #: Columns that are, or are computed from, a protected one.
        self._told: set[int] = set()
        self._protected = {_read(name) for name in protected}
        self._spark = df.sparkSession
        #: What queries that are named beforehand give, by their number.
        self._common: dict[int, list[int]] = {}
        #: Columns into which a reader puts the text of rows that it cannot read.
        self._raw = {df.sparkSession.conf.get("spark.sql.columnNameOfCorruptRecord", "_corrupt_record")}
        plan = df._jdf.queryExecution().analyzed()
        self._walk(plan)
        self._output = [_number(column) for column in _items(plan.output())]

    def columns(self, df: DataFrame) -> list[dict[str, Any]]:
        """For the driver: the name in the source, or that there is none."""
        found = []
        for field, number in zip(df.schema.fields, self._output):
            name = self._names.get(number)
            computed = name is None or name in self._raw
            found.append({"name": field.name, "of": name, "computed": computed})
        return found

    def check_own(self, df: DataFrame, name: str) -> None:
        """That an id is a source's own: from one that is computed, a record could get several."""
        for field, number in zip(df.schema.fields, self._output):
            if field.name == name and number not in self._names:
                raise DiscreetError(
                    f"{name!r} is computed, so that nothing shows that a record has one; name a column of the input itself, "
                    "or write the DataFrame to files, or checkpoint() it, and release that"
                )

    def check_not_from_protected(self, df: DataFrame, name: str) -> None:
        """That a column is a protected one itself, or has nothing of one."""
        for field, number in zip(df.schema.fields, self._output):
            own = self._names.get(number)
            if field.name == name and number in self._told and (own is None or _read(own) != _read(name)):
                raise DiscreetError(
                    f"{name!r} is computed from a protected column, and its counts would be charged as if it were not; "
                    "write the DataFrame to files, and count those"
                )

    def _walk(self, plan: Any) -> None:
        children = _items(plan.children())
        for child in children:
            self._walk(child)
        kind = plan.getClass().getSimpleName()
        if not children:
            self._source(plan, kind)
            return
        for inner in _items(plan.subqueries()):
            self._inside(inner)
        if kind in SPREADING and self._spreads(plan, kind):
            raise DiscreetError(
                "repartition(n) without a column puts rows in the order of a hash of all that they hold, protected values too; "
                'name other columns, as in repartition(8, "id"), or use coalesce(n), or repartition what is released'
            )
        if kind == "Project":
            for expression in _items(plan.projectList()):
                self._project(expression)
            return
        if kind == "CTERelationDef":
            self._common[plan.id()] = [_number(column) for column in _items(plan.output())]
            return
        if kind in ("View", "SubqueryAlias"):
            # A view gives its columns numbers of its own.
            for column, inner in zip(_items(plan.output()), _items(children[0].output())):
                self._same(_number(column), _number(inner))
            return
        if kind == "Union":
            for at, column in enumerate(_items(plan.output())):
                parts = [_number(_items(child.output())[at]) for child in children]
                names = {self._names.get(part) for part in parts}
                if len(names) == 1 and None not in names:
                    self._names[_number(column)] = names.pop() or ""
                else:
                    self._names.pop(_number(column), None)
                if any(part in self._told for part in parts):
                    self._told.add(_number(column))
            return
        looked = [number for number in map(_number, _items(plan.references().toSeq())) if number in self._told]
        if looked:
            name = self._names.get(looked[0]) or "a column computed from it"
            raise DiscreetError(
                f"a step of this DataFrame ({kind}) looks at the protected {name!r}: which rows there are, their order or "
                "their partitions would tell of it; choose, sort and partition rows by other columns"
            )

    def _source(self, plan: Any, kind: str) -> None:
        if kind == "CTERelationRef":
            for column, inner in zip(_items(plan.output()), self._common[plan.cteId()]):
                self._same(_number(column), inner)
            return
        is_files = kind == "LogicalRelation" and plan.relation().getClass().getSimpleName() == "HadoopFsRelation"
        if is_files:
            self._files(plan.relation())
        for column in _items(plan.output()):
            self._names[_number(column)] = column.name()
            inside = _inside(json.loads(column.dataType().json()))
            # A map or a variant may hold anything, and the text of a row that could not be read holds all of it.
            held = {_read(name) for name in (column.name(), *inside)} & self._protected
            # Sizes and places of files depend on what they hold.
            if held or ANYTHING in inside or column.name() in self._raw or column.name().startswith("_metadata"):
                self._told.add(_number(column))

    def _files(self, relation: Any) -> None:
        """How files are laid out and read must not depend on what is protected."""
        laid = list(relation.partitionSchema().fieldNames())
        buckets = relation.bucketSpec()
        if buckets.isDefined():
            laid += _items(buckets.get().bucketColumnNames()) + _items(buckets.get().sortColumnNames())
        for name in laid:
            if _read(name) in self._protected:
                raise DiscreetError(
                    f"the files are laid out by the protected {name!r}, so that rows would come out ordered by it; write them "
                    "without partitionBy, bucketBy and sortBy, and release those"
                )
        given = relation.options()
        options = {str(name).lower(): str(given.apply(name)) for name in _keys(given)}
        if "columnnameofcorruptrecord" in options:
            self._raw.add(options["columnnameofcorruptrecord"])
        if options.get("mode", "").upper() == "DROPMALFORMED":
            raise DiscreetError(
                "the files are read with mode=DROPMALFORMED, so that which rows there are may tell of protected values; leave it out"
            )
        for name in ("nullvalue", "nanvalue", "emptyvalue", "positiveinf", "negativeinf"):
            if re.fullmatch(r"\s*[+-]?[\d.]+\s*", options.get(name, "")):
                raise DiscreetError(f"the files are read with {name}={options[name]}, which would tell who has this value; leave it out")
        for name in ("comment", "quote", "escape", "sep", "delimiter", "linesep", "chartoescapequoteescaping"):
            if re.search(r"[\d.+-]", options.get(name, "")):
                raise DiscreetError(f"the files are read with {name}={options[name]}, which numbers are made of; use another character")
        for name in ("ignorecorruptfiles", "ignoremissingfiles"):
            if options.get(name, "").lower() == "true" or self._conf(f"spark.sql.files.{NAMED[name]}"):
                raise DiscreetError(f"files are read with {NAMED[name]}, so that rows may be missing, for what they hold; leave it out")
        if (
            options.get("orc.force.positional.evolution", "").lower() == "true"
            or self._hadoop("orc.force.positional.evolution")
            or self._conf("spark.sql.parquet.fieldId.read.enabled")
        ):
            raise DiscreetError(
                "columns are read by place or number instead of their names (orc.force.positional.evolution, "
                "spark.sql.parquet.fieldId.read.enabled), so that another one might be protected; leave that out"
            )
        if options.get("header", "").lower() == "true" and "CSV" in relation.fileFormat().getClass().getSimpleName():
            self._check_header(relation)

    def _check_header(self, relation: Any) -> None:
        """A schema goes by position, whatever the header says: the wrong column would be protected."""
        given = relation.options()
        options = {name: str(given.apply(name)) for name in _keys(given) if name.lower() not in ("path", "paths", "inferschema")}
        stated = [_read(name) for name in relation.dataSchema().fieldNames() if name not in self._raw]
        for file in relation.location().inputFiles():
            found = [_read(name) for name in self._spark.read.options(**options).csv(str(file)).columns]
            # One without a header has no rows.
            if found and [name for name in found if name in self._protected or name in stated][: len(stated)] != stated:
                raise DiscreetError(
                    "the header of a CSV names its columns otherwise than the schema does, which goes by their place; read such "
                    "files each by itself, with a schema in the order of the header"
                )

    def _conf(self, name: str) -> bool:
        return str(self._spark.conf.get(name, "false")).lower() == "true"

    def _hadoop(self, name: str) -> bool:
        configuration = self._spark._jsparkSession.sessionState().newHadoopConf()
        return str(configuration.get(name, "false")).lower() == "true"

    def _inside(self, plan: Any) -> None:
        """A query inside of an expression must not look at what is protected, nor give it."""
        self._walk(plan)
        given = [number for number in map(_number, _items(plan.output())) if number in self._told]
        if given or any(number in self._told for number in _outer(plan)):
            raise DiscreetError(
                "a query inside of this DataFrame looks at a protected column: which rows there are would tell of it; choose "
                "rows by other columns"
            )

    def _spreads(self, plan: Any, kind: str) -> bool:
        """Does a step deal rows out without a column to do it by?"""
        if not any(_number(column) in self._told for column in _items(plan.output())):
            return False
        return plan.shuffle() if kind == "Repartition" else plan.partitionExpressions().isEmpty()

    def _project(self, expression: Any) -> None:
        number = _number(expression)
        if expression.getClass().getSimpleName() != "Alias":
            return
        child = expression.child()
        # A view casts its columns to the types that it knows, even to their own.
        if child.getClass().getSimpleName() == "Cast" and child.child().dataType().json() == child.dataType().json():
            child = child.child()
        if child.getClass().getSimpleName() == "AttributeReference":
            self._same(number, _number(child))
        elif any(_number(part) in self._told for part in _items(expression.references().toSeq())):
            self._told.add(number)

    def _same(self, number: int, inner: int) -> None:
        if inner in self._names:
            self._names[number] = self._names[inner]
        if inner in self._told:
            self._told.add(number)


#: Options as Spark writes them.
NAMED = {"ignorecorruptfiles": "ignoreCorruptFiles", "ignoremissingfiles": "ignoreMissingFiles"}

#: Steps that may deal rows out by all that they hold.
SPREADING = ("Repartition", "RepartitionByExpression", "RebalancePartitions")


def _read(name: str) -> str:
    """A name as people read it: letters and digits."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", name).casefold() if letter.isalnum()) or name


#: Stands for what has no names of its own.
ANYTHING = "*"


def _inside(kind: Any) -> list[str]:
    """Names within a type, as Spark writes it in JSON."""
    if not isinstance(kind, dict):
        return [ANYTHING] if kind == "variant" else []
    if kind["type"] == "struct":
        return [name for f in kind["fields"] for name in (f["name"], *_inside(f["type"]))]
    if kind["type"] == "array":
        return _inside(kind["elementType"])
    return [ANYTHING]


def _keys(options: Any) -> list[Any]:
    names = options.keySet().toSeq()
    return [names.apply(i) for i in range(names.size())]


def _outer(plan: Any) -> list[int]:
    """Columns of the query around it that a query refers to."""
    waiting = [part for node in _steps(plan) for part in _items(node.expressions())]
    found = []
    while waiting:
        expression = waiting.pop()
        if expression.getClass().getSimpleName() == "OuterReference":
            found.append(_number(expression))
        waiting += _items(expression.children())
    return found


def _steps(plan: Any) -> list[Any]:
    return [plan] + [step for child in _items(plan.children()) for step in _steps(child)]


def _items(sequence: Any) -> list[Any]:
    return [sequence.apply(i) for i in range(sequence.size())]


def _number(named: Any) -> int:
    return named.exprId().id()
