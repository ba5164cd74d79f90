/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "atp-memory.h"

namespace ns3
{
namespace aifabric
{

SlotMemory::Verdict
AtpMemory::Contend(Slot&, Fragment&)
{
    return Verdict::COLLIDES;
}

} // namespace aifabric
} // namespace ns3
