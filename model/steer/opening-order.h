/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPENING_ORDER_H
#define OPENING_ORDER_H

#include "ns3/window-simulator.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The law that the queue pairs of a host have their numbers in the order of the times at which they
 * were opened. Either end of a connection opens it, at both hosts at once. A WindowSimulator runs
 * the two one after the other, through a window each: where the order of two openings at a host
 * cannot be that of their times, the run ends with an error, as its results could be others.
 */
class OpeningOrder
{
  public:
    /// @param hosts how many there are
    explicit OpeningOrder(std::size_t hosts);

    /**
     * A connection is opened now.
     *
     * @param a one host
     * @param b the other one
     * @return since when it may have been opened with the same numbers, in time steps
     */
    uint64_t Open(uint32_t a, uint32_t b);

    /// A connection is used now.  @param since what Open() returned
    void Use(uint64_t since) const;

  private:
    WindowSimulator* m_windows;       //!< the simulator, or nullptr: then time never goes back
    std::vector<uint64_t> m_openedAt; //!< by host: when a connection was opened last
};

} // namespace aifabric
} // namespace ns3

#endif /* OPENING_ORDER_H */
