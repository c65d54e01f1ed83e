"""What runs in a task: a partition's batches through ``discreet pipe``, with the key on a descriptor of its own."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ._command import INSTALL, DiscreetError, failure

#: Tells the partition's number where rows have no id; it does not leave.
PARTITION = "_discreet_partition"

Batches = Iterator[pa.RecordBatch]


def joined(half: bytes, other: bytes) -> bytes:
    """Two halves that say nothing by themselves, as the key."""
    return bytes(a ^ b for a, b in zip(half, other))


def partition_function(
    command: Sequence[str],
    half: bytes,
    shared: Any,
    id: str | None,
    protected: Sequence[str],
    whole: bool,
    tasks: Any,
) -> Callable[[Batches], Batches]:
    """For ``mapInArrow``. ``half`` travels in the task's closure; ``shared`` is a broadcast of the job and of what completes the key."""

    def run(batches: Batches) -> Batches:
        first = next(batches, None)
        if first is None:
            return
        job, other = shared.value
        # That something was computed at all.
        tasks.add(1)
        number = None if id is not None else first.column(PARTITION)[0].as_py()
        # The command is handed what noise depends on: an id and the values, or all of the row.
        names = [name for name in first.schema.names if name != PARTITION]
        handed = names if whole else [name for name in names if name == id or name in protected]
        waiting: deque[pa.RecordBatch] = deque()

        def given() -> Batches:
            for batch in (b for part in ([first], batches) for b in part):
                if number is not None:
                    _check_number(batch, number)
                waiting.append(batch)
                yield batch.select(handed)

        for noisy in _piped(command, joined(half, other), job, number, first.select(handed).schema, given()):
            batch = waiting.popleft()
            if noisy.num_rows != batch.num_rows:
                raise DiscreetError("the command gave back another batch than it was given")
            columns = [(noisy if name in protected else batch).column(name) for name in names]
            yield pa.RecordBatch.from_arrays(columns, names=names)
        if waiting:
            raise DiscreetError("the command gave back fewer batches than it was given")

    return run


def _check_number(batch: pa.RecordBatch, number: int) -> None:
    """That all rows are of the partition that Spark gave this number."""
    ends = pc.min_max(batch.column(PARTITION)).as_py()
    if batch.num_rows and (ends["min"], ends["max"]) != (number, number):
        raise DiscreetError("two partitions came as one, so that rows cannot be told apart; name an id")


def _piped(
    command: Sequence[str], key: bytes, job: str, number: int | None, schema: pa.Schema, batches: Batches
) -> Batches:
    process, stderr = _started(command, key, job, number)
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None and stdout is not None
    broken: list[BaseException] = []

    def feed() -> None:
        try:
            with stdin, pa.ipc.new_stream(stdin, schema) as writer:
                for batch in batches:
                    writer.write_batch(batch)
        except BrokenPipeError:
            pass  # It has ended, and says why.
        except BaseException as error:
            broken.append(error)
            process.kill()

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    try:
        try:
            with pa.ipc.open_stream(stdout) as reader:
                yield from reader
        except (pa.ArrowInvalid, OSError):
            pass  # It ended early, and its exit code says why.
        code = process.wait()
        feeder.join()
        if broken:
            raise broken[0]
        if code != 0:
            stderr.seek(0)
            raise failure(code, stderr.read().decode("utf-8", "replace"))
    finally:
        # A task that is stopped leaves nothing running.
        if process.poll() is None:
            process.kill()
            process.wait()
        stderr.close()


def _started(
    command: Sequence[str], key: bytes, job: str, number: int | None
) -> tuple[subprocess.Popen[bytes], Any]:
    read, write = os.pipe()
    stderr = tempfile.TemporaryFile()
    with tempfile.TemporaryFile() as told:
        told.write(job.encode())
        told.flush()
        try:
            os.write(write, key)
            os.close(write)
            at = told.fileno()
            args = [*command, "pipe", "--only-protected", "--key-fd", str(read), "--job", f"/dev/fd/{at}"]
            if number is not None:
                args += ["--partition", str(number)]
            process = subprocess.Popen(
                args,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                pass_fds=(read, at),
            )
        except FileNotFoundError:
            raise DiscreetError(f"there is no command {command[0]!r} on this executor; {INSTALL}") from None
        finally:
            os.close(read)
    return process, stderr
