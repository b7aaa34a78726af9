"""Writing and reading bundles: whole, interrupted at any point, resumed, and given away."""

from __future__ import annotations

import json
import multiprocessing
import resource
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.errors import BundleError
from kgb_core.models.candidate import Candidate
from kgb_core.models.device import Device
from kgb_core.models.manifest import System
from kgb_core.models.plan import Plan
from kgb_core.models.plugins import LoadState, PluginEntry
from kgb_core.models.record import Errors, Evidence, Record
from kgb_core.models.timing import Samples
from kgb_core.models.verdict import Verdict
from kgb_core.results.bundle import BundleWriter
from kgb_core.results.layout import fresh_bundle
from kgb_core.results.reader import read_bundle
from kgb_core.results.redact import KEEP_ALL, redactor

Make = Callable[..., Record]
MakePlan = Callable[..., Plan]


@pytest.fixture
def records(make_record: Make) -> list[Record]:
    return [make_record(f"u{number}") for number in range(4)]


@pytest.fixture
def writer(tmp_path: Path, records: list[Record], make_plan: MakePlan, system: System) -> BundleWriter:
    return BundleWriter.create(tmp_path / "bundle", make_plan(*records), system)


def test_a_finished_bundle_is_read_back_whole(writer: BundleWriter, records: list[Record]) -> None:
    for record in records:
        writer.append(record)
    entry = PluginEntry(name="chip", distribution="kgb-backend-chip", version="0.1.0", state=LoadState.LOADED)
    manifest = writer.close(plugins=[entry], arguments=["run", "--suite", "smoke"])
    bundle = read_bundle(writer.path)
    assert bundle.finished
    assert bundle.records == tuple(records)
    assert bundle.remaining == ()
    assert bundle.manifest == manifest
    assert manifest.counts == {Verdict.PASSED: 4}
    assert manifest.environment == {"chip": {"driver": "1.2"}}
    assert sorted(manifest.files) == ["plan.json", "results.jsonl", "system.json"]
    assert not list(writer.path.rglob("*.tmp"))


def test_an_open_bundle_is_readable_and_knows_what_remains(
    writer: BundleWriter, records: list[Record]
) -> None:
    writer.append(records[2])
    bundle = read_bundle(writer.path)
    assert not bundle.finished
    assert bundle.records == (records[2],)
    assert [case.uid for case in bundle.remaining] == ["u0", "u1", "u3"]


def test_nan_and_infinity_survive(
    tmp_path: Path, make_record: Make, make_plan: MakePlan, system: System
) -> None:
    errors = Errors(max_abs=float("inf"), max_rel=float("nan"), max_ulp=1.0, rms=0.0, scale=float("inf"))
    record = make_record("u0", verdict=Verdict.WRONG_VALUE, errors=errors)
    with BundleWriter.create(tmp_path / "b", make_plan(record), system) as writer:
        writer.append(record)
    (line,) = (tmp_path / "b" / "results.jsonl").read_text().splitlines()
    json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    (found,) = read_bundle(tmp_path / "b").records
    assert found.errors is not None
    assert found.errors.max_abs == float("inf")
    assert found.errors.max_rel != found.errors.max_rel


def test_a_second_or_unplanned_record_is_refused(
    writer: BundleWriter, records: list[Record], make_record: Make
) -> None:
    writer.append(records[0])
    with pytest.raises(BundleError, match="second record"):
        writer.append(records[0])
    with pytest.raises(BundleError, match="not planned"):
        writer.append(make_record("other"))
    assert len(read_bundle(writer.path).records) == 1


def test_a_bundle_with_missing_records_is_not_closed(writer: BundleWriter, records: list[Record]) -> None:
    writer.append(records[0])
    with pytest.raises(BundleError, match="3 planned cases"):
        writer.close()
    assert not (writer.path / "manifest.json").exists()


