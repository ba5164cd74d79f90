/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DSCP_TABLE_H
#define DSCP_TABLE_H

#include "ns3/object.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The traffic class (0 to 7) of each DSCP (0 to 63) at a port. A switch looks up the class of a
 * frame in the table of the port where the frame comes in, a NIC in that of the port that sends it.
 * It does so once a frame, and again when the DSCP changes (trimming). The class is then in the
 * frame (FabricFrame::GetClass()), for queues, gates, buffers and markers.
 *
 * The default is the class selector, the upper three bits of the DSCP (RFC 2474, section 4.2.2),
 * which frames have anyway: where all tables are so, nothing is looked up. Ports may share a table;
 * ClosHelper gives one to all ports. The ports of one NIC need equal tables, and PFC needs tables
 * that are equal at both ends of a link.
 */
class DscpTable : public Object
{
  public:
    static constexpr uint8_t DSCPS = 64;  //!< how many there are
    static constexpr uint8_t CLASSES = 8; //!< traffic classes

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    DscpTable();

    /// @return the class of a DSCP  @param dscp the DSCP, below 64
    uint8_t GetClass(uint8_t dscp) const
    {
        return m_classes[dscp];
    }

    /// @return whether the class of each DSCP is its class selector
    bool IsUsual() const
    {
        return m_isUsual;
    }

    /// @return whether all classes are those of another table
    bool IsEqual(const DscpTable& other) const;

  private:
    /// @param text classes by DSCP, as ReadRangeMap() has them
    void SetClasses(std::string text);

    /// @return classes by DSCP
    std::string GetClasses() const;

    alignas(64) std::array<uint8_t, DSCPS> m_classes; //!< by DSCP
    bool m_isUsual{true};                             //!< all are class selectors
};

} // namespace aifabric
} // namespace ns3

#endif /* DSCP_TABLE_H */
