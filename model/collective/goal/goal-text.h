/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOAL_TEXT_H
#define GOAL_TEXT_H

#include "goal-schedule.h"

#include <istream>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * Read the text form of GOAL, which LogGOPSim's txt2bin reads:
 *
 *     num_ranks 2
 *     rank 0 {
 *     l1: calc 100 cpu 0              // nanoseconds
 *     l2: send 10b to 1 tag 5 cpu 0 nic 0
 *     l2 requires l1                  // begins after the end of l1
 *     l3: calc 7
 *     l3 irequires l2                 // begins after the begin of l2
 *     }
 *
 * The labels are optional, and stand before the lines that name them. tag, cpu and nic are 0
 * without. Of a tag the lower 32 bits count, as in LogGOPSim. Ranks come in any order, and may be
 * missing. An operation may follow another one on the same line.
 *
 * @param input the text
 * @param name what to call the text in messages, such as the file's name
 * @param schedule where to enter it
 * @throws std::invalid_argument with one line that has the name, the line, what stands there and
 * what is allowed
 */
void ReadGoalText(std::istream& input, const std::string& name, GoalSchedule& schedule);

} // namespace aifabric
} // namespace ns3

#endif /* GOAL_TEXT_H */
