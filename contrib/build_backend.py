# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Makes a wheel of the package ai_fabric for pip (PEP 517, 660), which needs neither the network nor another package for
it. The wheel has copies of the files of the clone that the package reads."""

import base64
import hashlib
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = "ai_fabric"
OF_CLONE = "README.md", "scenarios/gpt-2-data-parallel.toml"  # as ai_fabric.common.clone finds them
WHEEL = "Wheel-Version: 1.0\nGenerator: ai-fabric\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
Settings = dict[str, object] | None


class UnsupportedOperation(Exception):
    """What pip and build expect of a backend (PEP 517)."""


def project() -> dict[str, object]:
    """The table of pyproject.toml."""
    return tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def metadata(about: dict) -> str:
    """The file METADATA."""
    lines = ["Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {about['version']}", f"Summary: {about['description']}",
             f"License: {about['license']['text']}", f"Requires-Python: {about['requires-python']}"]
    lines += [f"Requires-Dist: {name}" for name in about["dependencies"]]
    for extra, names in about["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {name}; extra == "{extra}"' for name in names)]
    return "\n".join(lines) + "\n"


def files() -> Iterator[tuple[str, bytes]]:
    """The files of the package, by their names in a wheel."""
    for path in sorted((HERE / PACKAGE).rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(HERE).as_posix(), path.read_bytes()
    for name in OF_CLONE:
        yield f"{PACKAGE}/clone/{name}", (HERE.parent / name).read_bytes()


def write_wheel(folder: str, contents: Iterator[tuple[str, bytes]]) -> str:
    """Writes a wheel into a folder; returns its name."""
    about = project()
    stem = f"{PACKAGE}-{about['version']}"
    info, record = f"{stem}.dist-info", ""
    name = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in [*contents, (f"{info}/METADATA", metadata(about).encode()), (f"{info}/WHEEL", WHEEL.encode())]:
            wheel.writestr(path, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
        wheel.writestr(f"{info}/RECORD", f"{record}{info}/RECORD,,\n")
    return name


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """For `pip install ./contrib`."""
    return write_wheel(wheel_directory, files())


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """PEP 517 wants it; a source distribution would lack the files of the clone."""
    raise UnsupportedOperation("ai_fabric has no source distribution: install it from the clone")


def build_editable(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """For `pip install --editable ./contrib`: the clone stays where the package is."""
    return write_wheel(wheel_directory, iter([(f"{PACKAGE}.pth", f"{HERE}\n".encode())]))
