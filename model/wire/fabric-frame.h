/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_FRAME_H
#define FABRIC_FRAME_H

#include "conga-tag.h"
#include "conweave-tag.h"
#include "gradient-vector.h"
#include "path-telemetry.h"

#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

namespace ns3
{
namespace aifabric
{

class FabricFrame;
class FabricFramePool;

/// Returns a frame without references to its pool.
struct FabricFrameDeleter
{
    /**
     * Recycle a frame.
     */
    static void Delete(FabricFrame* frame);
};

/// The base class of a class that needs none.
struct NoBase
{
};

/// What a frame carries above Ethernet.
enum class FrameKind : uint8_t
{
    ROCE,     //!< IP, UDP 4791 and an InfiniBand transport packet
    IP,       //!< an IP packet of another protocol stack, kept as an ns3::Packet
    ATP,      //!< IP, UDP 48880 and a packet of gradients with ATP's header (AtpCodec)
    SWITCHML, //!< IP, UDP 48864 and a packet of gradients with SwitchML's header (SwitchMlCodec)
    PAUSE,    //!< IEEE 802.3 Annex 31B PAUSE
    PFC,      //!< IEEE 802.1Qbb priority-based flow control
};

/// @return whether frames of a kind carry contents, so that their headers alone do not describe
/// them
constexpr bool
HasContents(FrameKind kind)
{
    return kind > FrameKind::ROCE && kind < FrameKind::PAUSE;
}

/// ECN field of the IP header (RFC 3168, section 5).
enum EcnField : uint8_t
{
    ECN_NOT_ECT = 0, //!< the transport does not speak ECN
    ECN_ECT1 = 1,    //!< ECN-capable, codepoint 1
    ECN_ECT0 = 2,    //!< ECN-capable, codepoint 0
    ECN_CE = 3,      //!< congestion experienced
};

/// InfiniBand transport opcodes that this module speaks: RC, the CNP of RoCEv2, MRC, packets
/// that are sprayed, and the control of ConWeave.
enum RoceOpcode : uint8_t
{
    RC_SEND_FIRST = 0x00,
    RC_SEND_MIDDLE = 0x01,
    RC_SEND_LAST = 0x02,
    RC_SEND_LAST_IMM = 0x03,
    RC_SEND_ONLY = 0x04,
    RC_SEND_ONLY_IMM = 0x05,
    RC_WRITE_FIRST = 0x06,
    RC_WRITE_MIDDLE = 0x07,
    RC_WRITE_LAST = 0x08,
    RC_WRITE_LAST_IMM = 0x09,
    RC_WRITE_ONLY = 0x0A,
    RC_WRITE_ONLY_IMM = 0x0B,
    RC_READ_REQUEST = 0x0C,
    RC_READ_RESPONSE_FIRST = 0x0D,
    RC_READ_RESPONSE_MIDDLE = 0x0E,
    RC_READ_RESPONSE_LAST = 0x0F,
    RC_READ_RESPONSE_ONLY = 0x10,
    RC_ACK = 0x11,
    ROCE_CNP = 0x81,
    // of the manufacturer's range: MrcCodec
    MRC_WRITE_FIRST = 0xC6,
    MRC_WRITE_MIDDLE = 0xC7,
    MRC_WRITE_LAST = 0xC8,
    MRC_WRITE_LAST_IMM = 0xC9,
    MRC_WRITE_ONLY = 0xCA,
    MRC_WRITE_ONLY_IMM = 0xCB,
    MRC_ACK = 0xD1,
    MRC_REQUEST = 0xD8,
    MRC_RESPONSE = 0xD9,
    MRC_SACK = 0xDC,
    MRC_NACK = 0xDD,
    MRC_PROBE = 0xDE,
    // of the second one: SprayCodec
    SPRAY_DATA = 0xE0,
    SPRAY_LAST = 0xE1,
    SPRAY_ACK = 0xE2,
    SPRAY_NACK = 0xE3,
    SPRAY_PROBE = 0xE4,
    SPRAY_CREDIT = 0xE5,
    SPRAY_REQUEST = 0xE6,
    SPRAY_DEMAND_DATA = 0xE8, // SPRAY_DATA and SPRAY_LAST of a sender that needs credit
    SPRAY_DEMAND_LAST = 0xE9,
    CONWEAVE_CONTROL = 0xF0, // between leaves: ConweaveCodec
};

/// Bits of FabricFrame::flags.
enum FrameFlag : uint8_t
{
    BTH_SOLICITED = 0x01,   //!< solicited event
    BTH_MIG_REQ = 0x02,     //!< migration request
    BTH_FECN = 0x04,        //!< forward explicit congestion notification
    BTH_BECN = 0x08,        //!< backward explicit congestion notification
    BTH_ACK_REQ = 0x10,     //!< the responder shall acknowledge this packet
    FRAME_TELEMETRY = 0x20, //!< the frame carries telemetry of switches
    FRAME_TRIMMED = 0x40,   //!< a switch has cut off the end of the frame
    FRAME_IPV6 = 0x80,      //!< the frame travels in IPv6 instead of IPv4
};

/// RDMA extended transport header (on the first packet of a write, and on the request of a read).
struct Reth
{
    uint64_t virtualAddress; //!< where the first byte goes, in the target's memory
    uint32_t remoteKey;      //!< key of the target's memory region
    uint32_t length;         //!< length of the whole message in bytes
};

/// Contents of a PAUSE or PFC frame. A quantum is the time of 512 bits.
struct PauseVector
{
    std::array<uint16_t, 8> quanta; //!< pause time a class, in quanta; 0 resumes (PAUSE uses [0])
    uint8_t classes;                //!< bit c set: quanta[c] is valid (PFC)
};

/// What an acknowledgement of packets in any order carries beside the fields of an AETH
/// (SprayCodec, MrcCodec).
struct SackFields
{
    static constexpr uint64_t BYTES_UNIT = 256; //!< in which MRC's header counts receivedBytes

