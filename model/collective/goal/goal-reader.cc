/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "goal-reader.h"

#include "goal-binary.h"
#include "goal-text.h"

#include "ns3/table-reader.h"

#include <fstream>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

GoalWorkload
ReadGoalFile(const std::string& path, uint32_t hosts, const std::vector<uint32_t>& placement)
{
    std::ifstream input = OpenTable(path);
    GoalSchedule schedule(hosts, placement);
    const auto read = IsGoalBinary(input) ? &ReadGoalBinary : &ReadGoalText;
    read(input, path, schedule);
    try
    {
        return schedule.Finish();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(path + ": " + error.what());
    }
}

} // namespace aifabric
} // namespace ns3
