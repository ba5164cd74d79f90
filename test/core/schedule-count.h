/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_COUNT_H
#define SCHEDULE_COUNT_H

#include <cstdint>
#include <cstdlib>

/// @return how many random schedules of in-network aggregation to run: what the environment
/// variable AI_FABRIC_SCHEDULES says  @param usual how many without it
inline uint32_t
CountSchedules(uint32_t usual)
{
    const char* const wanted = std::getenv("AI_FABRIC_SCHEDULES");
    return wanted ? std::strtoul(wanted, nullptr, 10) : usual;
}

#endif /* SCHEDULE_COUNT_H */
