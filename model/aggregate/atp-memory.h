/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ATP_MEMORY_H
#define ATP_MEMORY_H

#include "slot-memory.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The slots of ATP (Lao et al., NSDI 2021): first come, first served. A packet whose slot belongs
 * to another fragment passes with the mark of a collision. A slot is freed by the acknowledgement,
 * so that a duplicate sends a complete sum again, in case it was lost.
 */
class AtpMemory : public SlotMemory
{
  public:
    /// @param freesAtCompletion free a slot when its sum is complete: what ATP does not do, to see
    /// what it is worth
    explicit AtpMemory(uint32_t slots, bool freesAtCompletion = false)
        : SlotMemory(slots, freesAtCompletion)
    {
    }

  protected:
    Verdict Contend(Slot& slot, Fragment& fragment) override;
};

} // namespace aifabric
} // namespace ns3

#endif /* ATP_MEMORY_H */
