/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The job of bare-loop.cc, with all the care for memory that is possible: frames of half a cache
 * line in intrusive lists, links of one cache line that are their own events, prefetching.
 *
 *      core            (k/2)^2 core switches
 *      / .. \
 *    agg .. agg        k pods of k/2 aggregation and k/2 edge switches
 *     | \/ |
 *    edge..edge
 *    / \   / \
 *   h   h h   h        k^3/4 hosts
 *
 * What it does: each host sends one message of --packets data packets, at line rate and without a
 * window, to its partner in a random cyclic permutation; the receiver answers each data packet
 * with an ACK; a host with data and ACKs waiting alternates between them. A data packet is 4158
 * bytes on the wire (4096 of payload, 62 of RoCEv2 headers), an ACK 64, and each is followed by
 * a gap of 20. Links run at 800 Gb/s and take 0.5 us. Switches store and forward; each packet
 * draws a random entropy value at its host, and a switch with several ways up hashes it with a
 * salt of its own. A host begins at a random time within its first packet's slot, so that the
 * hosts are not in lockstep.
 *
 * What a packet-hop costs here: one event, its arrival at the end of a link. Output ports are
 * FIFO, so the departure is computed when the frame is queued; the frames of a link, waiting or in
 * flight, are one list, of which only the first has a pending event, an EventImpl that the link is
 * and that is scheduled again and again. A host computes its departures as well: the frame that
 * follows is chosen when the previous one reaches the edge switch, which is after its wire became
 * free and therefore late enough to know everything that waited at that time.
 *
 * What it does not do, and what a network simulator must: bytes of headers, bounded buffers, drops,
 * marking, pauses, priorities, retransmission, congestion control, queue pairs, sequence numbers,
 * counters, traces, other topologies and rates, failures. Packet-hops are computed from the paths'
 * lengths, not counted. So its speed is about what an ns-3 event loop can reach at best on this
 * job.
 *
 * It prints one key=value line for each of: hosts, packets (a message), scheduler, packet_hops
 * (data and ACK, one a link crossing), events, cpu_s (user and system time of the event loop),
 * setup_cpu_s, packet_hops_per_cpu_s, events_per_packet_hop, peak_rss_bytes, bytes_per_host
 * (growth of the resident set by the set-up) and cct_ns (when the last ACK arrived).
 */

#include "fat-tree-loop.h"

#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

using namespace ns3;
using namespace fattreeloop;

namespace
{

/** @param address of memory that is used later */
inline void
Prefetch([[maybe_unused]] const void* address)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(address, 1);
#endif
}

/** A packet on its way; half a cache line. */
struct Frame
{
    int64_t time;     //!< Arrival at the end of its link, in ps; of a waiting ACK: since when.
    Frame* next;      //!< The frame behind it in the same list.
    uint32_t entropy; //!< Chooses its path.
    uint16_t bytes;   //!< On the wire, without the gap.
    Address to;       //!< Destination.
    Address from;     //!< Source.
};

static_assert(sizeof(Frame) == 32, "two frames a cache line");

/** Frames are made once and used again, the last one first. */
class FramePool
{
  public:
    /** @return a frame with nothing filled in */
    Frame* Get()
    {
        if (!m_free)
        {
            Grow();
        }
        Frame* frame = m_free;
        m_free = frame->next;
        return frame;
    }

    /** @param frame a frame that nobody needs any more */
    void Put(Frame* frame)
    {
        frame->next = m_free;
        m_free = frame;
    }

  private:
    /** Add a chunk of frames to the free ones. */
    void Grow()
    {
        m_chunks.push_back(std::make_unique<Frame[]>(CHUNK));
        for (std::size_t i = CHUNK; i-- > 0;)
        {
            Put(&m_chunks.back()[i]);
        }
    }

    static constexpr std::size_t CHUNK = 1024;      //!< Frames made at a time.
    std::vector<std::unique_ptr<Frame[]>> m_chunks; //!< All frames.
    Frame* m_free{nullptr};                         //!< List of free frames.
};

/** A fast generator for the entropy of packets (the SplitMix64 sequence). */
class EntropySource
{
  public:
    /** @param seed where the sequence begins */
    explicit EntropySource(uint64_t seed)
        : m_state(seed)
    {
    }

    /** @return the next value */
    uint32_t Next()
    {
        m_state += 0x9e3779b97f4a7c15;
        uint64_t x = m_state;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        return static_cast<uint32_t>(x >> 32);
    }

