/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_RETH_HEADER_H
#define ROCE_RETH_HEADER_H

#include "ns3/fabric-frame.h"
#include "ns3/header.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * RDMA extended transport header (InfiniBand Architecture Specification, volume 1, clause 9.3.3),
 * on the first packet of an RDMA write: virtual address 8, remote key 4, length of the message 4.
 */
class RoceRethHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 16; //!< size in bytes

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param reth the contents
    void SetReth(const Reth& reth);
    /// @return the contents
    const Reth& GetReth() const;

    // Inherited
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    Reth m_reth{0, 0, 0}; //!< contents
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_RETH_HEADER_H */
