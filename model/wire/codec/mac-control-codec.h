/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MAC_CONTROL_CODEC_H
#define MAC_CONTROL_CODEC_H

#include "protocol-codec.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The codec of FrameKind::PAUSE and FrameKind::PFC: Ethernet to 01:80:C2:00:00:01 and a
 * MacControlHeader.
 */
class MacControlCodec : public ProtocolCodec
{
  public:
    uint32_t GetBytes(const FabricFrame& frame) const override;
    uint32_t GetHeaderBytes(const FabricFrame& frame) const override;
    void SetEthernet(const FabricFrame& frame, EthernetHeader& ethernet) const override;
    void WriteHeaders(Buffer::Iterator i, const FabricFrame& frame) const override;
    Ptr<Packet> Write(const FabricFrame& frame) const override;
    CodecResult Read(const FrameBytes& bytes, FabricFrame& frame) const override;
    CodecResult ReadHeaders(const FrameBytes& bytes, FabricFrame& frame) const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* MAC_CONTROL_CODEC_H */
