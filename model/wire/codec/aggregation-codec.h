/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AGGREGATION_CODEC_H
#define AGGREGATION_CODEC_H

#include "protocol-codec.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The codec of packets of gradients, which switches add up: IP, UDP (checksum 0) to the port of the
 * protocol, in both directions, its header and the values, 32 bits each in network order. A
 * subclass adds the header of one protocol. Such a frame is more than its headers, so it never
 * travels as headers alone.
 *
 * The source port is FabricFrame::entropy, as in RoCE frames.
 */
class AggregationCodec : public ProtocolCodec
{
  public:
    static constexpr uint32_t WORD = 4; //!< bytes of a value

    uint32_t GetBytes(const FabricFrame& frame) const override;
    uint32_t GetHeaderBytes(const FabricFrame& frame) const override;
    void SetEthernet(const FabricFrame& frame, EthernetHeader& ethernet) const override;
    void WriteHeaders(Buffer::Iterator i, const FabricFrame& frame) const override;
    Ptr<Packet> Write(const FabricFrame& frame) const override;
    CodecResult Read(const FrameBytes& bytes, FabricFrame& frame) const override;
    CodecResult ReadHeaders(const FrameBytes& bytes, FabricFrame& frame) const override;

    /**
     * Complete a frame of the kind of this codec: payload, size on the wire, entropy and the hash
     * of the flow.
     *
     * @param [in,out] frame the frame, with hosts, IP version, header fields and values
     * @param entropy UDP source port
     */
    void Complete(FabricFrame& frame, uint16_t entropy) const;

    /// Set what Complete() sets of the flow: entropy and hash.
    /// @param [in,out] frame the frame, with hosts  @param entropy UDP source port
    static void SetFlow(FabricFrame& frame, uint16_t entropy);

  protected:
    /// @return the UDP destination port
    virtual uint16_t GetPort() const = 0;

    /// @return the kind of the frames
    virtual FrameKind GetKind() const = 0;

    /// @return bytes behind the UDP header
    virtual uint32_t GetBodyBytes(const FabricFrame& frame) const = 0;

    /// Write what is behind the UDP header.
    virtual void WriteBody(Buffer::Iterator i, const FabricFrame& frame) const = 0;

    /// Read what is behind the UDP header.  @param size bytes  @return OK, or why there is no frame
    virtual CodecResult ReadBody(Buffer::Iterator i, uint32_t size, FabricFrame& frame) const = 0;

    /// Write the values.  @param [in,out] i where; then, behind them
    static void WriteValues(Buffer::Iterator& i, const FabricFrame& frame);

    /// Read the values.  @param [in,out] i where; then, behind them
    static void ReadValues(Buffer::Iterator& i, uint32_t count, FabricFrame& frame);
};

} // namespace aifabric
} // namespace ns3

#endif /* AGGREGATION_CODEC_H */
