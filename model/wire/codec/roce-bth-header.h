/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_BTH_HEADER_H
#define ROCE_BTH_HEADER_H

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
 * Base transport header of InfiniBand (InfiniBand Architecture Specification, volume 1, clause
 * 9.2), the first header after UDP in RoCEv2 (Annex A17). 12 bytes:
 *
 * | Byte  | Contents                                                                   |
 * |-------|----------------------------------------------------------------------------|
 * | 0     | opcode                                                                     |
 * | 1     | solicited event 1, migration request 1, pad count 2, transport version 4   |
 * | 2-3   | partition key                                                              |
 * | 4     | FECN 1, BECN 1, reserved 6                                                 |
 * | 5-7   | destination queue pair                                                     |
 * | 8     | acknowledgement request 1, reserved 7                                      |
 * | 9-11  | packet sequence number                                                     |
 */
class RoceBthHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 12;                  //!< size in bytes
    static constexpr uint16_t DEFAULT_PARTITION = 0xFFFF; //!< default partition, full member
    static constexpr uint8_t FLAGS =                      //!< the FrameFlag bits it carries
        BTH_SOLICITED | BTH_MIG_REQ | BTH_FECN | BTH_BECN | BTH_ACK_REQ;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param opcode the operation, a RoceOpcode
    void SetOpcode(uint8_t opcode);
    /// @return the operation
    uint8_t GetOpcode() const;

    /// @param flags FrameFlag bits; those that are not in FLAGS are left out
    void SetFlags(uint8_t flags);
    /// @return the FrameFlag bits, all of them in FLAGS
    uint8_t GetFlags() const;

    /// @param reserved bits 6 to 0 of byte 8, which RC does not use
    void SetReserved(uint8_t reserved);
    /// @return these bits
    uint8_t GetReserved() const;

    /// @param padCount bytes after the payload that fill it to a multiple of four, 0 to 3
    void SetPadCount(uint8_t padCount);
    /// @return the number of pad bytes
    uint8_t GetPadCount() const;

    /// @return the transport version; 0 is the only one defined
    uint8_t GetTransportVersion() const;

    /// @param partitionKey the partition, DEFAULT_PARTITION unless set
    void SetPartitionKey(uint16_t partitionKey);
    /// @return the partition
    uint16_t GetPartitionKey() const;

    /// @param destinationQp the destination queue pair, 24 bits
    void SetDestinationQp(uint32_t destinationQp);
    /// @return the destination queue pair
    uint32_t GetDestinationQp() const;

    /// @param psn the packet sequence number, 24 bits
    void SetPsn(uint32_t psn);
    /// @return the packet sequence number
    uint32_t GetPsn() const;

    // Inherited
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint8_t m_opcode{0};                        //!< operation
    uint8_t m_flags{0};                         //!< FrameFlag bits
    uint8_t m_reserved{0};                      //!< bits 6 to 0 of byte 8
    uint8_t m_padCount{0};                      //!< pad bytes after the payload
    uint8_t m_transportVersion{0};              //!< transport version
    uint16_t m_partitionKey{DEFAULT_PARTITION}; //!< partition
    uint32_t m_destinationQp{0};                //!< destination queue pair, 24 bits
    uint32_t m_psn{0};                          //!< packet sequence number, 24 bits
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_BTH_HEADER_H */
