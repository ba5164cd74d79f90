/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IP_PACKET_CODEC_H
#define IP_PACKET_CODEC_H

#include "protocol-codec.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The codec of FrameKind::IP: Ethernet and the packet of another protocol stack, which the frame
 * carries. Such a frame has bytes of a packet behind its headers, so it never travels as headers
 * alone.
 */
class IpPacketCodec : public ProtocolCodec
{
  public:
    uint32_t GetBytes(const FabricFrame& frame) const override;
    uint32_t GetHeaderBytes(const FabricFrame& frame) const override;
    void SetEthernet(const FabricFrame& frame, EthernetHeader& ethernet) const override;
    void WriteHeaders(Buffer::Iterator i, const FabricFrame& frame) const override;
    Ptr<Packet> Write(const FabricFrame& frame) const override;
    CodecResult Read(const FrameBytes& bytes, FabricFrame& frame) const override;
    CodecResult ReadHeaders(const FrameBytes& bytes, FabricFrame& frame) const override;

    /**
     * Set the fields of a new frame by the packet that it is to carry.
     *
     * @param packet the packet from its IP header on; the frame keeps it, without what is behind
     *        its end
     * @param [in,out] frame a new frame
     * @return OK, or why there is no frame
     */
    static CodecResult ReadPacket(const Ptr<Packet>& packet, FabricFrame& frame);

    /// @return a copy of the packet of a frame whose header has the frame's tos and ttl, or a null
    /// pointer if the header has them already
    static Ptr<Packet> CopyIfChanged(const FabricFrame& frame);
};

} // namespace aifabric
} // namespace ns3

#endif /* IP_PACKET_CODEC_H */
