"""The driver's side: one run of ``discreet pipe --drive``, which charges the ledger, draws the key, and settles."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Any

from ._command import DiscreetError, failure, pass_notes_on


class Session:
    """The release as it is prepared, charged, and settled. Where its caller dies, what was charged stays spent."""

    def __init__(self, command: Sequence[str], args: Sequence[str]) -> None:
        self._keys, write = os.pipe()
        self._stderr = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                [*command, "pipe", "--drive", "--key-fd", str(write), "--json", *args],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                pass_fds=(write,),
            )
        except OSError as error:
            if error.errno != errno.E2BIG:
                raise
            raise DiscreetError("the DataFrame has too many columns for one release; select() those that are needed") from None
        finally:
            os.close(write)

    def ready(self) -> list[str]:
        """Waits until it is known that the budget suffices; an error where something speaks against it. Returns what is protected."""
        return self._hear()["protected"]

    def charge(self) -> None:
        """From here on it is spent; the job and its key are there."""
        self._tell({"go": True})
        told = self._hear()
        self.entry: int = told["entry"]
        self.job: str = json.dumps(told["ticket"])
        self.key = bytearray(os.read(self._keys, 32))
        os.close(self._keys)
        self._keys = -1

    def complete(self, rows: int | None) -> dict[str, Any]:
        """Settles; returns what the command tells of the release."""
        return self._end({"complete": True, **({} if rows is None else {"rows": rows})})

    def abort(self, reason: str) -> None:
        """The entry stays spent, and says that it was stopped."""
        try:
            self._end({"complete": False, "reason": reason})
        except Exception:
            pass  # That it failed is known.

    def stop(self) -> None:
        """Before anything was charged."""
        self._process.kill()
        self._process.wait()
        self._close()
        self._stderr.close()

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                try:
                    pipe.close()
                except OSError:
                    pass  # What could not be told any more.
        if self._keys >= 0:
            os.close(self._keys)
        self._keys = -1

    def _end(self, message: dict[str, Any]) -> dict[str, Any]:
        self.key[:] = bytes(len(self.key))
        out, _ = self._process.communicate(json.dumps(message).encode() + b"\n")
        if self._process.returncode != 0:
            raise self._failed()
        self._stderr.seek(0)
        pass_notes_on(self._stderr.read().decode("utf-8", "replace"))
        self._stderr.close()
        return json.loads(out)

    def _tell(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise self._failed()
        return json.loads(line)

    def _failed(self) -> Exception:
        self._process.wait()
        self._close()
        self._stderr.seek(0)
        words = self._stderr.read().decode("utf-8", "replace")
        self._stderr.close()
        return failure(self._process.returncode, words)
