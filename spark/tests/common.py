"""What the tests share: a session, an input, and a ledger of their own."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from discreet_spark._command import command_of

FOLDER = tempfile.mkdtemp(prefix="discreet-spark-test-", dir=os.environ.get("DISCREET_TEST_FOLDER"))
LEDGER = os.path.join(FOLDER, "ledger.db")
OPTIONS: dict[str, Any] = {"id": "id", "dataset": "visits", "ledger": LEDGER, "epsilon": 1}


def at(name: str) -> str:
    return os.path.join(FOLDER, name)


def discreet(*args: str) -> dict[str, Any]:
    done = subprocess.run([*command_of(None), *args, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def session(master: str, **settings: str) -> SparkSession:
    builder = SparkSession.builder.master(master).appName("discreet")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.warehouse.dir": at("warehouse"),
        "spark.local.dir": at("local"),
        "spark.sql.shuffle.partitions": "4",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{at('events')}",
        "spark.eventLog.compress": "false",
        "spark.driver.memory": "1g",
        **settings,
    }.items():
        builder = builder.config(name, value)
    os.makedirs(at("events"), exist_ok=True)
    os.makedirs(at("local"), exist_ok=True)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    spark.sparkContext.setCheckpointDir(at("checkpoints"))
    discreet("ledger", "init", "--ledger", LEDGER, "--dataset", "visits", "--epsilon", "500", "--adjacency", "visits=5")
    return spark


def rows(spark: SparkSession, count: int, name: str, parts: int = 2) -> DataFrame:
    """People with an id, a region, and visits, some of them NULL; read back from files."""
    visits = F.when(F.col("id") % 10 != 0, F.col("id") % 7)
    region = F.when(F.col("id") % 2 == 0, "N").otherwise("S")
    spark.range(0, count, 1, parts).withColumn("region", region).withColumn("visits", visits).write.parquet(at(name))
    return spark.read.parquet(at(name))


def kept(df: DataFrame, name: str) -> DataFrame:
    """Written to files, and read from there."""
    df.write.parquet(at(name))
    return df.sparkSession.read.parquet(at(name))


def entries() -> list[dict[str, Any]]:
    found = discreet("ledger", "history", "--ledger", LEDGER)["entries"]
    return [entry for entry in found if entry["kind"] == "release"]


def output() -> str:
    """A name that no release has had yet."""
    return at(f"out-{len(os.listdir(FOLDER))}-{os.urandom(4).hex()}")


def by_id(df: DataFrame) -> list[tuple[Any, ...]]:
    """Sorted here: Spark would compute everything twice to sort it."""
    return sorted((tuple(row) for row in df.collect()), key=lambda row: row[0])
