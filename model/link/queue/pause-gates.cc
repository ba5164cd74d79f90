/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pause-gates.h"

#include "frame-source.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

void
PauseGates::Close(uint8_t classes, int64_t until)
{
    for (uint8_t rest = classes; rest; rest &= rest - 1)
    {
        m_openAt[__builtin_ctz(rest)] = until;
    }
}

uint8_t
PauseGates::Open(uint8_t closed, int64_t now) const
{
    uint8_t left = closed;
    for (uint8_t rest = closed; rest; rest &= rest - 1)
    {
        const int c = __builtin_ctz(rest);
        left &= m_openAt[c] <= now ? ~(1 << c) : 0xFF;
    }
    return left;
}

int64_t
PauseGates::GetOpening(uint8_t classes) const
{
    int64_t opening = NEVER;
    for (uint8_t rest = classes; rest; rest &= rest - 1)
    {
        opening = std::min(opening, m_openAt[__builtin_ctz(rest)]);
    }
    return opening;
}

} // namespace aifabric
} // namespace ns3
