"""Writing a bundle: append-only, locked against a second writer, and readable after a crash at any point."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType

import msgspec
from filelock import FileLock, Timeout

from kgb_core.errors import BundleError
from kgb_core.models.base import FrozenModel
from kgb_core.models.candidate import Candidate
from kgb_core.models.conformance import Conformance, ConformanceRef, conformance_of
from kgb_core.models.manifest import Manifest, System
from kgb_core.models.pack import PackInfo
from kgb_core.models.plan import PLAN_SCHEMA, Plan, PlannedCase
from kgb_core.models.plugins import PluginEntry
from kgb_core.models.record import Record
from kgb_core.models.timing import Samples
from kgb_core.models.verdict import Verdict
from kgb_core.results import layout
from kgb_core.results.conformance import conformance_path
from kgb_core.results.documents import read_document
from kgb_core.results.files import hash_files, remove_temporary, write_whole
from kgb_core.results.lines import repair_torn_tail
from kgb_core.results.redact import Redactor, redactor_of_this_machine
from kgb_core.results.run import open_run, require_bundle
from kgb_core.results.samples import SamplePair
from kgb_core.version import __version__

_NO_SAMPLES = Samples(device_ns=(), call_ns=())


class BundleWriter:
    """The one writer of a bundle, from `create` or `resume` to `close`.

    As a context manager it releases the bundle at the end. Unless `close` was called by then, the bundle
    stays open: without a manifest, readable, and ready for `resume`. Every document is redacted.
    """

    def __init__(
        self,
        path: Path,
        plan: Plan,
        system: System,
        recorded: dict[str, Verdict],
        lock: FileLock,
        redactor: Redactor,
    ) -> None:
        self.path = path
        self.plan = plan
        self.system = system
        self._recorded = recorded
        self._planned = {case.uid for case in plan.cases}
        self._lock = lock
        self._redactor = redactor
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        self._results = os.open(path / layout.RESULTS, flags, 0o644)

    @classmethod
    def create(cls, path: Path, plan: Plan, system: System, redactor: Redactor | None = None) -> BundleWriter:
        """Begin a bundle in a directory that is empty or does not exist; the plan is written first.

        Raises:
            BundleError: something is there already, or the directory can't be written.
        """
        redactor = redactor or redactor_of_this_machine()
        lock = _locked(path)
        try:
            if (path / layout.PLAN).exists() or (path / layout.RESULTS).exists():
                raise BundleError(
                    f"{path} already holds a bundle", hint="give --resume to go on with it, or another --out"
                )
            write_whole(path / layout.PLAN, _json(plan, redactor))
            write_whole(path / layout.SYSTEM, _json(system, redactor))
            return cls(path, plan, system, {}, lock, redactor)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def resume(cls, path: Path, redactor: Redactor | None = None) -> BundleWriter:
        """Go on with a bundle: the torn tail is cut off. The first new record withdraws a manifest.

        Raises:
            BundleError: it is no bundle, has no plan, is malformed, or another process writes it.
        """
        lock = _locked(require_bundle(path))
        try:
            remove_temporary(path)
            repair_torn_tail(path / layout.RESULTS)
            run = open_run(path)
            plan = read_document(path / layout.PLAN, Plan, PLAN_SCHEMA)
            if plan is None or run.system is None:
                raise BundleError(
                    f"{path} can't be resumed", "it was interrupted before its plan was written"
                )
            recorded = {record.uid: record.verdict for record in run.records()}
            redactor = redactor or redactor_of_this_machine()
            return cls(path, plan, run.system, recorded, lock, redactor)
        except BaseException:
            lock.release()
            raise

    def __enter__(self) -> BundleWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    @property
    def log_path(self) -> Path:
        """Where the run's log goes. It must be closed before the bundle is."""
        return self.path / layout.LOG

    @property
    def recorded(self) -> dict[str, Verdict]:
        """The verdict of every planned case that has its record, by uid."""
        return dict(self._recorded)

    @property
    def remaining(self) -> tuple[PlannedCase, ...]:
        """Planned cases without a record, in the order of the plan."""
        return tuple(case for case in self.plan.cases if case.uid not in self._recorded)

    def append(self, record: Record) -> None:
        """Add the terminal record of a planned case, in one write.

        Raises:
            BundleError: the case was not planned or has its record, or the disk is full; nothing was added.
        """
        if record.uid not in self._planned:
            raise BundleError(f"a record for {record.uid}, which was not planned", record.case.label)
        if record.uid in self._recorded:
            raise BundleError(f"a second record for {record.uid}", record.case.label)
        (self.path / layout.MANIFEST).unlink(missing_ok=True)
        _append(self._results, (_json(record, self._redactor) + "\n").encode(), self.path / layout.RESULTS)
        self._recorded[record.uid] = record.verdict

    def add_source(self, candidate: Candidate) -> str:
        """Keep a candidate's source, once for each text; returns its path inside the bundle."""
        inside = layout.source_path(candidate.sha256)
        if hashlib.sha256(candidate.source.encode()).hexdigest() != candidate.sha256:
            raise BundleError(f"{candidate.name}: its sha256 is not that of its source")
        self._keep(inside, candidate.source)
        return inside

    def add_samples(
        self,
        uid: str,
        candidate: Samples,
        baseline: Samples,
        null: Samples = _NO_SAMPLES,
    ) -> str:
        """Keep the raw times of a planned case; returns their path inside the bundle."""
        if uid not in self._planned:
            raise BundleError(f"samples for {uid}, which was not planned")
        inside = layout.samples_path(uid)
        pair = SamplePair(uid=uid, candidate=candidate, baseline=baseline, null=null)
        self._keep(inside, pair.model_dump_json())
        return inside

    def close(
        self,
        plugins: Sequence[PluginEntry] = (),
        arguments: Sequence[str] = (),
        synthetic: bool = False,
        conformance: Sequence[Conformance] = (),
        packs: Sequence[PackInfo] = (),
    ) -> Manifest:
        """Finish the bundle: hash every file, write the manifest last, and release it.

        Nothing may be written to the bundle afterwards, its log included.

        Args:
            plugins: the load report when the run began.
            arguments: the command line, without the program.
            synthetic: the records were made up; nothing was measured.
            conformance: the records of backends of the run, at most one for each.
            packs: what is said of the packs that were judged.

        Raises:
            BundleError: a planned case has no record yet.
        """
        if self.remaining:
            raise BundleError(f"{len(self.remaining)} planned cases of {self.path} have no record")
        os.fsync(self._results)
        conformed = self._conformance(conformance)
        manifest = self._manifest(plugins, arguments, synthetic, conformed, packs)
        write_whole(self.path / layout.MANIFEST, _json(manifest, self._redactor))
        self.release()
        return manifest

    def release(self) -> None:
        """Let go of the bundle without a manifest; harmless after `close`."""
        if self._results >= 0:
            os.close(self._results)
            self._results = -1
        self._lock.release()

    def _manifest(
        self,
        plugins: Sequence[PluginEntry],
        arguments: Sequence[str],
        synthetic: bool,
        conformance: tuple[ConformanceRef, ...],
        packs: Sequence[PackInfo],
    ) -> Manifest:
        return Manifest(
            run=self.plan.run,
            created=self.plan.created,
            finished=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            core=__version__,
            suite=self.plan.suite,
            seed=self.plan.seed,
            tier=self.plan.tier,
            planned=len(self.plan.cases),
            counts=dict(Counter(self._recorded.values())),
            plugins=tuple(plugins),
            environment=self.system.environment,
            sandbox=self.system.sandbox,
            arguments=tuple(arguments),
            synthetic=synthetic,
            conformance=conformance,
            packs=tuple(packs),
            files=hash_files(self.path),
        )

    def _conformance(self, records: Sequence[Conformance]) -> tuple[ConformanceRef, ...]:
        """Keep the records, and say of each backend of the run what its record says."""
        known = {record.backend.name: record for record in records}
        for name, record in known.items():
            target = self.path / conformance_path(name)
            target.parent.mkdir(exist_ok=True)
            write_whole(target, _json(record, self._redactor))
        backends = dict.fromkeys(device.backend for device in self.system.devices)
        return tuple(
            conformance_of(backend, __version__, known.get(backend.name), conformance_path(backend.name))
            for backend in backends
        )

    def _keep(self, inside: str, content: str) -> None:
        target = self.path / inside
        if not target.exists():
            target.parent.mkdir(exist_ok=True)
            write_whole(target, content)


def _json(document: FrozenModel, redactor: Redactor) -> str:
    content = redactor.document(msgspec.json.decode(document.model_dump_json()))
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _append(descriptor: int, line: bytes, path: Path) -> None:
    """One write; a short one is taken back, so that a full disk tears no line that others follow."""
    before = os.fstat(descriptor).st_size
    try:
        written = os.write(descriptor, line)
    except OSError as error:
        raise BundleError(f"can't write to {path}", error.strerror or str(error)) from error
    if written != len(line):
        os.ftruncate(descriptor, before)
        raise BundleError(
            f"can't write to {path}", "the disk is full", "free some space, then run with --resume"
        )


def _locked(path: Path) -> FileLock:
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path / layout.LOCK, timeout=0, thread_local=False)
        lock.acquire()
    except Timeout:
        raise BundleError(
            f"{path} is in use", "another process writes this bundle", "wait for it, or choose another --out"
        ) from None
    except OSError as error:
        raise BundleError(f"can't write to {path}", error.strerror or str(error)) from error
    return lock
