/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-planner.h"

#include "link-load.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t NONE = UINT32_MAX; //!< no block, or no rank
constexpr double SPLIT_GAIN = 1.1;    //!< how much better split pods have to be balanced
constexpr double TIE_BREAK = 1e-9;    //!< a share of work that is more than rounding and else none
constexpr double ROUNDING_ERROR = 1e-6; //!< of sums of work; a host's is 1

/// The blocks of a fabric, and the work of its switches.
class BlockList
{
  public:
    /// Divide a fabric into blocks.
    explicit BlockList(const FabricGraph& graph)
        : m_graph(graph),
          m_loads(UniformLinkLoads(graph)),
          m_switchWork(graph.Switches().size()),
          m_blockOfHost(graph.HostCount()),
          m_blockOfSwitch(graph.Switches().size(), NONE)
    {
        AddLeaves();
        AddOthersOfPods();
        SumWork();
    }

    /// @return the fabric
    const FabricGraph& Graph() const
    {
        return m_graph;
    }

    /// @return the load of a link  @param link id of the link
    double LoadOf(uint32_t link) const
    {
        return m_loads[link];
    }

    /// @return the work of a switch  @param id id of the switch
    double WorkOfSwitch(uint32_t id) const
    {
        return m_switchWork[id];
    }

    /// @return the number of a node's block, or NONE  @param node a host or a switch
    uint32_t BlockOf(const FabricEnd& node) const
    {
        return (node.isHost ? m_blockOfHost : m_blockOfSwitch)[node.id];
    }

    /// @return the work of each block
    const std::vector<double>& Work() const
    {
        return m_work;
    }

    /// @return the number of each block's pod, numbered from 0 in the order of the blocks
    const std::vector<uint32_t>& Pods() const
    {
        return m_pods;
    }

  private:
    /// The blocks of a pod.
    struct Pod
    {
        uint32_t number{0};     //!< number among the pods that have hosts
        uint32_t firstBlock{0}; //!< number of its first block
        uint32_t blocks{0};     //!< number of its blocks
    };

    /// Make the blocks of the leaves that have hosts, pod by pod.
    void AddLeaves()
    {
        std::vector<uint32_t> hosts(m_graph.HostCount());
        std::iota(hosts.begin(), hosts.end(), 0);
        std::stable_sort(hosts.begin(), hosts.end(), [this](uint32_t a, uint32_t b) {
            return m_graph.PodOf(a) < m_graph.PodOf(b);
        });
        for (auto host : hosts)
        {
            auto block = m_blockOfSwitch[m_graph.LeafOf(host)];
            if (block == NONE)
            {
                block = AddBlock(m_graph.PodOf(host));
            }
            m_blockOfHost[host] = block;
            for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
            {
                m_blockOfSwitch[m_graph.LeafOf(host, plane)] = block;
            }
        }
    }

    /// @return the number of a new block, the last one of its pod
    uint32_t AddBlock(uint32_t pod)
    {
        const auto block = static_cast<uint32_t>(m_pods.size());
        const auto number = static_cast<uint32_t>(m_podsWithHosts.size());
        auto& entry = m_podsWithHosts.try_emplace(pod, Pod{number, block, 0}).first->second;
        ++entry.blocks;
        m_pods.push_back(entry.number);
        return block;
    }

    /// Put the other switches of pods into their pods' blocks, the i-th of a kind into the i-th.
    void AddOthersOfPods()
    {
        std::map<std::tuple<uint32_t, uint16_t, uint8_t>, std::vector<uint32_t>> kinds;
        for (uint32_t id = 0; id < m_graph.Switches().size(); ++id)
        {
            const auto& spec = m_graph.Switches()[id];
            if (m_blockOfSwitch[id] == NONE && m_podsWithHosts.count(spec.pod) > 0)
            {
                kinds[{spec.pod, spec.plane, spec.tier}].push_back(id);
            }
        }
        for (const auto& [kind, ids] : kinds)
        {
            const auto& pod = m_podsWithHosts.at(std::get<0>(kind));
            for (uint64_t i = 0; i < ids.size(); ++i)
            {
                const auto place = (2 * i + 1) * pod.blocks / (2 * ids.size());
                m_blockOfSwitch[ids[i]] = pod.firstBlock + static_cast<uint32_t>(place);
            }
        }
    }

    /// Sum up what switches and blocks receive.
    void SumWork()
    {
        m_work.resize(m_pods.size());
        for (uint32_t id = 0; id < m_loads.size(); ++id)
        {
            for (const auto& end : {m_graph.Links()[id].a, m_graph.Links()[id].b})
            {
                if (!end.isHost)
                {
                    m_switchWork[end.id] += m_loads[id];
                }
                if (BlockOf(end) != NONE)
                {
                    m_work[BlockOf(end)] += m_loads[id];
                }
            }
        }
    }

    const FabricGraph& m_graph;              //!< the fabric
    std::vector<double> m_loads;             //!< by link
    std::vector<double> m_switchWork;        //!< by switch
    std::vector<uint32_t> m_blockOfHost;     //!< by host
    std::vector<uint32_t> m_blockOfSwitch;   //!< by switch
    std::vector<uint32_t> m_pods;            //!< number of the pod, by block
    std::vector<double> m_work;              //!< by block
    std::map<uint32_t, Pod> m_podsWithHosts; //!< by the pod's name in the fabric
};

/**
 * Deal things of some work to ranks, in runs of consecutive ones of about equal work.
 *
 * @param ranks number of ranks, not more than there are things
 * @return the rank of each
 */
