/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SRV6_ROUTING_HEADER_H
#define SRV6_ROUTING_HEADER_H

#include "ns3/header.h"
#include "ns3/usid-scheme.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The Segment Routing Header (RFC 8754): an IPv6 routing header of type 4, without TLVs.
 *
 * | Bytes | Field                                                        |
 * |-------|--------------------------------------------------------------|
 * | 0     | next header                                                  |
 * | 1     | length in units of 8 bytes, the first 8 bytes not counted    |
 * | 2     | routing type, 4                                              |
 * | 3     | segments left                                                |
 * | 4     | last entry: the index of the last element of the list        |
 * | 5     | flags, 0                                                     |
 * | 6-7   | tag, 0                                                       |
 * | 8-    | segments of 16 bytes each, the last one of the path first    |
 */
class Srv6RoutingHeader : public Header
{
  public:
    using Address = UsidScheme::Address; //!< a segment

    static constexpr uint8_t PROTOCOL = 43;       //!< next header of a routing header
    static constexpr uint8_t ROUTING_TYPE = 4;    //!< of segment routing
    static constexpr uint32_t FIXED_BYTES = 8;    //!< what is before the segments
    static constexpr uint32_t SEGMENT_BYTES = 16; //!< a segment

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return bytes of a header  @param segments how many segments it has
    static constexpr uint32_t GetBytes(uint32_t segments)
    {
        return FIXED_BYTES + SEGMENT_BYTES * segments;
    }

    /// @param nextHeader what follows the header
    void SetNextHeader(uint8_t nextHeader);
    /// @return what follows the header
    uint8_t GetNextHeader() const;

    /// @param left index of the segment that is the destination address now
    void SetSegmentsLeft(uint8_t left);
    /// @return index of the segment that is the destination address now
    uint8_t GetSegmentsLeft() const;

    /// @param segments the segments, the last one of the path first, at most 127
    void SetSegments(const std::vector<Address>& segments);
    /// @return the segments, the last one of the path first
    const std::vector<Address>& GetSegments() const;

    /// @return whether what was read is a segment routing header without TLVs
    bool IsValid() const;

    // Inherited
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint8_t m_nextHeader{0};         //!< what follows
    uint8_t m_left{0};               //!< segments left
    bool m_isValid{true};            //!< what was read is such a header
    std::vector<Address> m_segments; //!< the last one of the path first
};

} // namespace aifabric
} // namespace ns3

#endif /* SRV6_ROUTING_HEADER_H */
