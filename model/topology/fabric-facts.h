/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_FACTS_H
#define FABRIC_FACTS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/time-units.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the policies of a queue pair get to know of the fabric when they start. A script that builds
 * its NICs by hand may leave out what only a fabric knows; it is 0 then.
 */
struct FabricFacts
{
    DataRate portRate{0};              //!< of one port of the NIC
    uint32_t planes{1};                //!< ports of the NIC
    uint32_t mtu{0};                   //!< payload of a full packet, in bytes
    Time baseRtt;                      //!< between a full packet and its acknowledgement on the
                                       //!< longest path, where nothing waits; 0: not known
    std::array<uint32_t, 2> uplinks{}; //!< of a leaf, and of the switch above it; 0: it has none
    bool trims{false};                 //!< switches trim packets that they have no room for
    bool telemetry{false};             //!< switches write telemetry into packets (PathTelemetry)

    /// @return bandwidth-delay product of one port, in bytes; 0: not known
    uint64_t GetPortBdp() const
    {
        return static_cast<uint64_t>(portRate.GetBitRate() / BIT_PS_PER_BYTE *
                                     baseRtt.GetPicoSeconds());
    }

    /// @return bandwidth-delay product of all ports together, in bytes; 0: not known
    uint64_t GetBdp() const
    {
        return planes * GetPortBdp();
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_FACTS_H */