std::vector<uint32_t>
Deal(const std::vector<double>& work, uint32_t ranks)
{
    std::vector<uint32_t> rankOf(work.size());
    double left = std::accumulate(work.begin(), work.end(), 0.0);
    std::size_t next = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const auto ranksLeft = ranks - rank;
        const auto end = work.size() - (ranksLeft - 1); // the others need one each
        const auto fair = left / ranksLeft + ROUNDING_ERROR;
        double taken = 0;
        do
        {
            taken += work[next];
            rankOf[next++] = rank;
        } while (next < end && taken + work[next] / 2 <= fair);
        left -= taken;
    }
    return rankOf;
}

/// Deal blocks in whole pods.  @return the rank of each block
std::vector<uint32_t>
DealPods(const BlockList& blocks, uint32_t ranks)
{
    const auto& pods = blocks.Pods();
    std::vector<double> work(pods.back() + 1);
    for (std::size_t block = 0; block < pods.size(); ++block)
    {
        work[pods[block]] += blocks.Work()[block];
    }
    const auto rankOfPod = Deal(work, ranks);
    std::vector<uint32_t> rankOf;
    for (auto pod : pods)
    {
        rankOf.push_back(rankOfPod[pod]);
    }
    return rankOf;
}

/// Gives ranks to the switches of no block, when the blocks have theirs.
class SwitchSpread
{
  public:
    /// Give a rank to each switch that is in no block.
    SwitchSpread(const BlockList& blocks, std::vector<uint32_t> rankOfBlock, uint32_t ranks)
        : m_blocks(blocks),
          m_rankOfBlock(std::move(rankOfBlock)),
          m_rankOfSwitch(blocks.Graph().Switches().size(), NONE),
          m_room(ranks)
    {
        std::vector<uint32_t> others;
        for (uint32_t id = 0; id < m_rankOfSwitch.size(); ++id)
        {
            if (blocks.BlockOf({false, id, 0}) == NONE)
            {
                others.push_back(id);
            }
        }
        MakeRoom(others);
        for (auto id : others)
        {
            const auto rank = Choose(id);
            m_rankOfSwitch[id] = rank;
            m_room[rank] -= blocks.WorkOfSwitch(id);
        }
    }

    /// @return the rank of a node; NONE, if it has none yet  @param node a host or a switch
    uint32_t RankOf(const FabricEnd& node) const
    {
        const auto block = m_blocks.BlockOf(node);
        return block == NONE ? m_rankOfSwitch[node.id] : m_rankOfBlock[block];
    }

  private:
    /// Find how much work each rank is to take.  @param others the switches to be spread
    void MakeRoom(const std::vector<uint32_t>& others)
    {
        std::vector<double> work(m_room.size());
        for (std::size_t block = 0; block < m_rankOfBlock.size(); ++block)
        {
            // A trifle less, so that of two equal ranks the one with more blocks is taken, to which
            // more links lead.
            work[m_rankOfBlock[block]] += m_blocks.Work()[block] * (1 - TIE_BREAK);
        }
        for (auto id : others)
        {
            const auto least = std::min_element(work.begin(), work.end());
            *least += m_blocks.WorkOfSwitch(id);
            m_room[least - work.begin()] += m_blocks.WorkOfSwitch(id);
        }
    }

    /// @return of the ranks with room for a switch, the one with most load on its links to it
    /// @param id id of the switch
    uint32_t Choose(uint32_t id) const
    {
        const auto& graph = m_blocks.Graph();
        std::vector<double> load(m_room.size());
        for (uint16_t port = 0; port < graph.Switches()[id].portCount; ++port)
        {
            const FabricEnd end{false, id, port};
            const auto rank = RankOf(graph.PeerOf(end));
            if (rank != NONE)
            {
                load[rank] += m_blocks.LoadOf(graph.LinkAt(end));
            }
        }
        const auto enough = m_blocks.WorkOfSwitch(id) - ROUNDING_ERROR;
        auto merit = [&](uint32_t rank) {
            return std::tuple(m_room[rank] >= enough, load[rank], m_room[rank]);
        };
        uint32_t best = 0;
        for (uint32_t rank = 1; rank < m_room.size(); ++rank)
        {
            best = merit(rank) > merit(best) ? rank : best;
        }
        return best;
    }

    const BlockList& m_blocks;            //!< the blocks
    std::vector<uint32_t> m_rankOfBlock;  //!< by block
    std::vector<uint32_t> m_rankOfSwitch; //!< by switch of no block
    std::vector<double> m_room;           //!< work that a rank is still to take
};

/// @return a plan
RankPlan
Complete(const BlockList& blocks, std::vector<uint32_t> rankOfBlock, uint32_t ranks)
{
    const SwitchSpread spread(blocks, std::move(rankOfBlock), ranks);
    return RankPlan(blocks.Graph(), ranks, [&](const FabricEnd& node) {
        return spread.RankOf(node);
    });
}

} // namespace

RankPlan
PlanRanks(const FabricGraph& graph, uint32_t ranks)
{
    const BlockList blocks(graph);
    if (ranks == 0 || ranks > blocks.Work().size())
    {
        throw std::invalid_argument("ranks: " + std::to_string(ranks) + " is not in 1.." +
                                    std::to_string(blocks.Work().size()) +
                                    " (each needs a leaf with hosts)");
    }
    auto split = Complete(blocks, Deal(blocks.Work(), ranks), ranks);
    if (ranks > blocks.Pods().back() + 1)
    {
        return split;
    }
    auto whole = Complete(blocks, DealPods(blocks, ranks), ranks);
    return whole.GetImbalance() <= SPLIT_GAIN * split.GetImbalance() ? whole : split;
}

} // namespace aifabric
} // namespace ns3
