"""The devices of a run: which are usable, what each can do, and how its workers are started."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_core.errors import NoDeviceError, UsageError
from kgb_core.models import BackendInfo, Capabilities, Capability, Device, DType, Support, Target
from kgb_core.models.device import Feature, Peaks
from kgb_core.operators.cases import case, fp16, fp32, normal
from kgb_core.plugins.backend import Backend
from kgb_core.runner.request import DeviceStrings, RunRequest
from kgb_core.runner.stations import Station, stations_of
from kgb_core.worker.handle import CANDIDATE_MODULE, REFERENCE_MODULE
from kgb_core.worker.sandbox import Sandbox

Stations = Callable[..., list[Station]]
Chips = Callable[..., Backend]
Requests = Callable[..., RunRequest]

BUSY = Device(index=2, name="Chip 1", state="fell off the bus")
HOST_ONLY = BackendInfo(
    vendor="chip", display_name="Chip", torch_device_type="cpu", needs_hardware=False, triton_backend=None
)


def able(**features: tuple[Support, str]) -> Capabilities:
    return Capabilities(table={k: Capability(support=s, reason=r) for k, (s, r) in features.items()})


def test_every_device_is_a_station(stations: Stations) -> None:
    assert [station.name for station in stations()] == ["chip:0", "chip:1"]
    assert {station.ref.version for station in stations()} == {"0.3"}


def test_named_devices_are_taken(chip: Chips, request_of: Requests) -> None:
    (station,) = stations_of([chip()], request_of(devices=("chip:1",)))
    assert station.device.index == 1


def test_a_device_that_is_not_there_is_named_with_those_that_are(chip: Chips, request_of: Requests) -> None:
    with pytest.raises(UsageError, match="no device chip:7") as caught:
        stations_of([chip()], request_of(devices=("chip:7", "chip:0")))
    assert caught.value.why == "found: chip:0, chip:1"


def test_a_device_in_a_bad_state_is_left_out(stations: Stations) -> None:
    found = stations(devices=(Device(index=0, name="Chip 1"), BUSY))
    assert [station.name for station in found] == ["chip:0"]


def test_no_usable_device_says_why(stations: Stations) -> None:
    with pytest.raises(NoDeviceError, match="chip has no usable device") as caught:
        stations(devices=(BUSY,))
    assert caught.value.why == "chip:2: fell off the bus"
    with pytest.raises(NoDeviceError):
        stations(devices=())


def test_a_dtype_without_support_has_its_reason(stations: Stations) -> None:
    station = stations(
        can=able(float16=(Support.UNSUPPORTED, "no halves"), float32=(Support.PARTIAL, "slow"))
    )[0]
    half, single = case("", self=normal((3,), dtype=fp16)), case("", self=normal((3,), dtype=fp32))
    assert (station.unsupported(half), station.unsupported(single)) == ("no halves", "")
    to_half = case("", self=normal((3,), dtype=fp32), dtype=DType.FLOAT16)
    assert station.unsupported(to_half) == "no halves"


def test_a_dtype_without_support_or_reason_is_named(stations: Stations) -> None:
    station = stations(can=able(float16=(Support.UNSUPPORTED, "")))[0]
    assert station.unsupported(case("", self=normal((3,), dtype=fp16))) == "no float16"


def test_what_is_unknown_is_tried(stations: Stations) -> None:
    station = stations()[0]
    assert station.unsupported(case("", self=normal((3,), dtype=fp16))) == ""
    assert station.times


def test_large_tensors_need_large_memory(stations: Stations) -> None:
    small = stations(can=able(large_memory=(Support.UNSUPPORTED, "8 GiB")))[0]
    large, usual = case("", self=normal((2**31,), dtype=fp16)), case("", self=normal((2**20,), dtype=fp16))
    assert (small.unsupported(large), small.unsupported(usual)) == ("8 GiB", "")
    assert stations()[0].unsupported(large) == ""


def test_times_may_mean_nothing(stations: Stations) -> None:
    assert not stations(can=able(**{Feature.TIMING.value: (Support.UNSUPPORTED, "no chip")}))[0].times


def test_peaks_come_from_the_target_of_that_name(stations: Stations) -> None:
    target = Target(
        vendor="chip",
        arch="c1",
        peaks=Peaks(bytes_per_second=1e12, source="datasheet"),
        device_names=("Chip 1",),
    )
    assert stations(targets=(target,))[0].peaks.bytes_per_second == 1e12
    other = (Device(index=0, name="Chip 2"),)
    assert stations(targets=(target,), devices=other)[0].peaks == Peaks()


@pytest.mark.parametrize(
    ("info", "wanted", "translates"),
    [
        (HOST_ONLY, DeviceStrings.AUTO, True),
        (HOST_ONLY, DeviceStrings.STRICT, False),
        (None, DeviceStrings.AUTO, False),
        (None, DeviceStrings.TRANSLATE, True),
    ],
)
def test_device_names_are_translated_where_there_is_no_hardware(
    stations: Stations, info: BackendInfo | None, wanted: DeviceStrings, translates: bool
) -> None:
    station = stations(**({"info": info} if info else {}))[0]
    assert station.translates(wanted) == translates


def test_jobs_are_as_many_as_asked_for(stations: Stations) -> None:
    station = stations()[0]
    assert station.jobs(3) == 3
    assert station.jobs(None) >= 1


def test_candidates_are_confined_and_the_reference_is_not(stations: Stations, tmp_path: Path) -> None:
    scratch = tmp_path / "bundle" / "scratch"
    station = stations()[1]
    candidate = station.candidate_plan(Sandbox.BUBBLEWRAP, scratch)
    reference = station.reference_plan(scratch)
    assert (candidate.module, candidate.level) == (CANDIDATE_MODULE, Sandbox.BUBBLEWRAP)
    assert (reference.module, reference.level) == (REFERENCE_MODULE, Sandbox.PROCESS)
    assert candidate.hidden == tmp_path / "bundle"
    assert candidate.environment["CHIP_VISIBLE"] == reference.environment["CHIP_VISIBLE"] == "1"


def test_memory_is_capped_only_where_no_device_maps_its_own(stations: Stations, tmp_path: Path) -> None:
    assert stations()[0].candidate_plan(Sandbox.PROCESS, tmp_path).memory_bytes is None
    host = stations(info=HOST_ONLY)[0]
    assert (host.candidate_plan(Sandbox.PROCESS, tmp_path).memory_bytes or 0) > 1 << 28
    assert host.reference_plan(tmp_path).memory_bytes is None
