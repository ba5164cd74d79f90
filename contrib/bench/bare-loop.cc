/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The yardstick of the benchmark: a random permutation on a fat-tree as a bare ns-3 event loop.
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
 * What a packet-hop costs here: one event, its arrival at the end of a link, and a frame that is
 * copied from the deque of one link to that of the next. Output ports are FIFO, so the departure is
 * computed when the frame is queued, and only the first frame of a link has a pending event. A host
 * computes its departures as well: the frame that follows is chosen when the previous one reaches
 * the edge switch, which is after its wire became free and therefore late enough to know everything
 * that waited at that time.
 *
 * It is written as one writes such a loop at first, with standard containers and ns-3's own events;
 * tuned-loop.cc does the same job with all the care for memory that is possible.
 *
 * What it does not do, and what a network simulator must: bytes of headers, bounded buffers, drops,
 * marking, pauses, priorities, retransmission, congestion control, queue pairs, sequence numbers,
 * counters, traces, other topologies and rates, failures. Packet-hops are computed from the paths'
 * lengths, not counted.
 *
 * It prints one key=value line for each of: hosts, packets (a message), scheduler, packet_hops
 * (data and ACK, one a link crossing), events, cpu_s (user and system time of the event loop),
 * setup_cpu_s, packet_hops_per_cpu_s, events_per_packet_hop, peak_rss_bytes, bytes_per_host
 * (growth of the resident set by the set-up) and cct_ns (when the last ACK arrived).
 */

#include "fat-tree-loop.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <deque>

using namespace ns3;
using namespace fattreeloop;

namespace
{

/** A packet on its way. */
struct Frame
{
    int64_t time;     //!< Arrival at the end of its link, in ps; of a waiting ACK: since when.
    uint32_t entropy; //!< Chooses its path.
    uint32_t bytes;   //!< On the wire, without the gap.
    Address to;       //!< Destination.
    Address from;     //!< Source.
};

/** What a link ends at. */
class Node
{
  public:
    virtual ~Node() = default;

    /**
     * A frame has arrived, at its time.
     *
     * @param frame the frame
     */
    virtual void Receive(const Frame& frame) = 0;
};

/** An output port and the wire behind it. */
class Link
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
    void Send(Frame frame, int64_t now)
    {
        m_freeAt = std::max(now, m_freeAt) + frame.bytes * PS_PER_BYTE + GAP;
        frame.time = m_freeAt - GAP + DELAY;
        m_frames.push_back(frame);
        if (m_frames.size() == 1)
        {
            Await(now);
        }
    }

  private:
    /** The first frame arrives. */
    void Arrive()
    {
        const Frame frame = m_frames.front();
        m_frames.pop_front();
        if (!m_frames.empty())
        {
            Await(frame.time);
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
        const Time wait = TimeStep(m_frames.front().time - now);
        Simulator::ScheduleWithContext(m_context, wait, &Link::Arrive, this);
    }

    uint32_t m_context{0};      //!< Of the event.
    Node* m_end{nullptr};       //!< Who receives.
    std::deque<Frame> m_frames; //!< Waiting or in flight.
    int64_t m_freeAt{0};        //!< When the next frame can start, in ps.
};

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

    void Receive(const Frame& frame) override
    {
        const bool here = frame.to.pod == m_address.pod && frame.to.edge == m_address.edge;
        (here ? Down(frame.to.port) : Up(frame.entropy)).Send(frame, frame.time);
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

    void Receive(const Frame& frame) override
    {
        const bool here = frame.to.pod == m_pod;
        (here ? Down(frame.to.edge) : Up(frame.entropy)).Send(frame, frame.time);
    }

  private:
    uint8_t m_pod; //!< Its pod.
};

/** A switch on top. */
class CoreSwitch : public Switch
{
  public:
    void Receive(const Frame& frame) override
    {
        Down(frame.to.pod).Send(frame, frame.time);
    }
};

/** What the hosts share. */
struct Shared
{
    /** @param random draws the entropy of all packets */
    explicit Shared(Ptr<UniformRandomVariable> random)
        : entropy(random)
    {
    }

    Ptr<UniformRandomVariable> entropy; //!< Draws it.
};

/** A host's output. */
class Sender
{
  public:
    /**
     * @param random draws the entropy
     * @param edge the edge switch
     * @param context that switch's number
     */
    void Connect(Ptr<UniformRandomVariable> random, EdgeSwitch* edge, uint32_t context)
    {
        m_random = random;
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
     * Queue the ACK of a data packet that has arrived.
     *
     * @param data the data packet
     */
    void Acknowledge(const Frame& data)
    {
        m_acks.push_back({data.time, Entropy(), ACK_BYTES, data.from, data.to});
        if (!m_isSending)
        {
            SendNext(data.time);
        }
    }

  private:
    /** @return a new random entropy */
    uint32_t Entropy()
    {
        return m_random->GetInteger(0, UINT32_MAX);
    }

    /**
     * The frame that was sent last arrives at the edge switch. Only then, which is later than the
     * start of the next frame, that next frame is chosen.
     */
    void Arrive()
    {
        const Frame frame = m_frame;
        SendNext(frame.time);
        m_edge->Receive(frame);
    }

    /**
     * Choose the next frame, if any waits, and schedule its arrival.
     *
     * @param now the time, in ps
     */
    void SendNext(int64_t now)
    {
        const bool ackWaits = !m_acks.empty() && m_acks.front().time <= m_freeAt;
        m_isSending = m_packets > 0 || !m_acks.empty();
        if (!m_isSending)
        {
            return;
        }
        if (m_packets > 0 && !(ackWaits && m_ackIsNext))
        {
            m_frame = {0, Entropy(), DATA_BYTES, m_partner, m_self};
            m_packets--;
            m_ackIsNext = true;
        }
        else
        {
            m_frame = m_acks.front();
            m_acks.pop_front();
            m_freeAt = std::max(m_freeAt, m_frame.time);
            m_ackIsNext = false;
        }
        m_freeAt += m_frame.bytes * PS_PER_BYTE + GAP;
        m_frame.time = m_freeAt - GAP + DELAY;
        const Time wait = TimeStep(m_frame.time - now);
        Simulator::ScheduleWithContext(m_context, wait, &Sender::Arrive, this);
    }

    bool m_ackIsNext{false};             //!< The last frame was data.
    bool m_isSending{false};             //!< A frame is on the way to the edge switch.
    Address m_self{};                    //!< Own address.
    Address m_partner{};                 //!< Destination of the message.
    uint32_t m_packets{0};               //!< Data packets still to send.
    uint32_t m_context{0};               //!< Of the event.
    int64_t m_freeAt{0};                 //!< When the next frame can start, in ps.
    Frame m_frame{};                     //!< On the way to the edge switch.
    std::deque<Frame> m_acks;            //!< Waiting ACKs.
    EdgeSwitch* m_edge{nullptr};         //!< Who receives.
    Ptr<UniformRandomVariable> m_random; //!< Draws the entropy.
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
        m_sender.Connect(shared->entropy, edge, context);
    }

    /** @return the sending half */
    Sender& GetSender()
    {
        return m_sender;
    }

    void Receive(const Frame& frame) override
    {
        if (frame.bytes == DATA_BYTES)
        {
            m_sender.Acknowledge(frame);
        }
    }

  private:
    Sender m_sender; //!< The sending half.
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
    return Main<Parts>("bare-loop",
                       "A random permutation on a fat-tree as a bare ns-3 event loop.",
                       argc,
                       argv);
}
