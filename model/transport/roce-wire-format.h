/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_WIRE_FORMAT_H
#define ROCE_WIRE_FORMAT_H

#include "ns3/fabric-frame.h"
#include "ns3/frame-codec.h"
#include "ns3/path-telemetry.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * In which format the queue pairs of a NIC send, and how many bytes of the wire their packets take.
 */
class RoceWireFormat
{
  public:
    /// In what queue pairs send.
    enum IpVersion : uint8_t
    {
        IPV4 = 4,
        IPV6 = 6,
    };

    /// @return whether queue pairs send IPv6
    bool SendsIpv6() const
    {
        return m_ipVersion == IPV6;
    }

    /// @return FrameFlag bits of the frames that queue pairs send: FRAME_IPV6 or none
    uint8_t GetIpFlags() const
    {
        return SendsIpv6() ? FRAME_IPV6 : 0;
    }

    /// @param bytes of the outer headers of what queue pairs send (OuterCodec); 0 unless set
    void SetOuterBytes(uint32_t bytes)
    {
        m_outerBytes = bytes + (m_carriesTelemetry ? PathTelemetry::BYTES : 0);
    }

    /// Reserve room for the telemetry of switches (PathTelemetry) in all packets from now on.
    void CarryTelemetry()
    {
        m_outerBytes += m_carriesTelemetry ? 0 : PathTelemetry::BYTES;
        m_carriesTelemetry = true;
    }

    /// @return whether packets carry telemetry of switches
    bool CarriesTelemetry() const
    {
        return m_carriesTelemetry;
    }

    /// @return bytes of an acknowledgement on the wire, as they are charged  @param ipv6 whether it
    /// travels in IPv6
    uint32_t GetAckBytes(bool ipv6) const
    {
        return m_ackBytes + m_outerBytes + (ipv6 ? FrameCodec::IPV6_MORE : 0);
    }

    /// @return the same of an acknowledgement in the IP version of this NIC
    uint32_t GetAckBytes() const
    {
        return GetAckBytes(SendsIpv6());
    }

    /// @return bytes on the wire of a packet that a queue pair sends  @param opcode a RoceOpcode
    /// @param payload bytes of the message in it
    uint32_t GetWireBytes(uint8_t opcode, uint32_t payload) const
    {
        return FrameCodec::RoceWireBytes(opcode, payload, SendsIpv6()) + m_outerBytes;
    }

    /// @return whether an RETH is charged with its bytes on the wire
    bool ChargesReth() const
    {
        return m_chargesReth;
    }

  protected:
    /// A NIC has it; nothing else owns it.
    ~RoceWireFormat() = default;

    /// @return a type with the attributes of the format  @param type of a subclass
    static TypeId AddFormat(TypeId type);

  private:
    uint32_t m_ackBytes{0};         //!< bytes of an acknowledgement in IPv4
    uint32_t m_outerBytes{0};       //!< of outer headers, and of telemetry
    bool m_chargesReth{true};       //!< an RETH takes its bytes on the wire
    bool m_carriesTelemetry{false}; //!< packets carry telemetry of switches
    IpVersion m_ipVersion{IPV4};    //!< what queue pairs send
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_WIRE_FORMAT_H */
