"""Where the columns of a DataFrame come from: which are a source's own, and what is computed from protected ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame

from ._command import DiscreetError
from ._names import read_as
from ._reading import check_reading
from ._steps import is_files, items, kind_of


class Lineage:
    """The steps of a DataFrame, from its sources on."""

    def __init__(self, df: DataFrame, protected: Sequence[str]) -> None:
        #: The name that a source gives a column, by Spark's number of it; renamed columns too.
        self._names: dict[int, str] = {}
        #: Columns that are, or are computed from, a protected one.
        self._told: set[int] = set()
        self._protected = {read_as(name) for name in protected}
        self._spark = df.sparkSession
        #: What queries that are named beforehand give, by their number.
        self._common: dict[int, list[int]] = {}
        #: The column into which a reader puts the text of rows that it cannot read.
        self._raw = df.sparkSession.conf.get("spark.sql.columnNameOfCorruptRecord", "_corrupt_record")
        plan = df._jdf.queryExecution().analyzed()
        self._walk(plan)
        self._output = [_number(column) for column in items(plan.output())]

    def columns(self, df: DataFrame) -> list[dict[str, Any]]:
        """For the driver: the name in the source, or that there is none."""
        found = []
        for field, number in zip(df.schema.fields, self._output):
            name = self._names.get(number)
            computed = name is None or name == self._raw
            # One that is protected itself is refused by the driver, in other words.
            if name is None and number in self._told and read_as(field.name) not in self._protected:
                raise DiscreetError(
                    f"{field.name!r} is computed from a protected column, and would tell true values; drop it, and compute it from "
                    "what is released"
                )
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
            if field.name == name and number in self._told and (own is None or read_as(own) != read_as(name)):
                raise DiscreetError(
                    f"{name!r} is computed from a protected column, and its counts would be charged as if it were not; "
                    "write the DataFrame to files, and count those"
                )

    def _walk(self, plan: Any) -> None:
        children = items(plan.children())
        for child in children:
            self._walk(child)
        kind = kind_of(plan)
        if not children:
            self._source(plan, kind)
            return
        if kind in SPREADING and self._spreads(plan, kind):
            raise DiscreetError(
                "repartition(n) without a column puts rows in the order of a hash of all that they hold, protected values too; "
                'name other columns, as in repartition(8, "id"), or use coalesce(n), or repartition what is released'
            )
        if kind == "Project":
            for expression in items(plan.projectList()):
                self._project(expression)
            return
        if kind == "CTERelationDef":
            self._common[plan.id()] = [_number(column) for column in items(plan.output())]
            return
        if kind in ("View", "SubqueryAlias"):
            # A view gives its columns numbers of its own.
            for column, inner in zip(items(plan.output()), items(children[0].output())):
                self._same(_number(column), _number(inner))
            return
        if kind == "Union":
            for at, column in enumerate(items(plan.output())):
                parts = [_number(items(child.output())[at]) for child in children]
                names = {self._names.get(part) for part in parts}
                if len(names) == 1 and None not in names:
                    self._names[_number(column)] = names.pop() or ""
                else:
                    self._names.pop(_number(column), None)
                if any(part in self._told for part in parts):
                    self._told.add(_number(column))
            return
        looked = [number for number in map(_number, items(plan.references().toSeq())) if number in self._told]
        if looked:
            name = self._names.get(looked[0]) or "a column computed from it"
            raise DiscreetError(
                f"a step of this DataFrame ({kind}) looks at the protected {name!r}: which rows there are, their order or "
                "their partitions would tell of it; choose, sort and partition rows by other columns"
            )

    def _source(self, plan: Any, kind: str) -> None:
        if kind == "CTERelationRef":
            for column, inner in zip(items(plan.output()), self._common[plan.cteId()]):
                self._same(_number(column), inner)
            return
        if is_files(plan):
            check_reading(self._spark, plan.relation(), self._protected, self._raw)
        for column in items(plan.output()):
            self._names[_number(column)] = column.name()
            inside = _inside(json.loads(column.dataType().json()))
            # A map or a variant may hold anything, and the text of a row that could not be read holds all of it.
            held = {read_as(name) for name in (column.name(), *inside)} & self._protected
            # Sizes and places of files depend on what they hold.
            if held or ANYTHING in inside or column.name() == self._raw or column.name().startswith("_metadata"):
                self._told.add(_number(column))

    def _spreads(self, plan: Any, kind: str) -> bool:
        """Does a step deal rows out without a column to do it by?"""
        if not any(_number(column) in self._told for column in items(plan.output())):
            return False
        return plan.shuffle() if kind == "Repartition" else plan.partitionExpressions().isEmpty()

    def _project(self, expression: Any) -> None:
        number = _number(expression)
        if kind_of(expression) != "Alias":
            return
        child = expression.child()
        # A view casts its columns to the types that it knows, even to their own; a union casts whole numbers to wider ones.
        if kind_of(child) == "Cast" and _keeps(child.child().dataType().typeName(), child.dataType().typeName()):
            child = child.child()
        if kind_of(child) == "AttributeReference":
            self._same(number, _number(child))
        elif any(_number(part) in self._told for part in items(expression.references().toSeq())):
            self._told.add(number)

    def _same(self, number: int, inner: int) -> None:
        if inner in self._names:
            self._names[number] = self._names[inner]
        if inner in self._told:
            self._told.add(number)


#: From narrow to wide.
WHOLE = ("byte", "short", "integer", "long")


def _keeps(narrow: str, wide: str) -> bool:
    """Is every value the same in the other type?"""
    return narrow == wide or (narrow in WHOLE and wide in WHOLE and WHOLE.index(narrow) < WHOLE.index(wide))


#: Steps that may deal rows out by all that they hold.
SPREADING = ("Repartition", "RepartitionByExpression", "RebalancePartitions")


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


def _number(named: Any) -> int:
    return named.exprId().id()
