/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_CODEC_H
#define FRAME_CODEC_H

#include "codec-result.h"
#include "mrc-codec.h"
#include "rc-codec.h"
#include "roce-bth-header.h"
#include "roce-icrc.h"
#include "spray-codec.h"

#include "ns3/buffer.h"
#include "ns3/fabric-frame.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Translates between a FabricFrame and the bytes that it stands for, from the Ethernet header up to
 * where the FCS would follow. Each protocol has a codec of its own (ProtocolCodec): RoceCodec, with
 * a BthCodec for each transport, IpPacketCodec, AtpCodec, SwitchMlCodec and MacControlCodec. This
 * class adds Ethernet, and finds the codec of a frame or of bytes.
 *
 * A frame is filled with zeros up to Ethernet's minimum of 60 bytes. A trimmed frame
 * (FRAME_TRIMMED) ends early; its headers say the lengths that it had. No checksum covers it, so
 * that only DeserializeTrimmed() reads it. A frame that was serialized and deserialized equals the
 * original in all that is on the wire; what is not (FabricFrame::ingress, GetClass, sentAt, and
 * header fields that the opcode does not carry) gets its default value.
 */
class FrameCodec
{
  public:
    using Result = CodecResult; //!< how a deserialization ended

    static constexpr uint32_t ETHERNET_SIZE = 14;  //!< Ethernet header in bytes
    static constexpr uint32_t FCS_SIZE = 4;        //!< frame check sequence in bytes
    static constexpr uint32_t MIN_FRAME_SIZE = 64; //!< smallest frame in bytes, FCS included
    static constexpr uint32_t IPV4_SIZE = 20;      //!< IPv4 header without options in bytes
    static constexpr uint32_t IPV6_SIZE = 40;      //!< IPv6 header in bytes
    static constexpr uint32_t IPV6_MORE =          //!< bytes that a frame in IPv6 has more than
        IPV6_SIZE - IPV4_SIZE;                     //!< the same one in IPv4
    static constexpr uint32_t UDP_SIZE = 8;        //!< UDP header in bytes
    static constexpr uint16_t ROCE_PORT = 4791;    //!< UDP destination port of RoCEv2
    static constexpr uint8_t UDP_PROTOCOL = 17;    //!< IP protocol number of UDP
    static constexpr uint32_t ROCE_SIZE =          //!< UDP, BTH and ICRC in bytes
        UDP_SIZE + RoceBthHeader::SIZE + RoceIcrc::SIZE;

    /**
     * @param size bytes above Ethernet
     * @return bytes of the frame on the wire, FCS included
     */
    static constexpr uint32_t EthernetWireBytes(uint32_t size)
    {
        const uint32_t bytes = ETHERNET_SIZE + size + FCS_SIZE;
        return bytes < MIN_FRAME_SIZE ? MIN_FRAME_SIZE : bytes;
    }

    /**
     * @param opcode a RoceOpcode
     * @param payload bytes of the message in the packet
     * @param ipv6 whether it travels in IPv6
     * @return bytes of the frame on the wire, pad and FCS included
     */
    static constexpr uint32_t RoceWireBytes(uint8_t opcode, uint32_t payload, bool ipv6)
    {
        return EthernetWireBytes((ipv6 ? IPV6_SIZE : IPV4_SIZE) + ROCE_SIZE +
                                 (opcode < MRC_WRITE_FIRST ? RcCodec::ExtensionBytes(opcode)
                                  : opcode < SPRAY_DATA    ? MrcCodec::ExtensionBytes(opcode)
                                                           : SprayCodec::ExtensionBytes(opcode)) +
                                 ((payload + 3) & ~3U));
    }

    /**
     * @param frame a frame whose other fields are set
     * @return its bytes on the wire, FCS included: what FabricFrame::wireBytes is to be
     */
    static uint32_t WireBytes(const FabricFrame& frame);

    /**
     * Hash a flow: its 5-tuple and, of RoCE in IPv6, its flow label.
     *
     * Each bit of the result depends on each bit of the input, so flows with neighboring hosts or
     * ports are as far apart as any others. The hash is the same everywhere. A switch that chooses
     * by `hash mod n` alone therefore chooses as the switch before it did, and uses only some of
     * its links (polarization). To choose independently it has to mix anew, with a salt of its own:
     * combine the two (exclusive or) and run the result through an integer finalizer, for example
     * that of MurmurHash3. Adding a salt without mixing again is not enough.
     *
     * @param source index of the source host
     * @param destination index of the destination host
     * @param entropy UDP or TCP source port (lower 16 bits), and flow label of a RoCE frame
     *        (upper 16 bits)
     * @param destinationPort UDP or TCP destination port
     * @param protocol IP protocol number
     * @return the hash
     */
    static constexpr uint32_t FlowHash(uint32_t source,
                                       uint32_t destination,
                                       uint32_t entropy,
                                       uint16_t destinationPort = ROCE_PORT,
                                       uint8_t protocol = UDP_PROTOCOL)
    {
        const uint64_t hosts = static_cast<uint64_t>(source) << 32 | destination;
        const uint64_t ports = static_cast<uint64_t>(entropy >> 16) << 40 |
                               static_cast<uint64_t>(protocol) << 32 | (entropy & 0xFFFF) << 16 |
                               destinationPort;
        uint64_t hash = hosts * 0x9E3779B97F4A7C15 + ports * 0xD6E8FEB86659FD93;
        // The finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
        // Generators, 2014).
        hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
        hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
        return hash >> 32;
    }

