"""Huawei Ascend NPUs for KGB: discovery by DCMI or npu-smi, torch-npu's events, triton-ascend."""

from kgb_backend_ascend.plugin import AscendBackend

__all__ = ["AscendBackend"]
