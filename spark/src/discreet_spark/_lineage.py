"""Where the columns of a DataFrame come from: which are a source's own, and what is computed from protected ones."""

from __future__ import annotations

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
        self._protected = {name.lower() for name in protected}
        plan = df._jdf.queryExecution().analyzed()
        self._walk(plan)
        self._output = [_number(column) for column in _items(plan.output())]

    def columns(self, df: DataFrame) -> list[dict[str, Any]]:
        """For the driver: the name in the source, or that there is none."""
        found = []
        for field, number in zip(df.schema.fields, self._output):
            name = self._names.get(number)
            found.append({"name": field.name, "of": name, "computed": name is None})
        return found

    def check_own(self, df: DataFrame, name: str) -> None:
        """That an id is a source's own: from one that is computed, a record could get several."""
        for field, number in zip(df.schema.fields, self._output):
            if field.name == name and number not in self._names:
                raise DiscreetError(
                    f"{name!r} is computed, so that nothing shows that a record has one; name a column of the input itself, "
                    "or write the DataFrame to files, or checkpoint() it, and release that"
                )

    def _walk(self, plan: Any) -> None:
        children = _items(plan.children())
        for child in children:
            self._walk(child)
        if not children:
            for column in _items(plan.output()):
                self._names[_number(column)] = column.name()
                if column.name().lower() in self._protected:
                    self._told.add(_number(column))
            return
        kind = plan.getClass().getSimpleName()
        if kind == "Project":
            for expression in _items(plan.projectList()):
                self._project(expression)
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

    def _project(self, expression: Any) -> None:
        number = _number(expression)
        if expression.getClass().getSimpleName() != "Alias":
            return
        child = expression.child()
        if child.getClass().getSimpleName() == "AttributeReference":
            self._same(number, _number(child))
        elif any(_number(part) in self._told for part in _items(expression.references().toSeq())):
            self._told.add(number)

    def _same(self, number: int, inner: int) -> None:
        if inner in self._names:
            self._names[number] = self._names[inner]
        if inner in self._told:
            self._told.add(number)


def _items(sequence: Any) -> list[Any]:
    return [sequence.apply(i) for i in range(sequence.size())]


def _number(named: Any) -> int:
    return named.exprId().id()
