/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_CODEC_H
#define ROCE_CODEC_H

#include "bth-codec.h"
#include "protocol-codec.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The codec of FrameKind::ROCE: IP, UDP to port 4791 (checksum 0), BTH (P_Key 0xFFFF), the headers
 * of the transport (BthCodec), the message's bytes (all zero: the fabric carries lengths, not
 * contents), pad, ICRC.
 */
class RoceCodec : public ProtocolCodec
{
  public:
    uint32_t GetBytes(const FabricFrame& frame) const override;
    uint32_t GetHeaderBytes(const FabricFrame& frame) const override;
    void SetEthernet(const FabricFrame& frame, EthernetHeader& ethernet) const override;
    void WriteHeaders(Buffer::Iterator i, const FabricFrame& frame) const override;
    Ptr<Packet> Write(const FabricFrame& frame) const override;
    CodecResult Read(const FrameBytes& bytes, FabricFrame& frame) const override;
    CodecResult ReadHeaders(const FrameBytes& bytes, FabricFrame& frame) const override;

  private:
    /// @return the codec of the transport that has an opcode
    static const BthCodec& GetTransport(uint8_t opcode);

    /// @return OK, or what is wrong around the transport headers of a packet  @param bytes the
    /// packet
    static CodecResult Check(const FrameBytes& bytes);

    /// Read what a switch has left of a packet.  @param bytes what is left
    /// @param [in,out] frame a new frame  @return OK, or why there is no frame
    CodecResult ReadTrimmed(const FrameBytes& bytes, FabricFrame& frame) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_CODEC_H */