def test_resume_goes_on_after_a_torn_line(writer: BundleWriter, records: list[Record]) -> None:
    writer.append(records[0])
    writer.append(records[1])
    writer.release()
    results = writer.path / "results.jsonl"
    results.write_bytes(results.read_bytes()[:-30])
    (writer.path / ".manifest.json.tmp").write_text("{")
    with BundleWriter.resume(writer.path) as resumed:
        assert [case.uid for case in resumed.remaining] == ["u1", "u2", "u3"]
        for record in records[1:]:
            resumed.append(record)
        resumed.close()
    bundle = read_bundle(writer.path)
    assert bundle.records == tuple(records)
    assert bundle.finished
    assert not list(writer.path.glob(".*.tmp"))


def test_a_finished_bundle_stays_finished_until_something_is_added(
    writer: BundleWriter, records: list[Record]
) -> None:
    for record in records:
        writer.append(record)
    writer.close()
    with BundleWriter.resume(writer.path) as resumed:
        assert resumed.remaining == ()
    assert read_bundle(writer.path).finished


def test_the_first_new_record_withdraws_the_manifest(writer: BundleWriter, records: list[Record]) -> None:
    for record in records:
        writer.append(record)
    writer.close()
    results = writer.path / "results.jsonl"
    results.write_text("".join(results.read_text().splitlines(keepends=True)[:-1]))
    with BundleWriter.resume(writer.path) as resumed:
        assert read_bundle(writer.path).finished
        resumed.append(records[-1])
        assert not read_bundle(writer.path).finished


def test_a_second_writer_is_refused_in_this_and_in_another_process(writer: BundleWriter) -> None:
    with pytest.raises(BundleError, match="in use"):
        BundleWriter.resume(writer.path)
    code = "import sys, pathlib; from kgb_core.results.bundle import BundleWriter as W; "
    code += "W.resume(pathlib.Path(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(writer.path)], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "is in use" in done.stderr
    writer.release()
    BundleWriter.resume(writer.path).release()


def test_a_bundle_is_never_begun_over_another(
    writer: BundleWriter, make_plan: MakePlan, system: System
) -> None:
    writer.release()
    with pytest.raises(BundleError, match="already holds a bundle"):
        BundleWriter.create(writer.path, make_plan(), system)


def test_what_is_no_bundle_is_said_so(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "absent", "nothing"), (tmp_path, "holds no plan")):
        with pytest.raises(BundleError, match="is no bundle") as caught:
            read_bundle(path)
        assert why in caught.value.why
        with pytest.raises(BundleError, match="is no bundle"):
            BundleWriter.resume(path)
    assert not (tmp_path / "absent").exists()


def test_a_source_is_kept_once_and_checked(
    writer: BundleWriter, make_candidate: Callable[..., Candidate]
) -> None:
    candidate = make_candidate()
    inside = writer.add_source(candidate)
    assert writer.add_source(candidate) == inside == f"kernels/{candidate.sha256}.py"
    assert (writer.path / inside).read_text() == candidate.source
    with pytest.raises(BundleError, match="sha256"):
        writer.add_source(candidate.model_copy(update={"source": "x = 1\n"}))


def test_samples_are_kept_beside_the_records(writer: BundleWriter) -> None:
    samples = Samples(device_ns=(3, 1, 2), call_ns=(5, 5, 5))
    inside = writer.add_samples("u0", samples, samples)
    assert inside == "samples/u0.json"
    assert json.loads((writer.path / inside).read_text())["candidate"]["device_ns"] == [3, 1, 2]
    with pytest.raises(BundleError, match="not planned"):
        writer.add_samples("../../x", samples, samples)


def test_a_full_disk_tears_no_line(writer: BundleWriter, records: list[Record]) -> None:
    """A file size limit stands in for the disk: the kernel then writes a part of the line."""
    writer.append(records[0])
    size = (writer.path / "results.jsonl").stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40, before[1]))
        with pytest.raises(BundleError, match="can't write"):
            writer.append(records[1])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    writer.append(records[1])
    assert read_bundle(writer.path).records == tuple(records[:2])


def test_records_of_several_threads_never_mix(
    tmp_path: Path, make_record: Make, make_plan: MakePlan, system: System
) -> None:
    from concurrent.futures import ThreadPoolExecutor

    many = [make_record(f"u{number}", message="x" * 5000) for number in range(64)]
    with (
        BundleWriter.create(tmp_path / "b", make_plan(*many), system) as writer,
        ThreadPoolExecutor(8) as pool,
    ):
        list(pool.map(writer.append, many))
    assert {record.uid for record in read_bundle(tmp_path / "b").records} == {record.uid for record in many}


