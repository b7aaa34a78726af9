"""With a chip: kernels that are right pass, and kernels that are wrong fail, through the real `kgb run`."""

from __future__ import annotations

import pytest

from kgb_core.models.device import Capabilities, Feature
from kgb_core.models.verdict import Verdict
from kgb_core.testing.asking import needs
from kgb_core.testing.judged import Judged, failures, is_good, told


def test_known_good_kernels_pass(judged: Judged) -> None:
    """Kernels that are right pass every case that the device can run."""
    for sample, records in judged.samples.items():
        if is_good(sample):
            assert not failures(records), f"{sample} is right: {told(failures(records))}"
            assert any(record.verdict is Verdict.PASSED for record in records), f"{sample}: {told(records)}"


def test_known_bad_kernels_fail(judged: Judged) -> None:
    """Each wrong kernel fails a case: wrong values, no kernel, the library's work, writing past the end."""
    wrong = {sample: records for sample, records in judged.samples.items() if not is_good(sample)}
    assert wrong, "no kernel that is wrong was judged"
    passed = sorted(sample for sample, records in wrong.items() if not failures(records))
    assert not passed, f"wrong, and nothing of it was found: {', '.join(passed)}"


def test_known_good_kernels_are_timed(judged: Judged, capabilities: Capabilities) -> None:
    """A kernel that is right gets a time that can be believed, and a speedup."""
    needs(capabilities, Feature.TIMING)
    right = [records for sample, records in judged.samples.items() if is_good(sample)]
    if any(failures(records) for records in right):
        pytest.skip("a kernel that is right did not pass: the rule known-good-kernels-pass tells why")
    assert judged.timed, "no kernel that is right was timed"
    for record in judged.timed:
        assert record.timing is not None, f"{record.verdict.value} {record.message}"
        assert not record.timing.invalid, f"its time can't be believed: {record.timing.invalid}"