  private:
    uint64_t m_state; //!< A counter.
};

/** What a link ends at. */
class Node
{
  public:
    virtual ~Node() = default;

    /**
     * A frame has arrived, at its time.
     *
     * @param frame the frame; the node owns it now
     */
    virtual void Receive(Frame* frame) = 0;
};

/**
 * An output port and the wire behind it; its event is the arrival of its first frame at the other
 * end. One cache line.
 */
class alignas(64) Link : public EventImpl
{
  public:
    /**
     * @param end the node at the other end
     * @param context that node's number
     */
    void Connect(Node* end, uint32_t context)
    {
        m_end = end;
        m_context = context;
    }

    /**
     * Queue a frame.
     *
     * @param frame the frame
     * @param now the time, in ps
     */
    void Send(Frame* frame, int64_t now)
    {
        m_freeAt = std::max(now, m_freeAt) + frame->bytes * PS_PER_BYTE + GAP;
        frame->time = m_freeAt - GAP + DELAY;
        frame->next = nullptr;
        if (m_first)
        {
            m_last->next = frame;
        }
        else
        {
            m_first = frame;
            Await(now);
        }
        m_last = frame;
    }

  private:
    void Notify() override
    {
        Frame* frame = m_first;
        m_first = frame->next;
        if (m_first)
        {
            Await(frame->time);
            Prefetch(m_first->next); // read when m_first has arrived
        }
        m_end->Receive(frame);
    }

    /**
     * Schedule the arrival of the first frame.
     *
     * @param now the time, in ps
     */
    void Await(int64_t now)
    {
        Ref(); // the simulator drops one reference after the event
        Simulator::ScheduleWithContext(m_context, TimeStep(m_first->time - now), this);
    }

    uint32_t m_context{0};   //!< Of the event.
    Node* m_end{nullptr};    //!< Who receives.
    Frame* m_first{nullptr}; //!< The next to arrive.
    Frame* m_last{nullptr};  //!< The last queued, if there is a first.
    int64_t m_freeAt{0};     //!< When the next frame can start, in ps.
};

static_assert(sizeof(Link) == 64, "one cache line");

using Switch = SwitchOf<Node, Link>; //!< A switch.

/** A switch that hosts are attached to. */
class EdgeSwitch : public Switch
{
  public:
    /** @param address of its hosts, but for the port */
    explicit EdgeSwitch(Address address)
        : m_address(address)
    {
    }

    void Receive(Frame* frame) override
    {
        const bool here = frame->to.pod == m_address.pod && frame->to.edge == m_address.edge;
        (here ? Down(frame->to.port) : Up(frame->entropy)).Send(frame, frame->time);
    }

  private:
    Address m_address; //!< Of its hosts.
};

/** A switch between edge and core. */
class AggregationSwitch : public Switch
{
  public:
    /** @param pod it is in */
    explicit AggregationSwitch(uint8_t pod)
        : m_pod(pod)
    {
    }

    void Receive(Frame* frame) override
    {
        const bool here = frame->to.pod == m_pod;
        (here ? Down(frame->to.edge) : Up(frame->entropy)).Send(frame, frame->time);
    }

  private:
    uint8_t m_pod; //!< Its pod.
};

/** A switch on top. */
class CoreSwitch : public Switch
{
  public:
    void Receive(Frame* frame) override
    {
        Down(frame->to.pod).Send(frame, frame->time);
    }
};

/** What the hosts share. */
struct Shared
{
    /** @param random seeds the entropy of all packets */
    explicit Shared(Ptr<UniformRandomVariable> random)
        : entropy(random->GetInteger(0, UINT32_MAX))
    {
    }

    FramePool frames;      //!< All frames.
    EntropySource entropy; //!< Of the packets.
};

/**
 * A host's output; its event is the arrival, at the edge switch, of the frame that it sent last.
 * Only then, which is later than the start of the next frame, that next frame is chosen.
 */
class Sender : public EventImpl
{
  public:
    /**
     * @param shared what the hosts share
     * @param edge the edge switch
     * @param context that switch's number
     */
    void Connect(Shared* shared, EdgeSwitch* edge, uint32_t context)
    {
        m_shared = shared;
        m_edge = edge;
        m_context = context;
    }

    /**
     * Post the message.
     *
     * @param from the host
     * @param to the destination
     * @param packets of the message
     * @param start when its first packet starts, in ps
     */
    void Post(Address from, Address to, uint32_t packets, int64_t start)
    {
        m_self = from;
        m_partner = to;
        m_packets = packets;
        m_freeAt = start;
        SendNext(0);
    }

