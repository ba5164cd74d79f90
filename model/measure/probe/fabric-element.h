/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_ELEMENT_H
#define FABRIC_ELEMENT_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <string>
#include <tuple>

namespace ns3
{
namespace aifabric
{

/// A part of a fabric that fails as a whole.
struct FabricElement
{
    /// What it is.
    enum Kind : uint8_t
    {
        NIC_PORT, //!< a port of a NIC, or the link of the port
        LINK,     //!< a link between a switch of tier 0 and one of tier 1
        T0,       //!< a switch of tier 0
        T1,       //!< a switch of tier 1
    };

    Kind kind{LINK};   //!< what it is
    uint32_t id{0};    //!< number of the host, of the link, or of the switch
    uint16_t plane{0}; //!< its plane

    /// @return whether this comes first in an order of all elements
    bool operator<(const FabricElement& other) const
    {
        return std::tie(plane, kind, id) < std::tie(other.plane, other.kind, other.id);
    }

    /// @return whether both are the same
    bool operator==(const FabricElement& other) const
    {
        return std::tie(plane, kind, id) == std::tie(other.plane, other.kind, other.id);
    }

    /// @return what it is, such as "nic_port"
    const char* GetKindName() const;

    /// @return its name, such as "host-3:1", or that of FabricGraph
    std::string GetName(const FabricGraph& graph) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_ELEMENT_H */
