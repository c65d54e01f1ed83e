"""No two rows of a release may have one id, and none may be without."""

from __future__ import annotations

import os

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ByteType, IntegerType, LongType, ShortType, StringType

from ._command import DiscreetError

#: Numbers so close together are marked in bitmaps, a bit each.
SPARSEST = 64


def check_ids(df: DataFrame, name: str) -> int:
    """The number of rows; an error where an id is missing or there twice."""
    field = next((field for field in df.schema.fields if field.name == name), None)
    if field is None:
        raise DiscreetError(f"there is no column {name!r}; the columns are: {', '.join(df.columns)}")
    if not isinstance(field.dataType, (ByteType, ShortType, IntegerType, LongType, StringType)):
        raise DiscreetError(f"{name!r} is of type {field.dataType.simpleString()}; expected whole numbers or text as id")
    whole = not isinstance(field.dataType, StringType)
    own = F.col("`" + name.replace("`", "``") + "`")
    # All widths alike, so that they are hashed alike.
    ids = df.select((own.cast("bigint") if whole else own).alias("id"))
    seed = int.from_bytes(os.urandom(7), "big")
    ends = [F.min("id").cast("decimal(38,0)"), F.max("id").cast("decimal(38,0)")] if whole else [F.lit(0), F.lit(0)]
    found = ids.agg(F.count(F.lit(1)), F.count("id"), *ends, _mixed(seed)).first()
    rows, known, low, high, mixed = found  # type: ignore[misc]
    if known < rows:
        raise DiscreetError(
            f"a row has no {name!r}; expected one in every row, for its noise depends on it; fill it in, or leave such rows out"
        )
    if rows == 0:
        return 0
    if whole and high - low + 1 == rows:
        # As many numbers as there are from the lowest to the highest: each once, or the mixture is another.
        all_of_them = df.sparkSession.range(int(low), int(high) + 1)
        twice = all_of_them.agg(_mixed(seed)).first()[0] != mixed  # type: ignore[index]
    elif whole and high - low < SPARSEST * rows:
        twice = _marked(ids) < rows
    else:
        twice = _hashed_twice(ids)
    if twice:
        raise DiscreetError(
            f"a value of {name!r} is there twice; expected one of its own in every row, for rows with one id would share "
            "their noise; write the DataFrame to files without what is there twice, name another column, or checkpoint() and use id=None"
        )
    return rows


def _mixed(seed: int) -> Column:
    """All ids in 64 bits, by a hash that nobody foresees: two lists differ in it where a number is there oddly often in one alone."""
    return F.bit_xor(F.xxhash64("id", F.lit(seed)))


def _marked(ids: DataFrame) -> int:
    """How many different numbers there are, by a bit for each."""
    bucket = F.bitmap_bucket_number(F.col("id"))
    bits = F.bitmap_construct_agg(F.bitmap_bit_position(F.col("id")))
    marked = ids.groupBy(bucket.alias("bucket")).agg(F.bitmap_count(bits).alias("n"))
    return marked.agg(F.sum("n")).first()[0]  # type: ignore[index]


def _hashed_twice(ids: DataFrame) -> bool:
    """Equal ids have equal hashes; where two hashes are equal, the ids themselves decide."""
    hashes = ids.select(F.xxhash64("id").alias("h")).groupBy("h").count().where("count > 1")
    if hashes.isEmpty():
        return False
    return not ids.groupBy("id").count().where("count > 1").isEmpty()
