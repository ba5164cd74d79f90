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

#include "ns3/command-line.h"
#include "ns3/monotone-scheduler.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace ns3;

namespace
{

constexpr int64_t PS_PER_BYTE = 10;            //!< 800 Gb/s.
constexpr int64_t GAP = 20 * PS_PER_BYTE;      //!< Between two frames on a wire, in ps.
constexpr int64_t DELAY = 500'000;             //!< Of a link, in ps.
constexpr uint32_t DATA_BYTES = 4096 + 62;     //!< A data packet on the wire.
constexpr uint32_t ACK_BYTES = 64;             //!< An ACK on the wire.
constexpr uint32_t LARGEST_RADIX = 128;        //!< An address holds bytes.
constexpr uint32_t DATA_PACKETS = 1024 * 1024; //!< Of all hosts together, by default.

/** Where a host is. */
struct Address
{
    uint8_t pod;  //!< Of the fabric.
    uint8_t edge; //!< Edge switch in the pod.
    uint8_t port; //!< Host at the edge switch.
};

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

/** A switch: the ports down are contiguous, so are the ports up. */
class Switch : public Node
{
  public:
    /**
     * @param down first port towards the hosts
     * @param up first port towards the cores
     * @param ways number of ports up
     * @param salt of the hash
     */
    void Connect(Link* down, Link* up, uint32_t ways, uint32_t salt)
    {
        m_down = down;
        m_up = up;
        m_ways = ways;
        m_salt = salt;
    }

  protected:
    /**
     * @param port number of a port down
     * @return the port
     */
    Link& Down(uint32_t port)
    {
        return m_down[port];
    }

    /**
     * @param entropy of a frame
     * @return the port up that this switch's hash chooses
     */
    Link& Up(uint32_t entropy)
    {
        uint64_t x = (static_cast<uint64_t>(entropy) ^ m_salt) * 0x9e3779b97f4a7c15;
        x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
        return m_up[((x >> 32) * m_ways) >> 32];
    }

  private:
    Link* m_down{nullptr}; //!< First port down.
    Link* m_up{nullptr};   //!< First port up.
    uint32_t m_ways{0};    //!< Ports up.
    uint32_t m_salt{0};    //!< Of the hash.
};

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

/** The fat-tree. Switches and hosts are numbered hosts first, then edges, aggregations, cores. */
class FatTree
{
  public:
    /**
     * @param radix ports of a switch, even
     * @param random for salts, partners and start times
     */
    FatTree(uint32_t radix, Ptr<UniformRandomVariable> random)
        : m_half(radix / 2),
          m_pods(radix),
          m_count(radix * m_half * m_half),
          m_random(random),
          m_hosts(m_count),
          m_cores(m_half * m_half),
          m_toHost(m_count),
          m_edgeToAggregation(m_count),
          m_aggregationToEdge(m_count),
          m_aggregationToCore(m_count),
          m_coreToAggregation(m_count)
    {
        MakePods();
        ConnectPods();
        ConnectCores();
    }

    /**
     * Let every host send one message.
     *
     * @param packets of a message
     * @return packet-hops of all data packets and ACKs
     */
    uint64_t SendPermutation(uint32_t packets)
    {
        constexpr double slot = DATA_BYTES * PS_PER_BYTE + GAP;
        const auto partner = Permutation();
        uint64_t links = 0;
        for (uint32_t host = 0; host < m_count; host++)
        {
            const auto start = static_cast<int64_t>(m_random->GetValue(0, slot));
            const auto from = GetAddress(host);
            const auto to = GetAddress(partner[host]);
            m_hosts[host].GetSender().Post(from, to, packets, start);
            links += CountLinks(from, to);
        }
        return links * packets * 2;
    }

  private:
    /** Make the switches of the pods. */
    void MakePods()
    {
        m_edges.reserve(m_pods * m_half);
        m_aggregations.reserve(m_pods * m_half);
        for (uint32_t i = 0; i < m_pods * m_half; i++)
        {
            m_edges.emplace_back(GetAddress(i * m_half));
            m_aggregations.emplace_back(static_cast<uint8_t>(i / m_half));
        }
    }