KILLED = """
    import sys
    from pathlib import Path
    from kgb_core.models.manifest import System
    from kgb_core.models.plan import Plan
    from kgb_core.models.record import Record
    from kgb_core.results.bundle import BundleWriter

    plan = Plan.model_validate_json(sys.stdin.readline())
    writer = BundleWriter.create(Path(sys.argv[1]), plan, System(os="", python="", cpu_count=1))
    for line in sys.stdin:
        writer.append(Record.model_validate_json(line))
        print("written", flush=True)
"""


def test_kill_9_leaves_a_bundle_that_resumes(tmp_path: Path, make_record: Make, make_plan: MakePlan) -> None:
    many = [make_record(f"u{number}") for number in range(50)]
    lines = (
        "\n".join([make_plan(*many).model_dump_json(), *(record.model_dump_json() for record in many)]) + "\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(KILLED), str(tmp_path / "b")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines)
    process.stdin.flush()
    for _ in range(10):
        process.stdout.readline()
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    done = len(read_bundle(tmp_path / "b").records)
    assert done >= 10
    with BundleWriter.resume(tmp_path / "b") as writer:
        assert len(writer.remaining) == 50 - done
        for record in many[done:]:
            writer.append(record)
        writer.close()
    assert [record.uid for record in read_bundle(tmp_path / "b").records] == [record.uid for record in many]


@pytest.fixture(scope="module")
def complete(
    tmp_path_factory: pytest.TempPathFactory, make_record: Make, make_plan: MakePlan, system: System
) -> Path:
    many = [make_record(f"u{number}", message="Größe \n\t\u2028 x") for number in range(5)]
    path = tmp_path_factory.mktemp("complete") / "b"
    with BundleWriter.create(path, make_plan(*many), system) as writer:
        for record in many:
            writer.append(record)
    return path


@given(st.data())
def test_cut_at_any_byte_every_complete_line_comes_back(complete: Path, data: st.DataObject) -> None:
    content = (complete / "results.jsonl").read_bytes()
    keep = data.draw(st.integers(0, len(content)))
    tail = data.draw(st.sampled_from([b"", b"\0\0\0", b"\xff{"]))
    try:
        (complete / "results.jsonl").write_bytes(content[:keep] + tail)
        bundle = read_bundle(complete)
        assert len(bundle.records) == content[:keep].count(b"\n")
        assert [record.uid for record in bundle.records] == [f"u{n}" for n in range(len(bundle.records))]
        with BundleWriter.resume(complete) as writer:
            assert len(writer.remaining) == 5 - len(bundle.records)
        assert (complete / "results.jsonl").read_bytes() == content[: content[:keep].rfind(b"\n") + 1]
    finally:
        (complete / "results.jsonl").write_bytes(content)


@pytest.mark.parametrize("line", [b"{", b"", b"[]", b'"x"', b"\xff\xfe", b'{"schema":"kgb.record/1"}', b"{}"])
def test_any_other_malformed_line_is_an_error_with_its_place(
    writer: BundleWriter, records: list[Record], line: bytes
) -> None:
    writer.append(records[0])
    with (writer.path / "results.jsonl").open("ab") as stream:
        stream.write(line + b"\n")
    writer.append(records[1])
    with pytest.raises(BundleError, match=r"results\.jsonl:2"):
        read_bundle(writer.path)


def test_a_newer_record_is_refused_with_an_instruction(writer: BundleWriter, records: list[Record]) -> None:
    writer.append(records[0])
    results = writer.path / "results.jsonl"
    results.write_text(results.read_text().replace("kgb.record/1", "kgb.record/2"))
    with pytest.raises(BundleError, match=r"results\.jsonl:1.*newer") as caught:
        read_bundle(writer.path)
    assert "pip install --upgrade kgb-core" in caught.value.hint


def test_an_old_record_is_upgraded_step_by_step(writer: BundleWriter, records: list[Record]) -> None:
    """A made-up version 0 called the verdict `status`."""
    writer.append(records[0])
    results = writer.path / "results.jsonl"
    old = results.read_text().replace("kgb.record/1", "kgb.record/0").replace('"verdict"', '"status"')
    results.write_text(old)
    with pytest.raises(BundleError, match="never released"):
        read_bundle(writer.path)

    def step(document: dict[str, object]) -> dict[str, object]:
        return {
            **{k: v for k, v in document.items() if k != "status"},
            "verdict": document["status"],
            "schema": "kgb.record/1",
        }

    (record,) = read_bundle(writer.path, upgrades={"kgb.record": {0: step}}).records
    assert record == records[0]


def test_a_bundle_names_nobody(
    tmp_path: Path, make_record: Make, make_plan: MakePlan, system: System
) -> None:
    home = "/ho" + "me/ada"
    record = make_record(
        "u0",
        verdict=Verdict.RUNTIME_ERROR,
        message=f"node-17.lab: no such file {home}/k.py, {home}rs is another",
        evidence=Evidence(traceback=f'File "{home}/kernels/a.py", line 1\n{home}'),
        device=Device(index=0, name="Chip 1", uuid="GPU-1234", visibility_id="GPU-1234"),
    )
    guard = redactor(home=home, user="ada", host="node-17")
    with BundleWriter.create(tmp_path / "b", make_plan(record), system, guard) as writer:
        writer.append(record)
        writer.close(arguments=["run", f"{home}/kernels"])
    text = "".join(path.read_text() for path in sorted((tmp_path / "b").glob("*.json*")))
    assert "GPU-1234" not in text
    assert "node-17" not in text
    assert f"{home}/" not in text
    assert "~/k.py" in text
    assert f"{home}rs is another" in text


def test_a_host_with_an_ordinary_name_changes_no_message() -> None:
    guard = redactor(home="/", user="", host="kernel")
    assert guard.text("the kernel failed in /tmp/kernel") == "the kernel failed in /tmp/kernel"


def test_everything_is_told_on_request(
    tmp_path: Path, make_record: Make, make_plan: MakePlan, system: System
) -> None:
    record = make_record("u0", device=Device(index=0, name="Chip 1", uuid="GPU-1234"))
    with BundleWriter.create(tmp_path / "b", make_plan(record), system, KEEP_ALL) as writer:
        writer.append(record)
    assert read_bundle(tmp_path / "b").records == (record,)


def test_bundles_of_the_same_minute_get_directories_of_their_own(tmp_path: Path) -> None:
    now = datetime(2026, 12, 1, 9, 12, 33, tzinfo=timezone.utc)
    names = [fresh_bundle(tmp_path / "runs", "cpu, chip", now).name for _ in range(3)]
    assert names == ["20261201T0912Z-cpu-chip", "20261201T0912Z-cpu-chip-2", "20261201T0912Z-cpu-chip-3"]
    (tmp_path / "file").write_text("")
    with pytest.raises(BundleError, match="can't write"):
        fresh_bundle(tmp_path / "file", "cpu", now)


def test_many_processes_never_share_a_directory(tmp_path: Path) -> None:
    now = datetime(2026, 12, 1, 9, 12, tzinfo=timezone.utc)
    with multiprocessing.get_context("fork").Pool(4) as pool:
        paths = pool.starmap(fresh_bundle, [(tmp_path, "cpu", now)] * 12)
    assert len(set(paths)) == 12


def test_a_plan_with_a_doubled_or_unsafe_uid_is_refused(make_record: Make, make_plan: MakePlan) -> None:
    with pytest.raises(ValueError, match="same uid"):
        make_plan(make_record("u0"), make_record("u0"))
    with pytest.raises(ValueError, match="pattern"):
        make_plan(make_record("../u0"))


def test_the_lock_is_not_inherited(writer: BundleWriter) -> None:
    """A worker that outlives its conductor must not keep the bundle locked."""
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    writer.release()
    try:
        BundleWriter.resume(writer.path).release()
    finally:
        child.communicate(b"")