    /**
     * Turn a data packet that has arrived into its ACK, and queue that.
     *
     * @param frame the data packet
     */
    void Acknowledge(Frame* frame)
    {
        frame->bytes = ACK_BYTES;
        frame->entropy = m_shared->entropy.Next();
        std::swap(frame->to, frame->from);
        frame->next = nullptr;
        (m_firstAck ? m_lastAck->next : m_firstAck) = frame;
        m_lastAck = frame;
        if (!m_frame)
        {
            SendNext(frame->time);
        }
    }

  private:
    void Notify() override
    {
        Frame* frame = m_frame;
        SendNext(frame->time);
        m_edge->Receive(frame);
    }

    /**
     * Choose the next frame, if any waits, and schedule its arrival.
     *
     * @param now the time, in ps
     */
    void SendNext(int64_t now)
    {
        const bool ackWaits = m_firstAck && m_firstAck->time <= m_freeAt;
        m_frame = m_packets && !(ackWaits && m_ackIsNext) ? NextData() : NextAck();
        if (m_frame)
        {
            m_freeAt += m_frame->bytes * PS_PER_BYTE + GAP;
            m_frame->time = m_freeAt - GAP + DELAY;
            Ref(); // the simulator drops one reference after the event
            Simulator::ScheduleWithContext(m_context, TimeStep(m_frame->time - now), this);
        }
    }

    /** @return a new data packet, which starts when the wire is free */
    Frame* NextData()
    {
        Frame* frame = m_shared->frames.Get();
        frame->bytes = DATA_BYTES;
        frame->entropy = m_shared->entropy.Next();
        frame->to = m_partner;
        frame->from = m_self;
        m_packets--;
        m_ackIsNext = true;
        return frame;
    }

    /** @return the first ACK, which starts when it was there and the wire is free; or null */
    Frame* NextAck()
    {
        Frame* frame = m_firstAck;
        if (frame)
        {
            m_firstAck = frame->next;
            m_freeAt = std::max(m_freeAt, frame->time);
            m_ackIsNext = false;
        }
        return frame;
    }

    bool m_ackIsNext{false};     //!< The last frame was data.
    Address m_self{};            //!< Own address.
    Address m_partner{};         //!< Destination of the message.
    uint32_t m_packets{0};       //!< Data packets still to send.
    uint32_t m_context{0};       //!< Of the event.
    int64_t m_freeAt{0};         //!< When the next frame can start, in ps.
    Frame* m_frame{nullptr};     //!< On the way to the edge switch.
    Frame* m_firstAck{nullptr};  //!< The first waiting ACK.
    Frame* m_lastAck{nullptr};   //!< The last waiting ACK, if there is a first.
    EdgeSwitch* m_edge{nullptr}; //!< Who receives.
    Shared* m_shared{nullptr};   //!< What the hosts share.
};

/** A host. */
class Host : public Node
{
  public:
    /**
     * @param shared what the hosts share
     * @param edge the edge switch
     * @param context that switch's number
     */
    void Connect(Shared* shared, EdgeSwitch* edge, uint32_t context)
    {
        m_shared = shared;
        m_sender.Connect(shared, edge, context);
    }

    /** @return the sending half */
    Sender& GetSender()
    {
        return m_sender;
    }

    void Receive(Frame* frame) override
    {
        if (frame->bytes == DATA_BYTES)
        {
            m_sender.Acknowledge(frame);
        }
        else
        {
            m_shared->frames.Put(frame);
        }
    }

  private:
    Shared* m_shared{nullptr}; //!< What the hosts share.
    Sender m_sender;           //!< The sending half.
};

/** The parts of the fat-tree. */
struct Parts
{
    using Link = ::Link;                           //!< A port, and the wire behind it.
    using EdgeSwitch = ::EdgeSwitch;               //!< Hosts are attached to it.
    using AggregationSwitch = ::AggregationSwitch; //!< In the middle.
    using CoreSwitch = ::CoreSwitch;               //!< On top.
    using Host = ::Host;                           //!< A host.
    using Shared = ::Shared;                       //!< What the hosts share.
};

} // namespace

int
main(int argc, char* argv[])
{
    return Main<Parts>(
        "tuned-loop",
        "A random permutation on a fat-tree as an ns-3 event loop with tuned memory.",
        argc,
        argv);
}
