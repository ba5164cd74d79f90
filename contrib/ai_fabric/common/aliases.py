# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Types that many parts use."""

import os
from collections.abc import Mapping
from typing import Any

FilePath = str | os.PathLike[str]
Options = Mapping[str, object]  # of ai-fabric-run: values by name
Values = dict[str, Any]  # settings or results of a run by name, as JSON has them