    /** Connect hosts with edge switches and these with aggregation switches. */
    void ConnectPods()
    {
        for (uint32_t i = 0; i < m_count; i++)
        {
            const uint32_t low = i / m_half;                          // switch in its tier
            const uint32_t high = low / m_half * m_half + i % m_half; // one of the same pod
            m_hosts[i].GetSender().Connect(m_random, &m_edges[low], EdgeId(low));
            m_toHost[i].Connect(&m_hosts[i], i);
            m_edgeToAggregation[i].Connect(&m_aggregations[high], AggregationId(high));
            m_aggregationToEdge[i].Connect(&m_edges[high], EdgeId(high));
        }
        for (uint32_t i = 0; i < m_edges.size(); i++)
        {
            const auto first = i * m_half;
            m_edges[i].Connect(&m_toHost[first], &m_edgeToAggregation[first], m_half, Salt());
            m_aggregations[i].Connect(&m_aggregationToEdge[first],
                                      &m_aggregationToCore[first],
                                      m_half,
                                      Salt());
        }
    }

    /** Connect core switches; core i * half + j is the j-th of the i-th aggregations. */
    void ConnectCores()
    {
        for (uint32_t i = 0; i < m_count; i++)
        {
            const uint32_t core = i % m_cores.size();
            m_aggregationToCore[i].Connect(&m_cores[core], CoreId(core));
            const uint32_t aggregation = i % m_pods * m_half + i / m_pods / m_half;
            m_coreToAggregation[i].Connect(&m_aggregations[aggregation],
                                           AggregationId(aggregation));
        }
        for (uint32_t i = 0; i < m_cores.size(); i++)
        {
            m_cores[i].Connect(&m_coreToAggregation[i * m_pods], nullptr, 0, 0);
        }
    }

    /**
     * @param host number of a host
     * @return its address
     */
    Address GetAddress(uint32_t host) const
    {
        return {static_cast<uint8_t>(host / m_half / m_half),
                static_cast<uint8_t>(host / m_half % m_half),
                static_cast<uint8_t>(host % m_half)};
    }

    /**
     * @param from a host
     * @param to another host
     * @return links between them
     */
    static uint32_t CountLinks(Address from, Address to)
    {
        return from.pod != to.pod ? 6 : from.edge != to.edge ? 4 : 2;
    }

    /** @return whom each host sends to: one cycle through all hosts, each equally likely */
    std::vector<uint32_t> Permutation()
    {
        std::vector<uint32_t> partner(m_count);
        std::iota(partner.begin(), partner.end(), 0);
        for (uint32_t i = m_count - 1; i > 0; i--)
        {
            std::swap(partner[i], partner[m_random->GetInteger(0, i - 1)]);
        }
        return partner;
    }

    /** @return a random salt */
    uint32_t Salt()
    {
        return m_random->GetInteger(0, UINT32_MAX);
    }

    /**
     * @param edge index of an edge switch
     * @return its number
     */
    uint32_t EdgeId(uint32_t edge) const
    {
        return m_count + edge;
    }

    /**
     * @param aggregation index of an aggregation switch
     * @return its number
     */
    uint32_t AggregationId(uint32_t aggregation) const
    {
        return m_count + m_edges.size() + aggregation;
    }

    /**
     * @param core index of a core switch
     * @return its number
     */
    uint32_t CoreId(uint32_t core) const
    {
        return m_count + m_edges.size() + m_aggregations.size() + core;
    }

    uint32_t m_half;                               //!< Half the radix.
    uint32_t m_pods;                               //!< Number of pods.
    uint32_t m_count;                              //!< Number of hosts.
    Ptr<UniformRandomVariable> m_random;           //!< For the set-up.
    std::vector<Host> m_hosts;                     //!< All hosts.
    std::vector<EdgeSwitch> m_edges;               //!< Of all pods.
    std::vector<AggregationSwitch> m_aggregations; //!< Of all pods.
    std::vector<CoreSwitch> m_cores;               //!< All cores.
    std::vector<Link> m_toHost;                    //!< By edge, then host.
    std::vector<Link> m_edgeToAggregation;         //!< By edge, then aggregation.
    std::vector<Link> m_aggregationToEdge;         //!< By aggregation, then edge.
    std::vector<Link> m_aggregationToCore;         //!< By aggregation, then core.
    std::vector<Link> m_coreToAggregation;         //!< By core, then pod.
};

/** @return user and system time of this process, in seconds */
double
GetCpuTime()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) { return t.tv_sec + t.tv_usec * 1e-6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/** @return the largest resident set so far, in bytes */
int64_t
GetPeakRss()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * int64_t{1024};
}

