/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAT_TREE_LOOP_H
#define FAT_TREE_LOOP_H

/*
 * What bare-loop.cc and tuned-loop.cc have in common: the fat-tree, the permutation, and what is
 * measured.
 */

#include "ns3/command-line.h"
#include "ns3/monotone-scheduler.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace fattreeloop
{

using namespace ns3;

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

/**
 * A switch: the ports down are contiguous, so are the ports up.
 *
 * @tparam Node what a link ends at
 * @tparam Link an output port and the wire behind it
 */
template <typename Node, typename Link>
class SwitchOf : public Node
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

/**
 * The fat-tree. Switches and hosts are numbered hosts first, then edges, aggregations, cores.
 *
 * @tparam Parts the types Link, EdgeSwitch, AggregationSwitch, CoreSwitch, Host, and Shared: what
 * the hosts share, made of a random variable
 */
template <typename Parts>
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
          m_shared(random),
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
            m_hosts[i].Connect(&m_shared, &m_edges[low], EdgeId(low));
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

    uint32_t m_half;                                               //!< Half the radix.
    uint32_t m_pods;                                               //!< Number of pods.
    uint32_t m_count;                                              //!< Number of hosts.
    Ptr<UniformRandomVariable> m_random;                           //!< For the set-up.
    typename Parts::Shared m_shared;                               //!< What the hosts share.
    std::vector<typename Parts::Host> m_hosts;                     //!< All hosts.
    std::vector<typename Parts::EdgeSwitch> m_edges;               //!< Of all pods.
    std::vector<typename Parts::AggregationSwitch> m_aggregations; //!< Of all pods.
    std::vector<typename Parts::CoreSwitch> m_cores;               //!< All cores.
    std::vector<typename Parts::Link> m_toHost;                    //!< By edge, then host.
    std::vector<typename Parts::Link> m_edgeToAggregation;         //!< By edge, then aggregation.
    std::vector<typename Parts::Link> m_aggregationToEdge;         //!< By aggregation, then edge.
    std::vector<typename Parts::Link> m_aggregationToCore;         //!< By aggregation, then core.
    std::vector<typename Parts::Link> m_coreToAggregation;         //!< By core, then pod.
};

/** @return user and system time of this process, in seconds */
inline double
GetCpuTime()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) { return t.tv_sec + t.tv_usec * 1e-6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/** @return the largest resident set so far, in bytes */
inline int64_t
GetPeakRss()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * int64_t{1024};
}

/** @return the resident set, in bytes */
inline int64_t
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
inline uint32_t
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
 * @tparam Parts of the fat-tree
 * @param radix of the fat-tree
 * @param packets of a message
 */
template <typename Parts>
void
Run(uint32_t radix, uint32_t packets)
{
    const uint32_t hosts = radix * radix * radix / 4;
    const auto random = CreateObject<UniformRandomVariable>();
    const double cpuBefore = GetCpuTime();
    const int64_t rssBefore = GetRss();
    FatTree<Parts> fabric(radix, random);
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
 * @param program its name
 * @param what is wrong
 * @return the exit status
 */
inline int
Fail(const std::string& program, const std::string& what)
{
    std::cerr << program << ": " << what << std::endl;
    return 1;
}

/**
 * The main function of such a loop.
 *
 * @tparam Parts of the fat-tree
 * @param program its name
 * @param usage what it is
 * @param argc number of arguments
 * @param argv the arguments
 * @return the exit status
 */
template <typename Parts>
int
Main(const std::string& program, const std::string& usage, int argc, char* argv[])
{
    uint32_t hosts = 128;
    uint32_t packets = 0;
    std::string scheduler = aifabric::MonotoneScheduler::GetTypeId().GetName();

    CommandLine cmd(program);
    cmd.Usage(usage);
    cmd.AddValue("hosts", "number of hosts: 16, 54, 128, ... k^3/4 for even k", hosts);
    cmd.AddValue("packets", "data packets a message (0: 1048576 / hosts)", packets);
    cmd.AddValue("scheduler", "TypeId of the ns-3 scheduler", scheduler);
    cmd.Parse(argc, argv);

    const uint32_t radix = GetRadix(hosts);
    if (radix == 0)
    {
        return Fail(program,
                    "--hosts=" + std::to_string(hosts) +
                        ": no fat-tree has that many; allowed: k^3/4 for even k from 2 to " +
                        std::to_string(LARGEST_RADIX));
    }
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(scheduler, &type) || !type.IsChildOf(Scheduler::GetTypeId()))
    {
        return Fail(program,
                    "--scheduler=" + scheduler + ": not a scheduler, as ns3::MapScheduler is");
    }

    Time::SetResolution(Time::PS);
    ObjectFactory factory;
    factory.SetTypeId(type);
    Simulator::SetScheduler(factory);
    std::cout << "scheduler=" << scheduler << "\n";
    Run<Parts>(radix, packets ? packets : std::max(1U, DATA_PACKETS / hosts));
    Simulator::Destroy();
    return 0;
}

} // namespace fattreeloop

#endif /* FAT_TREE_LOOP_H */
