/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_AETH_HEADER_H
#define ROCE_AETH_HEADER_H

#include "ns3/header.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// Values of the AETH syndrome (InfiniBand Architecture Specification, volume 1, clause 9.7.5.2).
enum AethSyndrome : uint8_t
{
    AETH_ACK = 0x1F,                  //!< acknowledgement without a limit of credits
    AETH_RNR_NAK = 0x20,              //!< receiver not ready; the low 5 bits say how long to wait
    AETH_NAK_PSN_SEQUENCE = 0x60,     //!< a packet before this PSN is missing
    AETH_NAK_INVALID_REQUEST = 0x61,  //!< request that the responder does not serve
    AETH_NAK_REMOTE_ACCESS = 0x62,    //!< memory that the requester may not reach
    AETH_NAK_REMOTE_OPERATION = 0x63, //!< the responder failed
};

/**
 * @ingroup ai-fabric
 *
 * ACK extended transport header (InfiniBand Architecture Specification, volume 1, clause 9.3.5):
 * syndrome 1 byte, message sequence number 3 bytes.
 */
class RoceAethHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 4; //!< size in bytes

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param syndrome what the responder says, an AethSyndrome
    void SetSyndrome(uint8_t syndrome);
    /// @return what the responder says
    uint8_t GetSyndrome() const;

    /// @param msn number of messages that the responder has completed, 24 bits
    void SetMsn(uint32_t msn);
    /// @return the message sequence number
    uint32_t GetMsn() const;

    // Inherited
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint8_t m_syndrome{AETH_ACK}; //!< what the responder says
    uint32_t m_msn{0};            //!< message sequence number, 24 bits
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_AETH_HEADER_H */
