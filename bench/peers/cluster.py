"""Spark by itself and with releases: seconds of each, as lines of JSON. Arguments: what, folder, rows, runs."""

import json
import os
import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

WHAT, FOLDER, ROWS, RUNS = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
DOMAIN = {"health": ["excellent", "good", "fair", "poor"], "limitation": ["yes", "no"]}


def spark() -> SparkSession:
    builder = SparkSession.builder.master("local[2]").appName("bench")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "6g",
        "spark.sql.shuffle.partitions": "4",
        "spark.local.dir": os.path.join(FOLDER, "local"),
        "spark.sql.warehouse.dir": os.path.join(FOLDER, "warehouse"),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def rows(session: SparkSession):
    """Like the example data: a record's number, two words, and visits."""
    path = os.path.join(FOLDER, f"visits-{ROWS}.parquet")
    if not os.path.exists(path):
        health = F.element_at(F.array(*[F.lit(v) for v in DOMAIN["health"]]), (F.xxhash64("record") % 4 + 4).cast("int") % 4 + 1)
        session.range(0, ROWS, 1, 8).withColumnRenamed("id", "record").withColumn("health", health).withColumn(
            "limitation", F.when(F.xxhash64("record", F.lit(1)) % 3 == 0, "yes").otherwise("no")
        ).withColumn("visits", F.abs(F.xxhash64("record", F.lit(2)) % 50)).write.parquet(path)
    return session.read.parquet(path)


def told(name: str, work) -> None:
    start = time.time()
    work()
    print(json.dumps({"name": name, "seconds": time.time() - start}), flush=True)


def identity(batches):
    yield from batches


def copies(session: SparkSession, df) -> None:
    from discreet_spark import release

    def to(name):
        return os.path.join(FOLDER, f"{name}.parquet")

    def released(input_order=False):
        options = {"id": "record", "dataset": "visits", "ledger": os.path.join(FOLDER, "ledger.db"), "epsilon": 1, "input_order": input_order}
        out = os.path.join(FOLDER, f"out-{time.time_ns()}")
        with release(df, ["visits"], output=out, **options) as noisy:
            noisy.write.mode("overwrite").parquet(to("released"))

    for run in range(RUNS + 1):
        # The first of each warms up what is compiled while it runs.
        mark = "" if run else "warm-up "
        told(f"{mark}copy", lambda: df.write.mode("overwrite").parquet(to("copy")))
        told(f"{mark}identity", lambda: df.mapInArrow(identity, df.schema).write.mode("overwrite").parquet(to("identity")))
        told(f"{mark}release", released)
        told(f"{mark}as read", lambda: released(True))


def counts(df) -> None:
    from discreet_spark import count

    options = {"dataset": "visits", "ledger": os.path.join(FOLDER, "ledger.db"), "epsilon": 1}
    for run in range(RUNS + 1):
        mark = "" if run else "warm-up "
        told(f"{mark}plain", lambda: df.groupBy("health", "limitation").count().collect())
        told(f"{mark}discreet", lambda: count(df, list(DOMAIN), DOMAIN, **options).collect())


def tumult(session: SparkSession, df) -> None:
    from tmlt.analytics import AddOneRow, KeySet, PureDPBudget, QueryBuilder, Session

    def one():
        private = Session.from_dataframe(PureDPBudget(1), "visits", df, protected_change=AddOneRow())
        query = QueryBuilder("visits").groupby(KeySet.from_dict(DOMAIN)).count()
        private.evaluate(query, PureDPBudget(1)).collect()

    for run in range(RUNS + 1):
        told("tumult" if run else "warm-up tumult", one)


def pipeline_dp(session: SparkSession, df) -> None:
    import pipeline_dp

    def one():
        backend = pipeline_dp.SparkRDDBackend(session.sparkContext)
        accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=1, total_delta=1e-10)
        engine = pipeline_dp.DPEngine(accountant, backend)
        params = pipeline_dp.AggregateParams(
            noise_kind=pipeline_dp.NoiseKind.LAPLACE,
            metrics=[pipeline_dp.Metrics.COUNT],
            max_partitions_contributed=1,
            max_contributions_per_partition=1,
        )
        extractors = pipeline_dp.DataExtractors(
            privacy_id_extractor=lambda row: row[0],
            partition_extractor=lambda row: (row[1], row[2]),
            value_extractor=lambda row: 0,
        )
        public = [(a, b) for a in DOMAIN["health"] for b in DOMAIN["limitation"]]
        result = engine.aggregate(df.rdd, params, extractors, public_partitions=public)
        accountant.compute_budgets()
        result.collect()

    for run in range(RUNS + 1):
        told("pipeline_dp" if run else "warm-up pipeline_dp", one)


SESSION = spark()
DATA = rows(SESSION)
if WHAT == "copies":
    copies(SESSION, DATA)
elif WHAT == "counts":
    counts(DATA)
elif WHAT == "tumult":
    tumult(SESSION, DATA)
else:
    pipeline_dp(SESSION, DATA)
SESSION.stop()
