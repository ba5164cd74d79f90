/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOAL_READER_H
#define GOAL_READER_H

#include "goal-schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Read a schedule in GOAL (Group Operation Assembly Language), as LogGOPSim and ATLAHS do: the text
 * form (ReadGoalText()) or the binary form (ReadGoalBinary()).
 *
 * A send ends when it is acknowledged, a receive when the message has come. Messages between two
 * ranks with a tag match in order. The network replaces the parameters of LogGOPS.
 *
 * @param path the file
 * @param placement host by rank; empty: rank r runs on host r
 * @return what the hosts do
 * @throws std::invalid_argument with one line that names the file, the place in it and what is
 * allowed
 */
GoalWorkload ReadGoalFile(const std::string& path,
                          uint32_t hosts,
                          const std::vector<uint32_t>& placement = {});

} // namespace aifabric
} // namespace ns3

#endif /* GOAL_READER_H */