    uint64_t bitmap;             //!< bit i set: packet bitmapPsn + i has come
    uint64_t receivedBytes : 45; //!< payload that has come
    uint64_t probe : 16;         //!< number of the probe that it answers; 0: none
    uint64_t verdict : 2;        //!< PathVerdict on the path of the packet (MRC)
    uint64_t restores : 1;       //!< the receiver gives back what it took of the window (MRC)
    uint32_t cumulativePsn : 24; //!< the first packet that has not come
    uint32_t penalty : 8;        //!< share of the window that the receiver takes, in 1/128; 0: none
    uint32_t bitmapPsn : 24;     //!< the packet of bit 0
    uint32_t range : 8;  //!< PSNs that the receiver tracks, in units of 128; 0: not sent (MRC)
    uint32_t outOfOrder; //!< packets that have come before one that is missing
    uint32_t entropy;    //!< of the packet that it is about, if it has another one (MRC)
};

/// What a sender that needs credit announces (SprayCodec): units of credit since the connection
/// began, 24 bits each.
struct DemandFields
{
    uint32_t wanted;      //!< credit with which it can send all that it has
    uint32_t unsolicited; //!< what it has sent and will send without credit
};

/// What leaves have written, behind the fields that a packet of a message has in the same memory.
struct LeafFields
{
    std::array<uint64_t, 2> before; //!< where Reth or DemandFields are
    ConweaveTag conweave;           //!< between leaves of ConWeave
};

static_assert(sizeof(Reth) <= sizeof(LeafFields::before), "LeafFields lie behind it");
static_assert(sizeof(DemandFields) <= sizeof(LeafFields::before), "LeafFields lie behind it");

/// Header of a packet of gradients (AtpCodec, SwitchMlCodec).
struct GradientFields
{
    uint64_t tensor;     //!< number of the tensor (ATP)
    uint32_t bitmap;     //!< bit w set: the sum contains worker w's values (ATP)
    uint32_t sequence;   //!< number of the fragment: 16 bits (ATP) or 32 bits (SwitchML)
    uint32_t length;     //!< values of the tensor, or the new slot after a collision (ATP)
    uint16_t job;        //!< number of the job: 16 bits (ATP) or 8 bits (SwitchML)
    uint16_t slot;       //!< slot of the switch; its highest bit is the set (SwitchML)
    uint8_t workers;     //!< how many workers the job has (ATP)
    uint8_t flags;       //!< AtpCodec::Flag bits
    uint8_t priority;    //!< 0 is the lowest (AtpCodec::WITH_PRIORITY)
    uint8_t moreFlags;   //!< AtpCodec::MoreFlag bits (AtpCodec::WITH_PRIORITY)
    int8_t exponents[2]; //!< of the next fragment (SwitchML)
};

/// The second cache line of a frame: what only some frames carry, and only endpoints, ingress
/// stages and balancers that see frames read.
struct FrameExtra
{
    Ptr<Packet> packet;    //!< the packet from its IP header on (FrameKind::IP only)
    GradientVector values; //!< the gradients (FrameKind::ATP, SWITCHML)
    uint32_t immediate{0}; //!< on opcodes with immediate; sender's queue pair on reports of MRC
    CongaTag conga;        //!< between leaves of CONGA
    int64_t heldFor{0}; //!< how long this frame, or the one that it answers, has waited in hosts,
                        //!< in picoseconds

