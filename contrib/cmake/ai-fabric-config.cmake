# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

# find_package(ai-fabric): the target ns3::ai-fabric
include(${CMAKE_CURRENT_LIST_DIR}/find-ns3.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ai-fabric-targets.cmake)
