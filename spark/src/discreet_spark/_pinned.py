"""Inputs that stay as they are while tasks are run again: files by their digests, or a reliable checkpoint."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote, urlparse

from pyspark.sql import DataFrame, SparkSession

from ._command import DiscreetError
from ._steps import STEPS, check_steps, is_files, items, kind_of, nodes_of

#: Those that keep the partitions of what they are applied to.
NARROW = {"Project", "Filter", "SubqueryAlias", "View", "LogicalRDD"}

WAYS_OUT = (
    "write it to files and read those, call checkpoint() on it after spark.sparkContext.setCheckpointDir(…), "
    "or say with pinned=… what keeps it as it is, such as the version of a table that it was read at"
)


def pin(df: DataFrame, by_partition: bool, stated: str | None) -> Pin:
    """How the DataFrame is kept as it is; an error with the ways out where nothing keeps it."""
    may = "may give other rows when a task is run again, and a changed row would be a second release that nobody paid for"
    nodes = check_steps(df, STEPS, may)
    names = {kind_of(node) for node in nodes}
    if by_partition and (names - NARROW or not _checkpoints(nodes)):
        raise DiscreetError(
            "without an id, rows are told apart by their partition, which only a reliable checkpoint fixes; "
            "name an id that no two rows share, or call checkpoint() on the DataFrame after "
            "spark.sparkContext.setCheckpointDir(…), and release what that returns"
        )
    # Planned anew, as it will be: a plan remembers what was cached when it was made.
    now = df.select("*")._jdf.queryExecution().withCachedData()
    if any(kind_of(node) == "InMemoryRelation" for node in nodes_of(now)):
        raise DiscreetError(
            "this DataFrame, or one that it is made of, is cached, and nothing shows that a cache holds what its files do; "
            "unpersist() it first, or checkpoint() it"
        )
    if stated is not None:
        return Pin(df, [], [], stated)
    for node in nodes:
        kind = kind_of(node)
        if node.children().size() > 0 or kind in ("Range", "LocalRelation", "OneRowRelation", "CTERelationRef"):
            continue
        if is_files(node):
            continue
        if kind == "LogicalRDD" and node.rdd().getCheckpointFile().isDefined():
            continue
        what = "an RDD that is no reliable checkpoint" if kind == "LogicalRDD" else kind
        raise DiscreetError(f"nothing keeps this input as it is ({what}); {WAYS_OUT}")
    relations = [node.relation().location() for node in nodes if is_files(node)]
    if any(kind_of(relation) == "CatalogFileIndex" for relation in relations):
        raise DiscreetError(
            "the partitions of this table are listed anew whenever it is read, and may be others then; read its files themselves, "
            "as in spark.read.parquet(…)"
        )
    return Pin(df, relations, _checkpoints(nodes), None)


class Pin:
    """Files with their digests, and checkpoints, which nothing changes."""

    def __init__(self, df: DataFrame, relations: list[Any], checkpoints: list[str], stated: str | None) -> None:
        self._df = df
        self._stated = stated
        self._relations = relations
        self._checkpoints = checkpoints
        #: What the reader was told, files or folders.
        self._named = {str(path.toUri().getPath()) for relation in relations for path in items(relation.rootPaths())}
        self._files, self._digests, self._states = self._look()
        self._check_listed()

    @property
    def words(self) -> str:
        """For the ledger."""
        if self._stated is not None:
            return f"as stated: {self._stated}"
        # Digests would tell of a record to whoever knows all others.
        many = len(self._files)
        files = f"{many} {'file' if many == 1 else 'files'}, compared by digest before and after" if self._files else ""
        kept = f"{len(self._checkpoints)} reliable checkpoints" if self._checkpoints else ""
        return ", ".join(filter(None, [files, kept])) or "computed from nothing that changes"

    @property
    def name(self) -> str:
        """What the ledger calls the input: the files or folders that were read, without the way there."""
        # Folders of one value of a column would tell it.
        names = sorted({next((part for part in reversed(path.split("/")) if part and "=" not in part), "") for path in self._named})
        return ", ".join(names[:3]) + (", …" if len(names) > 3 else "") or "a DataFrame"

    def check(self) -> None:
        """An error where a file is no longer what it was."""
        if (self._files, self._digests, self._states) != self._look():
            raise DiscreetError(
                "an input file was changed, added or removed while it was released: what was written from it may hold two noisy "
                "values of one record; delete the output"
            )

    def _look(self) -> tuple[list[str], list[str], list[tuple[int, ...]]]:
        # Listed anew each time: an index of a table may have grown. What was changed and put back has another time.
        files = sorted({str(uri) for relation in self._relations for uri in relation.inputFiles()})
        with ThreadPoolExecutor(8) as pool:
            return files, list(pool.map(self._digest, files)), list(map(self._state, files))

    def _check_listed(self) -> None:
        """That files are as they were when Spark listed them: of one that has grown it would read the old length."""
        for relation in self._relations:
            try:
                listed = relation.allFiles()
            except Exception:
                continue  # An index that lists them when they are read.
            for status in (listed.apply(i) for i in range(listed.size())):
                now = self._status(status.getPath().toUri().toString())
                if (now.getLen(), now.getModificationTime()) != (status.getLen(), status.getModificationTime()):
                    raise DiscreetError("an input file was changed since the DataFrame was made; read it again")

    def _path(self, uri: str) -> Any:
        """Of an address in which characters may be written as %20."""
        jvm: Any = self._df.sparkSession._jvm
        return jvm.org.apache.hadoop.fs.Path(jvm.java.net.URI(uri))

    def _status(self, uri: str) -> Any:
        path = self._path(uri)
        configuration = self._df.sparkSession._jsparkSession.sessionState().newHadoopConf()
        return path.getFileSystem(configuration).getFileStatus(path)

    def _state(self, uri: str) -> tuple[int, ...]:
        """What changes with a file even where its contents are put back."""
        parsed = urlparse(uri)
        if parsed.scheme not in ("", "file"):
            status = self._status(uri)
            return (status.getLen(), status.getModificationTime())
        try:
            found = os.stat(unquote(parsed.path))
        except OSError:
            return ()
        path = unquote(parsed.path)
        state = [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
        # Of all above, that none was put in another's place. Their times say nothing: the ledger or the output may lie there.
        while True:
            link = os.lstat(path)
            state += [link.st_ino, link.st_dev] + ([link.st_ctime_ns] if os.path.islink(path) else [])
            if os.path.dirname(path) == path:
                return tuple(state)
            path = os.path.dirname(path)

    def _digest(self, uri: str) -> str:
        parsed = urlparse(uri)
        if parsed.scheme in ("", "file"):
            digest = hashlib.sha256()
            try:
                with open(unquote(parsed.path), "rb") as file:
                    while piece := file.read(1 << 20):
                        digest.update(piece)
            except OSError:
                return "gone"
            return digest.hexdigest()
        path = self._path(uri)
        system = path.getFileSystem(self._df.sparkSession._jsparkSession.sessionState().newHadoopConf())
        checksum = system.getFileChecksum(path)
        if checksum is None:
            also = " (s3a tells one where fs.s3a.etag.checksum.enabled is true)" if parsed.scheme == "s3a" else ""
            raise DiscreetError(f"{parsed.scheme}:// tells no checksum of its files{also}; {WAYS_OUT}")
        return f"{system.getFileStatus(path).getLen()} {checksum.toString()}"


def files_of(node: Any) -> list[str]:
    """The files that are read, as often as they are, each by what it is and not by how it is called."""
    none = SparkSession.active()._jvm.PythonUtils.toSeq([])  # type: ignore[union-attr]
    listed = node.relation().location().listFiles(none, none)
    paths = [
        part.files().apply(i).getPath().toUri().toString()
        for part in (listed.apply(k) for k in range(listed.size()))
        for i in range(part.files().size())
    ]
    return [_identity(path) for path in paths]


def _identity(path: str) -> str:
    """What a file is: the same by every name and link to it."""
    parsed = urlparse(path)
    if parsed.scheme not in ("", "file"):
        return path
    found = os.stat(unquote(parsed.path))
    return f"{found.st_dev} {found.st_ino}"


def _checkpoints(nodes: list[Any]) -> list[str]:
    rdds = [node.rdd() for node in nodes if kind_of(node) == "LogicalRDD"]
    return [rdd.getCheckpointFile().get() for rdd in rdds if rdd.getCheckpointFile().isDefined()]
