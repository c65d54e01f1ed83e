"""What a DataFrame may be made of: few steps and expressions, which give the same rows whenever they are computed."""

from __future__ import annotations

import re
from typing import Any

from pyspark.sql import DataFrame

from ._command import DiscreetError

WAY_OUT = (
    "write it to files and read those, or call checkpoint() on it after spark.sparkContext.setCheckpointDir(…), "
    "and go on from there"
)

#: Steps that take rows as they are, leave some out, or put them in another place.
STEPS = {
    *("Project", "Filter", "Sort", "Union", "SubqueryAlias", "View", "WithCTE", "CTERelationDef", "ResolvedHint"),
    *("Repartition", "RepartitionByExpression", "RebalancePartitions"),
}

#: What rows may be chosen, sorted and extended by. Functions of Python, Java and Scala, the time, and chance are not here.
EXPRESSIONS = {
    *("AttributeReference", "Alias", "Literal", "SortOrder", "Cast", "UpCast", "And", "Or", "Not", "In", "InSet", "Between"),
    *("EqualTo", "EqualNullSafe", "LessThan", "LessThanOrEqual", "GreaterThan", "GreaterThanOrEqual", "IsNull", "IsNotNull"),
    *("Add", "Subtract", "Multiply", "Divide", "IntegralDivide", "Remainder", "Pmod", "UnaryMinus", "UnaryPositive", "Abs"),
    *("Floor", "Ceil", "Round", "BRound", "RoundCeil", "RoundFloor", "Least", "Greatest", "Signum", "Sqrt", "Pow", "Exp", "Log"),
    *("Coalesce", "If", "CaseWhen", "Nvl", "Nvl2", "NullIf", "Upper", "Lower", "InitCap", "Length", "Substring", "SubstringIndex"),
    *("Left", "Right", "Concat", "ConcatWs", "StringTrim", "StringTrimLeft", "StringTrimRight", "StringTrimBoth", "StringLPad"),
    *("StringRPad", "StringReplace", "StringSplit", "StringInstr", "StringTranslate", "Like", "ILike", "RLike", "StartsWith"),
    *("EndsWith", "Contains", "RegExpExtract", "RegExpReplace", "Year", "Quarter", "Month", "WeekOfYear", "DayOfMonth"),
    *("DayOfWeek", "DayOfYear", "WeekDay", "Hour", "Minute", "Second", "LastDay", "DateAdd", "DateSub", "DateDiff", "AddMonths"),
    *("MonthsBetween", "TruncDate", "TruncTimestamp", "DateFormatClass", "MakeDate", "ParseToDate", "ParseToTimestamp"),
    *("GetStructField", "GetArrayItem", "GetMapValue", "ElementAt", "Size", "ArrayContains", "CreateArray", "CreateMap"),
    *("CreateNamedStruct", "Md5", "Sha1", "Sha2", "XxHash64", "Murmur3Hash", "Crc32", "Hex", "BitwiseAnd", "BitwiseOr"),
    *("AtLeastNNonNulls", "ArrayJoin", "With", "CommonExpressionRef", "CommonExpressionDef", "IsNaN", "NaNvl", "FromUnixTime"),
    *("SecondsToTimestamp", "MakeTimestamp", "TimestampDiff", "TimestampAdd", "TimestampAddInterval", "TimeAdd", "DateAddInterval"),
    *("MakeDTInterval", "MakeYMInterval", "MakeInterval", "BitwiseXor", "BitwiseNot", "ShiftLeft", "ShiftRight", "Reverse"),
    *("StringRepeat", "FormatString", "FormatNumber", "ToCharacter", "ToNumber", "Base64", "UnBase64", "Ascii", "Rint", "Levenshtein"),
    *("GetJsonObject", "DateFromUnixDate", "UnixDate", "UnixTimestamp", "ToUnixTimestamp"),
}


def check_steps(df: DataFrame, allowed: frozenset[str] | set[str], may: str) -> list[Any]:
    """All steps of a DataFrame and its sources; an error with the way out where one of them is none of the allowed."""
    nodes = nodes_of(df._jdf.queryExecution().analyzed())
    for node in nodes:
        kind = kind_of(node)
        if node.children().size() > 0 and kind not in allowed:
            raise DiscreetError(f"a step of this DataFrame ({kind}) {may}; {WAY_OUT}")
        if node.subqueries().size() > 0:
            raise DiscreetError(f"a query inside of an expression of this DataFrame {may}; {WAY_OUT}")
        # From the innermost on, so that the one is named that is to blame.
        for expression in reversed(_expressions(node)):
            _check_expression(expression, may)
    return nodes


def nodes_of(plan: Any) -> list[Any]:
    """All steps of a plan."""
    return [plan] + [node for child in items(plan.children()) for node in nodes_of(child)]


def is_files(node: Any) -> bool:
    """Is a source made of files?"""
    return kind_of(node) == "LogicalRelation" and kind_of(node.relation()) == "HadoopFsRelation"


def items(sequence: Any) -> list[Any]:
    """A sequence of Scala as a list."""
    return [sequence.apply(i) for i in range(sequence.size())]


def kind_of(node: Any) -> str:
    """The name of its class."""
    return node.getClass().getSimpleName().removesuffix("$")


def _expressions(node: Any) -> list[Any]:
    found, waiting = [], items(node.expressions())
    while waiting:
        expression = waiting.pop()
        found.append(expression)
        waiting += items(expression.children())
    return found


def _check_expression(expression: Any, may: str) -> None:
    kind = kind_of(expression)
    if kind not in EXPRESSIONS or not expression.deterministic():
        raise DiscreetError(f"an expression of this DataFrame ({kind}) {may}; {WAY_OUT}")
    # A text such as 'now' becomes the time when it is made one, and '10:00' takes its date from today.
    kinds = ("date", "timestamp", "timestamp_ntz")
    if expression.dataType().typeName() in kinds and kind in ("Cast", "ParseToDate", "ParseToTimestamp"):
        text = expression.children().apply(0)
        if text.dataType().typeName() != "string" or expression.children().size() > 1:
            return
        is_date = kind_of(text) == "Literal" and re.match(r"\s*\d{4}-\d", text.toString()) is not None
        from_rows = expression.dataType().typeName() == "date" and not text.foldable()
        if not is_date and not from_rows:
            raise DiscreetError(f"an expression of this DataFrame (the time of day) {may}; {WAY_OUT}")