/** @return the resident set, in bytes */
int64_t
GetRss()
{
    int64_t size = 0;
    int64_t resident = 0;
    std::ifstream("/proc/self/statm") >> size >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

/**
 * @param hosts number of hosts
 * @return the radix of the fat-tree with that many hosts, or 0
 */
uint32_t
GetRadix(uint32_t hosts)
{
    for (uint32_t radix = 2; radix <= LARGEST_RADIX; radix += 2)
    {
        if (radix * radix * radix / 4 == hosts)
        {
            return radix;
        }
    }
    return 0;
}

/**
 * Run the benchmark and print the results.
 *
 * @param radix of the fat-tree
 * @param packets of a message
 */
void
Run(uint32_t radix, uint32_t packets)
{
    const uint32_t hosts = radix * radix * radix / 4;
    const auto random = CreateObject<UniformRandomVariable>();
    const double cpuBefore = GetCpuTime();
    const int64_t rssBefore = GetRss();
    FatTree fabric(radix, random);
    const uint64_t hops = fabric.SendPermutation(packets);
    const int64_t rssSetup = GetRss() - rssBefore;
    const double cpuSetup = GetCpuTime();
    Simulator::Run();
    const double cpu = GetCpuTime() - cpuSetup;
    const uint64_t events = Simulator::GetEventCount();

    std::cout << std::fixed << std::setprecision(6) << "hosts=" << hosts << "\npackets=" << packets
              << "\npacket_hops=" << hops << "\nevents=" << events << "\ncpu_s=" << cpu
              << "\nsetup_cpu_s=" << cpuSetup - cpuBefore
              << "\npacket_hops_per_cpu_s=" << hops / cpu
              << "\nevents_per_packet_hop=" << static_cast<double>(events) / hops
              << "\npeak_rss_bytes=" << GetPeakRss() << "\nbytes_per_host=" << rssSetup / hosts
              << "\ncct_ns=" << Simulator::Now().ToDouble(Time::NS) << std::endl;
}

/**
 * @param what is wrong
 * @return the exit status
 */
int
Fail(const std::string& what)
{
    std::cerr << "bare-loop: " << what << std::endl;
    return 1;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t hosts = 128;
    uint32_t packets = 0;
    std::string scheduler = aifabric::MonotoneScheduler::GetTypeId().GetName();

    CommandLine cmd(__FILE__);
    cmd.Usage("A random permutation on a fat-tree as a bare ns-3 event loop.");
    cmd.AddValue("hosts", "number of hosts: 16, 54, 128, ... k^3/4 for even k", hosts);
    cmd.AddValue("packets", "data packets a message (0: 1048576 / hosts)", packets);
    cmd.AddValue("scheduler", "TypeId of the ns-3 scheduler", scheduler);
    cmd.Parse(argc, argv);

    const uint32_t radix = GetRadix(hosts);
    if (radix == 0)
    {
        return Fail("--hosts=" + std::to_string(hosts) +
                    ": no fat-tree has that many; allowed: k^3/4 for even k from 2 to " +
                    std::to_string(LARGEST_RADIX));
    }
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(scheduler, &type) || !type.IsChildOf(Scheduler::GetTypeId()))
    {
        return Fail("--scheduler=" + scheduler + ": not a scheduler, as ns3::MapScheduler is");
    }

    Time::SetResolution(Time::PS);
    ObjectFactory factory;
    factory.SetTypeId(type);
    Simulator::SetScheduler(factory);
    std::cout << "scheduler=" << scheduler << "\n";
    Run(radix, packets ? packets : std::max(1U, DATA_PACKETS / hosts));
    Simulator::Destroy();
    return 0;
}
