"""Detached signatures: OpenSSH's, since every laboratory has the tool and keys already, and offline.

A laboratory signs with `ssh-keygen -Y sign -n kgb -f KEY manifest.json`. The manifest has the hash of every
other file, so the signature covers the bundle.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from kgb_core.errors import UsageError
from kgb_core.results import layout
from kgb_core.results.problems import Problem, error
from kgb_core.results.run import is_merged

NAMESPACE = "kgb"
"""What a signature is for: one made for another purpose is refused."""
_TOOL = "ssh-keygen"


def check_signature(bundle: Path, keys: Path, signature: Path | None = None) -> list[Problem]:
    """Check who vouches for a bundle.

    Args:
        bundle: its directory. Of a merged bundle that is not signed itself, each run must be.
        keys: a file of public keys, one a line, as in `id_ed25519.pub`.
        signature: the signature; `None`: `manifest.json.sig` in the bundle.

    Returns:
        What is wrong; nothing where the manifest is signed with one of the keys.

    Raises:
        UsageError: there is no key in the file, or no ssh-keygen.
    """
    allowed = _allowed_signers(keys)
    if signature is not None or not is_merged(bundle) or (bundle / layout.SIGNATURE).exists():
        return _checked(bundle, allowed, signature or bundle / layout.SIGNATURE)
    directories = sorted(child for child in (bundle / layout.RUNS).iterdir() if child.is_dir())
    return [
        problem.below(directory.relative_to(bundle).as_posix())
        for directory in directories
        for problem in _checked(directory, allowed, directory / layout.SIGNATURE)
    ]


def _checked(bundle: Path, allowed: str, signature: Path) -> list[Problem]:
    manifest = bundle / layout.MANIFEST
    if not manifest.is_file():
        return [error(layout.MANIFEST, "missing: there is nothing that could be signed")]
    if not signature.is_file():
        return [error(layout.SIGNATURE, "missing: nobody signed this bundle")]
    with tempfile.NamedTemporaryFile("w", prefix="kgb-signers-") as signers:
        signers.write(allowed)
        signers.flush()
        command = [_TOOL, "-Y", "verify", "-n", NAMESPACE, "-I", NAMESPACE]
        done = _run([*command, "-f", signers.name, "-s", str(signature)], manifest.read_bytes())
    if done.returncode == 0:
        return []
    words = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return [
        error(
            layout.SIGNATURE,
            f"not a signature of this manifest by one of the keys: {words[-1] if words else ''}",
        )
    ]


def _allowed_signers(keys: Path) -> str:
    """The file that ssh-keygen wants: who may sign, for what, with which key."""
    try:
        lines = keys.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"can't read {keys}.", str(problem), "give a file of public keys, such as id_ed25519.pub"
        ) from problem
    found = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not found or any("PRIVATE KEY" in line for line in found):
        raise UsageError(f"{keys} holds no public key.", hint="give the file that ends in .pub")
    return "".join(f'{NAMESPACE} namespaces="{NAMESPACE}" {line}\n' for line in found)


def _run(command: list[str], content: bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(command, input=content, capture_output=True, check=False)
    except FileNotFoundError as absent:
        raise UsageError(
            "signatures can't be checked.",
            f"{_TOOL} is not installed",
            "install OpenSSH's client, 8.1 or newer",
        ) from absent