    union {
        Reth reth; //!< on RC_WRITE_FIRST, RC_WRITE_ONLY, RC_WRITE_ONLY_IMM, RC_READ_REQUEST, all
                   //!< MRC_WRITE_...; in no bytes, on RC_READ_RESPONSE_FIRST and ..._ONLY
        PauseVector pause;        //!< on PAUSE and PFC
        SackFields sack;          //!< on SPRAY_ACK, MRC_SACK; its entropy on MRC_NACK
        DemandFields demand;      //!< on SPRAY_DEMAND_DATA, SPRAY_DEMAND_LAST, SPRAY_REQUEST
        LeafFields leaf;          //!< on packets of messages (FabricFrame::IsOfMessage), beside
                                  //!< reth or demand, and on CONWEAVE_CONTROL
        GradientFields gradients; //!< on FrameKind::ATP and SWITCHML
    };

    FrameExtra()
        : sack{}
    {
    }
};

/**
 * @ingroup ai-fabric
 *
 * An Ethernet frame as the fabric handles it: its header fields, decoded once.
 *
 * FrameCodec creates bytes on demand. Addresses are no field: the IP addresses of a frame are a
 * function of its host indices (AddressPlan), and MAC addresses belong to the link it crosses.
 *
 * A frame has two cache lines, because a fabric has hundreds of thousands of frames, and memory
 * sets its speed. The first line is this class: what each hop reads. The second is FrameExtra. It
 * exists only after a call of Extra(), and otherwise nothing touches it. The first lines of a slab
 * of frames lie together, and their second lines lie behind them, each at the same distance
 * (FabricFramePool). So first lines use all sets of a cache, and a page of memory has twice as many
 * of them as it would have if the two lines of a frame were neighbors. Behind the second lines lie
 * third ones, for telemetry (AddTelemetry).
 *
 * Frames live in a FabricFramePool and are reference counted. The owner of a frame may change it;
 * who only observes takes a Ptr<const FabricFrame>.
 */
class alignas(64) FabricFrame : public SimpleRefCount<FabricFrame, NoBase, FabricFrameDeleter>
{
  public:
    static constexpr uint8_t FIRST_TTL = 64;        //!< ttl of a new frame
    static constexpr std::size_t LINE_BYTES = 64;   //!< a cache line in bytes
    static constexpr std::size_t SLAB_FRAMES = 256; //!< frames whose first lines lie together

    FabricFrame(const FabricFrame&) = delete;
    FabricFrame& operator=(const FabricFrame&) = delete;

    /// @return the bytes that the frame occupies on the wire, FCS included, gap and preamble not
    uint32_t GetSize() const
    {
        return wireBytes;
    }

    /// @return the TOS byte of IPv4, or the traffic class byte of IPv6: DSCP (6 bits), ECN (2 bits)
    uint8_t GetTos() const
    {
        return m_tos;
    }

    /**
     * Set the TOS byte and, by its DSCP, the traffic class: the class selector (RFC 2474, section
     * 4.2.2).
     *
     * @param tos DSCP (6 bits) and ECN (2 bits)
     */
    void SetTos(uint8_t tos)
    {
        m_tos = tos;
        m_class = tos >> 5;
    }

    /// @return the traffic class, 0 to 7, by which queues and buffers handle the frame
    uint8_t GetClass() const
    {
        return m_class;
    }

    /// Set the traffic class apart from the DSCP, until SetTos() is called.
    /// @param trafficClass 0 to 7
    void SetClass(uint8_t trafficClass)
    {
        m_class = trafficClass;
    }

    /// @return the UDP source port: the lower half of the entropy
    uint16_t GetSourcePort() const
    {
        return entropy;
    }

    /// @return whether it is a RoCE packet whose order among those of its message may matter
    bool IsOfMessage() const
    {
        return kind == FrameKind::ROCE && (payload > 0 || opcode <= RC_READ_RESPONSE_ONLY);
    }

    /// @return what a leaf of ConWeave has written
    const ConweaveTag& GetConweaveTag() const
    {
        const bool hasFields = IsOfMessage() || opcode == CONWEAVE_CONTROL;
        return (hasFields ? GetExtra() : NOTHING).leaf.conweave;
    }

    /// @return switches that a RoCE frame has passed
    uint8_t GetHops() const
    {
        return FIRST_TTL - ttl;
    }

    /// @return the ECN field
    EcnField GetEcn() const
    {
        return static_cast<EcnField>(m_tos & 0x3);
    }

    /// Mark the frame as having experienced congestion (RFC 3168); no effect if not ECN-capable.
    void MarkCongestion()
    {
        if (GetEcn() != ECN_NOT_ECT)
        {
            m_tos |= ECN_CE;
        }
    }

