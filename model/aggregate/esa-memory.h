/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ESA_MEMORY_H
#define ESA_MEMORY_H

#include "slot-memory.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The slots of ESA (Wang et al., arXiv 2201.06398; the details are inferred): a packet with a
 * higher priority than that of the fragment that has its slot takes the slot, and the partial sum
 * leaves for the parameter server in its place. Equal priorities collide, so that two fragments do
 * not take the slot from each other in turn. A slot is free as soon as its sum is complete.
 *
 * With ageing, each packet that collides halves the priority of the fragment that has the slot, so
 * that a fragment whose other packets never come does not keep it.
 */
class EsaMemory : public SlotMemory
{
  public:
    /// How the memory decides.
    struct Options
    {
        bool freesAtCompletion{true}; //!< otherwise at the acknowledgement, as ATP
        bool ages{true};              //!< collisions halve the priority of the slot
        bool refreshes{false};        //!< a packet that is added raises it to its own again
    };

    /// @param options how it decides
    explicit EsaMemory(uint32_t slots, Options options);

  protected:
    Verdict Contend(Slot& slot, Fragment& fragment) override;
    void Added(Slot& slot, const Fragment& fragment) override;

  private:
    Options m_options; //!< how it decides
};

} // namespace aifabric
} // namespace ns3

#endif /* ESA_MEMORY_H */
