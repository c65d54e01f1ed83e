"""Releases on two executors of their own, one of which is killed, with speculation: ``local-cluster[2,1,1024]``."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest

from common import FOLDER, OPTIONS, at, by_id, entries, output, rows, session
from pyspark import SparkContext, TaskContext

from discreet_spark import release


def slow_at_first(batches):
    """One task that takes long when it is first run: another is started beside it."""
    context = TaskContext.get()
    for batch in batches:
        if context.partitionId() == 0 and context.attemptNumber() == 0:
            time.sleep(5)
        yield batch


def slow(batches):
    time.sleep(1.5)
    yield from batches


def executors() -> list[int]:
    """Those of this very application: others may be running beside it."""
    name = SparkContext._active_spark_context.applicationId
    found = subprocess.run(["pgrep", "-f", f"CoarseGrainedExecutorBackend.*{name}"], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.spark = session(
            "local-cluster[2,1,1024]",
            **{
                "spark.speculation": "true",
                "spark.speculation.multiplier": "1.5",
                "spark.speculation.quantile": "0.5",
                "spark.speculation.interval": "100ms",
                "spark.speculation.minTaskRuntime": "500ms",
                "spark.executor.memory": "1g",
                "spark.locality.wait": "0s",
            },
        )
        cls.input = rows(cls.spark, 4000, "in.parquet", 3).repartition(4, "id")

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        shutil.rmtree(FOLDER, ignore_errors=True)

    def test_speculation_and_a_killed_executor(self):
        before = len(entries())
        with release(self.input, ["visits"], output=output(), **OPTIONS) as released:
            plain = by_id(released)
            self.assertEqual(plain, by_id(released.mapInArrow(slow_at_first, released.schema)))
            victims = executors()
            self.assertGreaterEqual(len(victims), 2)
            killer = threading.Timer(2.5, lambda: os.kill(victims[0], signal.SIGKILL))
            killer.start()
            self.assertEqual(plain, by_id(released.mapInArrow(slow, released.schema)))
            killer.join()
            released.write.parquet(at("written.parquet"))
        self.assertEqual(plain, by_id(self.spark.read.parquet(at("written.parquet"))))
        self.assertEqual((len(entries()), entries()[-1]["state"]), (before + 1, "complete"))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