    /**
     * Set the entropy of a RoCE frame, and the hash of its flow. In IPv4 the frame carries only the
     * lower 16 bits, since IPv4 has no flow label.
     *
     * @param frame a frame that has its hosts and FRAME_IPV6, if it is to have that
     * @param entropy UDP source port (lower 16 bits) and flow label (upper 16 bits)
     */
    static void SetFlow(FabricFrame& frame, uint32_t entropy)
    {
        frame.entropy = frame.flags & FRAME_IPV6 ? entropy : entropy & 0xFFFF;
        frame.flowHash = FlowHash(frame.source, frame.destination, frame.entropy);
    }

    /**
     * Make a frame's bytes.
     *
     * @param frame the frame, unchanged
     * @param source MAC address of the sending end of the link
     * @param destination MAC address of the receiving end of the link; PAUSE and PFC do not use it
     * @return the bytes, without FCS. IP frames keep the carried packet's tags.
     */
    static Ptr<Packet> Serialize(const FabricFrame& frame,
                                 Mac48Address source,
                                 Mac48Address destination);

    /// @return the bytes that WriteHeaders() writes  @param frame a frame that is not IP
    static uint32_t HeaderBytes(const FabricFrame& frame);

    /**
     * Write the headers of a frame alone: what comes before the message's bytes, or the pad.
     *
     * @param frame a frame that is not IP
     * @param source MAC address of the sending end of the link
     * @param destination MAC address of the receiving end of the link; PAUSE and PFC do not use it
     */
    static void WriteHeaders(Buffer::Iterator i,
                             const FabricFrame& frame,
                             Mac48Address source,
                             Mac48Address destination);

    /**
     * Set the fields of a new frame by what WriteHeaders() wrote; what these bytes contradict, but
     * for lengths, is not looked for.
     *
     * @param [in,out] frame a new frame
     * @return OK, or why there is no frame
     */
    static Result ReadHeaders(Buffer::Iterator i, FabricFrame& frame);

    /**
     * Make a frame from bytes. Whatever the bytes are, there is a frame or a reason why not.
     *
     * Contents of messages, identification and UDP checksum, partition key and reserved fields are
     * not looked at. A RoCE packet has to come from and go to hosts of the address plan; in IP
     * frames, other addresses give addressplan::INVALID_HOST.
     *
     * @param packet the bytes from the Ethernet header on, without FCS
     * @param pool where the frame is to live
     * @param [out] result if given: how it went
     * @param [out] source if given, and there is a frame: MAC address of the sender
     * @param [out] destination if given, and there is a frame: MAC address of the receiver
     * @return the frame, or a null pointer
     */
    static Ptr<FabricFrame> Deserialize(Ptr<const Packet> packet,
                                        FabricFramePool& pool,
                                        Result* result = nullptr,
                                        Mac48Address* source = nullptr,
                                        Mac48Address* destination = nullptr);

    /**
     * Make a frame from the bytes of a RoCE packet with data whose end is missing, for who knows,
     * by the DSCP, that a switch has trimmed it. Its ICRC is missing, too.
     *
     * @param packet the bytes from the Ethernet header on, without FCS
     * @param pool where the frame is to live
     * @param [out] result if given: how it went
     * @return the frame, or a null pointer
     */
    static Ptr<FabricFrame> DeserializeTrimmed(Ptr<const Packet> packet,
                                               FabricFramePool& pool,
                                               Result* result = nullptr);

    /**
     * Make a frame that carries a packet of another protocol stack: FrameKind::IP, with tos, ttl,
     * hosts, source port as entropy and the hash of the 5-tuple taken from the packet's headers.
     *
     * @param packet the packet from its IP header on; the frame keeps it. IPv4 headers with options
     *        are not supported.
     * @param pool where the frame is to live
     * @param [out] result if given: how it went
     * @return the frame, or a null pointer
     */
    static Ptr<FabricFrame> MakeIpFrame(Ptr<Packet> packet,
                                        FabricFramePool& pool,
                                        Result* result = nullptr);

    /**
     * Write the tos and ttl that an IP frame got on its way into the header of the packet that it
     * carries, with a new IPv4 checksum if something changed. To be called before the packet leaves
     * the frame.
     *
     * @param frame a frame of FrameKind::IP; if something changed, it gets a changed copy of its
     *        packet
     */
    static void SyncIpHeader(FabricFrame& frame);
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_CODEC_H */
