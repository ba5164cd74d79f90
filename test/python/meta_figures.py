# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the tests of the figures of AI zones share: a figure that runs nothing, and what it says."""

import pytest

pytest.importorskip("matplotlib")

from ai_fabric.reproduce.papers.meta import MetaStudy


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.setattr("ai_fabric.reproduce.study.ask", lambda *_: ["ecmp"])
    return MetaStudy("meta-x", "a figure", "program", tmp_path)


def words(study, part):
    """Which claims with these words hold."""
    return [verdict.holds for verdict in study.verdicts if part in verdict.claim]
