/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_IMM_HEADER_H
#define ROCE_IMM_HEADER_H

#include "ns3/header.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Immediate data extended transport header (InfiniBand Architecture Specification, volume 1, clause
 * 9.3.6): 4 bytes that the receiver's completion hands to the application.
 */
class RoceImmHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 4; //!< size in bytes

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param immediate the application's word
    void SetImmediate(uint32_t immediate);
    /// @return the application's word
    uint32_t GetImmediate() const;

    // Inherited
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint32_t m_immediate{0}; //!< the application's word
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_IMM_HEADER_H */
