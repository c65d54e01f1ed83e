"""Writes types.json: files of every numeric type of Parquet and Arrow with what they say, for the test of what is read from them.

Needs Python 3.9 or later with pyarrow and numpy. Files that pyarrow does not write are made byte by byte below, and read back by pyarrow
where it can: two readers and a writer that know nothing of each other must agree before this project's own are asked.

    python3 test/vectors/generate-types.py
"""

import base64
import decimal
import io
import json
import pathlib
import random
import struct
import zlib
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

decimal.getcontext().prec = 100
rng = random.Random(31)

# --- what a value says, and what becomes of it ------------------------------------------------------------------------------------


def plain(value):
    """The exact decimal of a value, without an exponent; of a float of 32 bits or fewer its shortest."""
    if value is None:
        return None
    if isinstance(value, (np.float16, np.float32)):
        return np.format_float_positional(np.float32(value), unique=True, trim="-")
    if isinstance(value, float):
        return np.format_float_positional(value, unique=True, trim="-")
    text = f"{Decimal(value):f}" if isinstance(value, (int, Decimal)) else str(value)
    return text


def released(text, step):
    """Without noise: the nearest multiple of the step, halves up, held within 2^53 steps."""
    if text is None:
        return None
    index = Fraction(text) / Fraction(step) + Fraction(1, 2)
    index = max(-(2**53), min(2**53, index.numerator // index.denominator))
    places = max(0, -Decimal(step).as_tuple().exponent)
    return f"{Decimal(index) * Decimal(step):.{places}f}"


STEPS = ["0.01", "1"]


def column(name, kind, values):
    texts = [plain(v) for v in values]
    return {"name": name, "type": str(kind), "values": texts, "released": {s: [released(t, s) for t in texts] for s in STEPS}}


# --- values of every numeric type -------------------------------------------------------------------------------------------------

ROWS = 24



def spread(edges, draw):
    return (list(edges) + [draw() for _ in range(ROWS)])[: ROWS - 1] + [None]


def whole(bits, signed):
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return spread([low, high, 0, 1, 5, high // 2, low // 3], lambda: rng.randint(low, high) >> rng.randrange(bits))


def floats(kind, largest):
    edges = [0, 1, -1, 0.1, -0.1, 0.125, 0.005, -0.015, 2.5, -2.5, largest, -largest, 1e-7]
    if kind is np.float32:
        edges += [-496992384, 337234.875, 16777216, 16777218, 1048576.25, 2**-149, 1.2621774483536189e-29, 4194304.5]
    if kind is np.float64:
        edges += [9007199254740992.0, 18014398509481990.0, 5e-324, 1e22, 0.30000000000000004, 1e300]
    with np.errstate(over="ignore"):
        draw = lambda: kind(rng.choice([-1, 1]) * rng.random() * 10.0 ** rng.randrange(-4, min(12, int(np.log10(largest)))))
        return [None if v is None else kind(v) for v in spread(edges, draw)]


def decimals(precision, scale):
    unscaled = lambda n: Decimal(n).scaleb(-scale)
    most = 10**precision - 1
    edges = [most, -most, 0, 1, -1, 5 % (most + 1), most // 2, -(most // 3)]
    return [None if v is None else unscaled(v) for v in spread(edges, lambda: rng.randint(-most, most) // 10 ** rng.randrange(precision))]


def typed(values, kind):
    if pa.types.is_floating(kind):
        mask = np.array([v is None for v in values])
        dtype = {"halffloat": np.float16, "float": np.float32, "double": np.float64}[str(kind)]
        return pa.array(np.array([0 if v is None else v for v in values], dtype=dtype), mask=mask)
    return pa.array(values, kind)


NUMBERS = {}
for bits in (8, 16, 32, 64):
    NUMBERS[f"int{bits}"] = (getattr(pa, f"int{bits}")(), whole(bits, True))
    NUMBERS[f"uint{bits}"] = (getattr(pa, f"uint{bits}")(), whole(bits, False))
NUMBERS["float16"] = (pa.float16(), floats(np.float16, 65504))
NUMBERS["float32"] = (pa.float32(), floats(np.float32, 3.4028234663852886e38))
NUMBERS["float64"] = (pa.float64(), floats(np.float64, 1.7976931348623157e308))


def decimal_types(make, precisions):
    for precision in precisions:
        for scale in sorted({0, 1, 2, precision // 2, precision} & set(range(precision + 1))):
            kind = make(precision, scale)
            NUMBERS[str(kind)] = (kind, decimals(precision, scale))


decimal_types(pa.decimal128, (1, 2, 4, 5, 9, 10, 17, 18, 19, 28, 37, 38))
NARROW = dict(NUMBERS)
decimal_types(pa.decimal256, (1, 9, 18, 38))
IN_PARQUET = dict(NUMBERS)
decimal_types(pa.decimal256, (39, 50, 75, 76))
decimal_types(pa.decimal32, (1, 5, 9))
decimal_types(pa.decimal64, (1, 10, 18))
for precision, scale in ((5, -2), (9, -9)):
    for make in (pa.decimal128, pa.decimal256):
        NUMBERS[str(make(precision, scale))] = (make(precision, scale), decimals(precision, scale))


def encoded(data):
    return base64.b64encode(zlib.compress(data, 9)).decode()


def table(kinds):
    return pa.table({"n": pa.array([1] * ROWS)} | {name: typed(values, kind) for name, (kind, values) in kinds.items()})


def parquet_file(name, kinds, **options):
    sink = io.BytesIO()
    pq.write_table(table(kinds), sink, row_group_size=10, **options)
    data = sink.getvalue()
    back = pq.read_table(io.BytesIO(data))
    for column_name, (kind, values) in kinds.items():
        got = [None if v is None else plain(v) for v in cells(back[column_name], kind)]
        assert list(map(number, got)) == [number(plain(v)) for v in values], (name, column_name)
    return {"file": name, "bytes": encoded(data), "columns": [column(k, kind, values) for k, (kind, values) in kinds.items()]}


def cells(chunked, kind):
    if pa.types.is_floating(kind) and not pa.types.is_float64(kind):
        dtype = np.float16 if str(kind) == "halffloat" else np.float32
        return [None if v is None else dtype(v) for v in chunked.to_pylist()]
    return chunked.to_pylist()


def number(text):
    return None if text is None else Fraction(text)


def only(kinds, *begins):
    return {name: kind for name, kind in kinds.items() if name.startswith(begins)}


# --- Parquet byte by byte: any words over any storage -----------------------------------------------------------------------------

PHYSICAL = ["BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"]
OLDER = (
    "UTF8 MAP MAP_KEY_VALUE LIST ENUM DECIMAL DATE TIME_MILLIS TIME_MICROS TIMESTAMP_MILLIS TIMESTAMP_MICROS UINT_8 UINT_16 UINT_32 "
    "UINT_64 INT_8 INT_16 INT_32 INT_64 JSON BSON INTERVAL"
).split()
NEWER = dict(STRING=1, ENUM=4, DECIMAL=5, DATE=6, TIME=7, TIMESTAMP=8, INTEGER=10, UNKNOWN=11, JSON=12, BSON=13, UUID=14, FLOAT16=15)
NEWER |= dict(VARIANT=16, GEOMETRY=17, GEOGRAPHY=18)
BOOL, BYTE, I32, I64, BINARY, LIST, STRUCT = 2, 3, 5, 6, 8, 9, 12


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def zigzag(n):
    return varint(2 * n if n >= 0 else -2 * n - 1)


def thrift(kind, value):
    if kind == BOOL:
        return b""
    if kind == BYTE:
        return struct.pack("b", value)
    if kind in (I32, I64):
        return zigzag(value)
    if kind == BINARY:
        return varint(len(value)) + value
    if kind == STRUCT:
        return value
    inner, items = value
    head = bytes([len(items) << 4 | inner]) if len(items) < 15 else bytes([0xF0 | inner]) + varint(len(items))
    return head + b"".join(thrift(inner, item) for item in items)


def fields(*parts):
    out, last = b"", 0
    for at, kind, value in parts:
        if value is None:
            continue
        out += bytes([(at - last) << 4 | (kind if kind != BOOL else 1 if value else 2)]) if at - last < 16 else None
        out += thrift(kind, value)
        last = at
    return out + b"\0"


def newer(kind, *args):
    inner = fields()
    if kind == "DECIMAL":
        precision, scale = args
        inner = fields((1, I32, scale), (2, I32, precision))
    if kind in ("TIME", "TIMESTAMP"):
        utc, unit = args
        inner = fields((1, BOOL, utc), (2, STRUCT, fields((["MILLIS", "MICROS", "NANOS"].index(unit) + 1, STRUCT, fields()))))
    if kind == "INTEGER":
        inner = fields((1, BYTE, args[0]), (2, BOOL, args[1]))
    # The field's number may be far from the one before.
    at = NEWER[kind]
    head = bytes([at << 4 | STRUCT]) if at < 16 else bytes([STRUCT]) + zigzag(at)
    return head + inner + b"\0"


def stored(kind, value):
    forms = {"INT32": "<i", "INT64": "<q", "FLOAT": "<f", "DOUBLE": "<d"}
    if kind in forms:
        return struct.pack(forms[kind], value)
    return struct.pack("<I", len(value)) + value if kind == "BYTE_ARRAY" else value


def by_hand(columns):
    """One row group, one page of plain values for each column, all of which may be none."""
    out, chunks, rows = b"PAR1", [], len(columns[0]["values"])
    for c in columns:
        there = [0 if v is None else 1 for v in c["values"]] + [0] * (-rows % 8)
        levels = bytes(sum(b << k for k, b in enumerate(there[i : i + 8])) for i in range(0, len(there), 8))
        levels = varint(len(levels) << 1 | 1) + levels
        body = b"".join(stored(c["stored"], v) for v in c["values"] if v is not None)
        page = struct.pack("<I", len(levels)) + levels + body
        head = fields((1, I32, 0), (2, I32, len(page)), (3, I32, len(page)), (5, STRUCT, fields((1, I32, rows), (2, I32, 0), (3, I32, 3), (4, I32, 3))))
        at, size = len(out), len(head + page)
        out += head + page
        kind = PHYSICAL.index(c["stored"])
        meta = fields((1, I32, kind), (2, LIST, (I32, [0, 3])), (3, LIST, (BINARY, [c["name"].encode()])), (4, I32, 0), (5, I64, rows), (6, I64, size), (7, I64, size), (9, I64, at))
        chunks.append(fields((2, I64, at), (3, STRUCT, meta)))
    schema = [fields((4, BINARY, b"schema"), (5, I32, len(columns)))]
    for c in columns:
        said = c.get("older")
        schema.append(
            fields((1, I32, PHYSICAL.index(c["stored"])), (2, I32, c.get("length")), (3, I32, 1), (4, BINARY, c["name"].encode()), (6, I32, None if said is None else OLDER.index(said)), (7, I32, c.get("scale")), (8, I32, c.get("precision")), (10, STRUCT, c.get("newer")))
        )
    group = fields((1, LIST, (STRUCT, chunks)), (2, I64, len(out) - 4), (3, I64, rows))
    foot = fields((1, I32, 2), (2, LIST, (STRUCT, schema)), (3, I64, rows), (4, LIST, (STRUCT, [group])), (6, BINARY, b"by hand"))
    return out + foot + struct.pack("<I", len(foot)) + b"PAR1"


def big(n, length=None):
    least = next(k for k in range(1, 40) if -(1 << (8 * k - 1)) <= n < 1 << (8 * k - 1))
    return n.to_bytes(length or least, "big", signed=True)


HAND, ODD = [], []


def hand(name, kind, values, texts, **words):
    HAND.append((dict(name=name, stored=kind, values=values, **words), texts))


def odd(name, shown, kind, values, **words):
    """Refused, by this name of its type."""
    ODD.append((name, shown, dict(name="odd", stored=kind, values=values, **words)))


def as_decimal(precision, scale):
    return dict(older="DECIMAL", precision=precision, scale=scale, newer=newer("DECIMAL", precision, scale))


def fractions(unscaled, scale):
    return [None if n is None else plain(Decimal(n).scaleb(-scale)) for n in unscaled]


for precision, scale in ((1, 0), (4, 2), (9, 2), (9, 9), (10, 3), (18, 2), (19, 4), (28, 10), (38, 2), (38, 38)):
    most = 10**precision - 1
    unscaled = [most, -most, 5, -1, 0, most // 7, -(most // 2), None]
    texts = fractions(unscaled, scale)
    if precision <= 9:
        hand(f"int32 {precision} {scale}", "INT32", unscaled, texts, **as_decimal(precision, scale))
        hand(f"int32 old {precision} {scale}", "INT32", unscaled, texts, **{**as_decimal(precision, scale), "newer": None})
    if precision <= 18:
        hand(f"int64 {precision} {scale}", "INT64", unscaled, texts, **as_decimal(precision, scale))
    hand(f"bytes {precision} {scale}", "BYTE_ARRAY", [None if n is None else big(n) for n in unscaled], texts, **as_decimal(precision, scale))
    least = len(big(most))
    for length in sorted({least, least + 1, 16, 20, 32} - set(range(least))):
        hand(f"fixed {precision} {scale} in {length}", "FIXED_LEN_BYTE_ARRAY", [None if n is None else big(n, length) for n in unscaled], texts, length=length, **as_decimal(precision, scale))
for bits in (8, 16, 32, 64):
    physical = "INT64" if bits == 64 else "INT32"
    signed = [2 ** (bits - 1) - 1, -(2 ** (bits - 1)), 0, 1, -1, 5, 100, None]
    unsigned = [2**bits - 1, 2 ** (bits - 1), 0, 1, 2, 5, 100, None]
    width = 64 if bits == 64 else 32
    bits_of = [None if n is None else n - 2**width if n >= 2 ** (width - 1) else n for n in unsigned]
    for words in (dict(older=f"INT_{bits}"), dict(older=f"INT_{bits}", newer=newer("INTEGER", bits, True))):
        hand(f"INT_{bits} {len(words)}", physical, signed, [None if n is None else str(n) for n in signed], **words)
    for words in (dict(older=f"UINT_{bits}"), dict(older=f"UINT_{bits}", newer=newer("INTEGER", bits, False))):
        hand(f"UINT_{bits} {len(words)}", physical, bits_of, [None if n is None else str(n) for n in unsigned], **words)
halves = [np.float16(v) for v in (1, 65504, 0.1, -2.5, 5.9604644775390625e-08, 0, 0.0999755859375)]
hand("FLOAT16", "FIXED_LEN_BYTE_ARRAY", [v.tobytes() for v in halves] + [None], [plain(v) for v in halves] + [None], length=2, newer=newer("FLOAT16"))
texts = ["5", "-7", "0.25", "1e3", "-12.5", "0", "100", None]
for word in ("UTF8", "ENUM", "JSON"):
    hand(word, "BYTE_ARRAY", [None if t is None else t.encode() for t in texts], [None if t is None else plain(Decimal(t)) for t in texts], older=word)
hand("nothing", "INT32", [None] * 8, [None] * 8, newer=newer("UNKNOWN"))

number_of = [5, -7, 1, None]
odd("decimal 39", "DECIMAL(39,2) in 17 bytes", "FIXED_LEN_BYTE_ARRAY", [big(n, 17) if n is not None else None for n in number_of], length=17, **as_decimal(39, 2))
odd("decimal 50", "DECIMAL(50,2) in 21 bytes", "FIXED_LEN_BYTE_ARRAY", [big(n, 21) if n is not None else None for n in number_of], length=21, **as_decimal(50, 2))
odd("decimal 76", "DECIMAL(76,0) in BYTE_ARRAY", "BYTE_ARRAY", [big(n) if n is not None else None for n in number_of], **as_decimal(76, 0))
odd("decimal of new words", "DECIMAL(9,2) in INT32 in new words alone", "INT32", number_of, newer=newer("DECIMAL", 9, 2))
odd("decimal of two scales", "DECIMAL(9,2) in INT32", "INT32", number_of, older="DECIMAL", scale=2, precision=9, newer=newer("DECIMAL", 9, 3))
odd("decimal of more digits than it holds", "DECIMAL(18,2) in INT32", "INT32", number_of, **as_decimal(18, 2))
odd("decimal of more places than digits", "DECIMAL(5,7) in INT32", "INT32", number_of, **as_decimal(5, 7))
odd("unsigned of new words", "UINT_32 in INT32 in new words alone", "INT32", number_of, newer=newer("INTEGER", 32, False))
odd("unsigned long of new words", "UINT_64 in INT64 in new words alone", "INT64", number_of, newer=newer("INTEGER", 64, False))
odd("short in a long", "UINT_8 in INT64", "INT64", number_of, newer=newer("INTEGER", 8, False))
odd("text of new words", "UTF8 in BYTE_ARRAY in new words alone", "BYTE_ARRAY", [b"5", b"7", b"1", None], newer=newer("STRING"))
odd("text of fixed length", "UTF8 in 1 bytes", "FIXED_LEN_BYTE_ARRAY", [b"5", b"7", b"1", None], length=1, older="UTF8")
odd("half of four bytes", "FLOAT16 in 4 bytes", "FIXED_LEN_BYTE_ARRAY", [b"\0<\0\0"] * 3 + [None], length=4, newer=newer("FLOAT16"))
odd("day of new words", "DATE in INT32 in new words alone", "INT32", number_of, newer=newer("DATE"))
odd("time of day in billionths", "TIME_NANOS in INT64", "INT64", number_of, newer=newer("TIME", False, "NANOS"))
odd("time in a zone in billionths", "TIMESTAMP_NANOS in INT64", "INT64", number_of, newer=newer("TIMESTAMP", True, "NANOS"))
odd("old time", "INT96", "INT96", [struct.pack("<qI", n, 2440588) for n in (1, 5, 7)] + [None])
odd("two units", "TIMESTAMP_MILLIS in INT64 or TIMESTAMP_MICROS", "INT64", number_of, older="TIMESTAMP_MILLIS", newer=newer("TIMESTAMP", False, "MICROS"))
odd("shape", "GeometryType(crs=<null>) in BYTE_ARRAY", "BYTE_ARRAY", [b"\1\1\0\0\0" + b"\0" * 16] * 3 + [None], newer=newer("GEOMETRY"))


def hand_file():
    data = by_hand([dict(name="n", stored="INT64", values=[1] * 8)] + [c for c, _ in HAND])
    for c, texts in HAND:
        try:
            back = pq.read_table(io.BytesIO(by_hand([c])))
        except (pa.ArrowInvalid, OSError):
            # Longer than pyarrow takes decimals.
            assert c.get("length", 0) > 16, c["name"]
            continue
        got = [None if v is None else Fraction(v.decode() if isinstance(v, bytes) else float(v) if c["name"] == "FLOAT16" else v) for v in back[0].to_pylist()]
        if c["name"] != "FLOAT16":
            assert got == [number(t) for t in texts], (c["name"], got, texts)
    columns = [{"name": c["name"], "type": c["name"], "values": texts, "released": {s: [released(t, s) for t in texts] for s in STEPS}} for c, texts in HAND]
    return {"file": "by hand", "bytes": encoded(data), "columns": columns}


# --- columns that pass ------------------------------------------------------------------------------------------------------------


def times():
    """What columns that pass say, as text, in the units that they are written in."""
    micros = [1577836800123456, 0, -1, 253402300799999999, None]
    shown = lambda m, digits: None if m is None else f"{np.datetime64(m, 'us')}".replace("T", " ") if digits == 6 else None
    kinds = {
        "day": (pa.date32(), [18262, 0, -1, 2932896, None]),
        "ms": (pa.timestamp("ms"), [None if m is None else m // 1000 for m in micros]),
        "us": (pa.timestamp("us"), micros),
        "ns": (pa.timestamp("ns"), [1577836800123456789, 0, -1, 4102444800000000001, None]),
        "ms zone": (pa.timestamp("ms", "UTC"), [None if m is None else m // 1000 for m in micros]),
        "us zone": (pa.timestamp("us", "UTC"), micros),
        "time ms": (pa.time32("ms"), [0, 18262, 86399999, 5, None]),
        "time us": (pa.time64("us"), [0, 18262, 86399999999, 5, None]),
    }
    units = {"day": 86400 * 10**9, "ms": 10**6, "us": 1000, "ns": 1, "ms zone": 10**6, "us zone": 1000, "time ms": 10**6, "time us": 1000}
    data = pa.table({"n": pa.array([1] * 5)} | {name: pa.array(values, kind) for name, (kind, values) in kinds.items()})
    nanos = {name: [None if v is None else str(v * units[name]) for v in values] for name, (_, values) in kinds.items()}
    sink = io.BytesIO()
    pq.write_table(data, sink)
    return {"bytes": encoded(sink.getvalue()), "arrow": encoded(arrow_bytes(data)), "nanoseconds": nanos}


# --- Arrow ------------------------------------------------------------------------------------------------------------------------


def arrow_bytes(data):
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, data.schema) as writer:
        for batch in data.to_batches(max_chunksize=10):
            writer.write_batch(batch)
    return sink.getvalue()


def arrow_file():
    data = table(NUMBERS)
    columns = [column(name, kind, values) for name, (kind, values) in NUMBERS.items()]
    for name in ("int16", "uint64", "float32", "float64", "decimal128(9, 2)", "decimal256(50, 2)"):
        kind, values = NUMBERS[name]
        data = data.append_column(f"dictionary of {name}", typed(values, kind).dictionary_encode())
        columns.append(column(f"dictionary of {name}", kind, values))
    for kind in (pa.string(), pa.large_string()):
        data = data.append_column(str(kind), pa.array([None if v is None else plain(v) for v in NUMBERS["decimal128(9, 2)"][1]], kind))
        columns.append(column(str(kind), kind, NUMBERS["decimal128(9, 2)"][1]))
    return {"file": "arrow", "bytes": encoded(arrow_bytes(data)), "columns": columns}


def arrow_odd():
    """From these no number is read."""
    kinds = {
        "binary": pa.array([b"5"]),
        "fixed_size_binary[2]": pa.array([b"55"], pa.binary(2)),
        "date32": pa.array([5], pa.date32()),
        "timestamp": pa.array([5], pa.timestamp("us")),
        "time32": pa.array([5], pa.time32("ms")),
        "duration": pa.array([5], pa.duration("s")),
        "interval": pa.array([(1, 2, 3)], pa.month_day_nano_interval()),
        "list": pa.array([[5]]),
        "struct": pa.array([{"a": 5}]),
    }
    return [{"type": name, "bytes": encoded(arrow_bytes(pa.table({"n": pa.array([1]), "odd": values})))} for name, values in kinds.items()]


whole_numbers = only(NARROW, "int", "uint")
parquet = [
    parquet_file("plain", IN_PARQUET, use_dictionary=False, compression="none"),
    parquet_file("dictionary", only(IN_PARQUET, "int", "float", "decimal128(9", "decimal128(18", "decimal256"), compression="zstd"),
    parquet_file("decimals as integers", only(NARROW, "decimal"), store_decimal_as_integer=True, compression="snappy"),
    parquet_file("second pages", whole_numbers | only(NARROW, "float", "decimal128(38", "decimal128(18"), data_page_version="2.0", compression="gzip"),
    parquet_file("delta", whole_numbers, use_dictionary=False, column_encoding={k: "DELTA_BINARY_PACKED" for k in whole_numbers}),
    parquet_file("split", only(NARROW, "float32", "float64"), use_dictionary=False, column_encoding={k: "BYTE_STREAM_SPLIT" for k in ("float32", "float64")}),
    parquet_file("brotli", whole_numbers, compression="brotli"),
    parquet_file("lz4", whole_numbers, compression="lz4"),
    hand_file(),
]
n = dict(name="n", stored="INT64", values=[1] * 4)
refused = [{"file": name, "type": shown, "bytes": encoded(by_hand([n, c]))} for name, shown, c in ODD]
sink = io.BytesIO()
pq.write_table(pa.table({"n": pa.array([1]), "odd": pa.array([{"a": [Decimal("5.00")]}], pa.struct([("a", pa.list_(pa.decimal256(50, 2)))]))}), sink)
refused.append({"file": "decimal 50 in a list in a structure", "type": "DECIMAL(50,2) in 21 bytes", "bytes": encoded(sink.getvalue())})

sink = io.BytesIO()
pq.write_table(pa.table({"n": pa.array([1]), "odd": pa.array([5], pa.int32())}), sink, use_dictionary=False, column_encoding={"odd": "BYTE_STREAM_SPLIT"})
refused.append({"file": "whole numbers split by bytes", "type": "INT32 split by bytes", "bytes": encoded(sink.getvalue())})

# Its writer offers no other codec: its number is set in the footer, after the path of the column.
sink = io.BytesIO()
pq.write_table(pa.table({"n": pa.array([1]), "odd": pa.array([5], pa.int32())}), sink, use_dictionary=False, compression="none")
for codec, number in (("LZO", 3), ("LZ4", 5)):
    stated, other = (b"\x18\x03odd\x15" + bytes([2 * n]) for n in (0, number))
    assert sink.getvalue().count(stated) == 1
    refused.append({"file": f"compressed with {codec}", "type": f"INT32 compressed with {codec}", "bytes": encoded(sink.getvalue().replace(stated, other))})

here = pathlib.Path(__file__).parent
out = {"parquet": parquet, "refused": refused, "arrow": arrow_file(), "arrowOdd": arrow_odd(), "times": times()}
(here / "types.json").write_text(json.dumps(out, separators=(",", ":")) + "\n")