    /// @return whether the second line is in use
    bool HasExtra() const
    {
        return m_hasExtra;
    }

    /// @return the second line, to be set; it is in use from now on
    FrameExtra& Extra()
    {
        FrameExtra* extra = SecondLine();
        if (!m_hasExtra)
        {
            m_hasExtra = true;
            new (extra) FrameExtra();
        }
        return *extra;
    }

    /// @return the second line; if it is not in use, one with nothing in it
    const FrameExtra& GetExtra() const
    {
        return m_hasExtra ? *SecondLine() : NOTHING;
    }

    /// @return the telemetry that the frame carries from now on, without hops; its pool has to have
    /// room for it (FabricFramePool::CarryTelemetry)
    PathTelemetry& AddTelemetry();

    /// @return the telemetry that the frame carries, or nullptr
    PathTelemetry* FindTelemetry()
    {
        return flags & FRAME_TELEMETRY ? ThirdLine() : nullptr;
    }

    /// @return the telemetry that the frame carries, or nullptr
    const PathTelemetry* FindTelemetry() const
    {
        return flags & FRAME_TELEMETRY ? ThirdLine() : nullptr;
    }

    uint32_t destination{0}; //!< index of the destination host
    uint32_t flowHash{0};  //!< hash of the flow, to be salted by who uses it (FrameCodec::SetFlow)
    uint32_t entropy{0};   //!< chooses the path: UDP source port (lower 16 bits) and, in IPv6, flow
                           //!< label (upper 16 bits)
    uint16_t wireBytes{0}; //!< size on the wire in bytes, FCS included, gap not
    uint16_t payload{0};   //!< bytes of the message in this frame
    uint16_t ingress{0};   //!< port by which the frame entered the switch that holds it
    uint8_t ttl{FIRST_TTL}; //!< hops that the frame may still make
    FrameKind kind{FrameKind::ROCE};
    uint8_t flags{0}; //!< FrameFlag bits

  private:
    uint8_t m_tos{0};       //!< DSCP (6 bits) and ECN (2 bits)
    uint8_t m_class{0};     //!< traffic class
    bool m_hasExtra{false}; //!< whether the second line is in use

  public:
    uint32_t destinationQp : 24; //!< destination queue pair number
    uint32_t opcode : 8;         //!< RoceOpcode; AtpCodec::Form; SwitchMlCodec::MessageType
    uint32_t psn : 24;           //!< packet sequence number
    uint32_t syndrome : 8;       //!< AETH syndrome (acknowledgements), or the TOS byte that a
                                 //!< trimmed packet had before
    uint32_t source{0};          //!< index of the source host
    uint32_t msn{0};             //!< AETH message sequence number, 24 bits (acknowledgements), or
                                 //!< key of the message (sprayed data), or credit (SPRAY_CREDIT)
    uint32_t offset{0};          //!< place of the packet in its message, in packets (the same)
    int64_t sentAt{0};           //!< when the source began to send the packet that this frame
                                 //!< carries or acknowledges, in picoseconds

  private:
    friend class FabricFramePool;
    friend struct FabricFrameDeleter;

    /// @param pool the pool that the frame returns to
    explicit FabricFrame(FabricFramePool* pool)
        : destinationQp(0),
          opcode(0),
          psn(0),
          syndrome(0),
          m_pool(pool)
    {
    }

    static const FrameExtra NOTHING; //!< what the second line contains if it is not in use

    ~FabricFrame()
    {
        if (m_hasExtra)
        {
            DestroyExtra();
        }
    }

    /// Destroy the second line, which is in use. Most frames have none, and need no registers for
    /// this.
    [[gnu::noinline]] void DestroyExtra();

    /// @return where the second line is
    FrameExtra* SecondLine() const
    {
        constexpr std::size_t DISTANCE = SLAB_FRAMES * LINE_BYTES;
        return reinterpret_cast<FrameExtra*>(reinterpret_cast<uintptr_t>(this) + DISTANCE);
    }

    /// @return where the third line is
    PathTelemetry* ThirdLine() const
    {
        constexpr std::size_t DISTANCE = 2 * SLAB_FRAMES * LINE_BYTES;
        return reinterpret_cast<PathTelemetry*>(reinterpret_cast<uintptr_t>(this) + DISTANCE);
    }

    FabricFramePool* m_pool; //!< where the frame comes from
};

static_assert(sizeof(FabricFrame) == FabricFrame::LINE_BYTES, "one cache line");
static_assert(sizeof(FrameExtra) <= FabricFrame::LINE_BYTES, "one cache line");
static_assert(sizeof(PathTelemetry) <= FabricFrame::LINE_BYTES, "one cache line");

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_FRAME_H */
