/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOAL_BINARY_H
#define GOAL_BINARY_H

#include "goal-schedule.h"

#include <istream>
#include <string>

namespace ns3
{
namespace aifabric
{

/// @return whether a file is the binary form of GOAL, of which nothing was read
bool IsGoalBinary(std::istream& input);

/**
 * Read the binary form of GOAL, which LogGOPSim's txt2bin writes, on machines that store the least
 * byte of a number first:
 *
 * - 8 bytes: 4223; 4 bytes: the number of ranks; a byte each: the largest cpu and nic;
 * - for each rank 8 bytes each: where its schedule begins and ends, counted from byte 8;
 * - a schedule: 4 bytes each: the number of operations, that of operations that wait for none, and
 *   the indices of these; the operations; the appendix, of 4 bytes for each index of an operation;
 * - an operation, of 39 bytes: for how many it waits (4), what it is (1), the other rank (4), bytes
 *   or nanoseconds (8), tag (4), cpu (1), nic (1); of the operations that wait for its end, and of
 *   those that wait for its begin, how many they are (4), and where they begin in the appendix (4).
 *
 * @param input the file
 * @param name what to call the file in messages
 * @param schedule where to enter it
 * @throws std::invalid_argument with one line that has the name, rank, operation and what is wrong
 */
void ReadGoalBinary(std::istream& input, const std::string& name, GoalSchedule& schedule);

} // namespace aifabric
} // namespace ns3

#endif /* GOAL_BINARY_H */
