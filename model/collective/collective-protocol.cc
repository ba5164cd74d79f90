/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-protocol.h"

#include "ns3/double.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveProtocol);

TypeId
CollectiveProtocol::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::CollectiveProtocol").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

TypeId
CollectiveProtocol::AddValues(TypeId type, const Values& values)
{
    type.SetParent<CollectiveProtocol>()
        .SetGroupName("AiFabric")
        .AddAttribute("RingBase",
                      "Of an algorithm without trees: time before the first message, once.",
                      TimeValue(NanoSeconds(std::llround(1000 * values.ringBaseUs))),
                      MakeTimeAccessor(&CollectiveProtocol::m_ringBase),
                      MakeTimeChecker(Time(0), Seconds(1)))
        .AddAttribute("RingNode",
                      "Of the same: latency of a message within a node, NVLink.",
                      TimeValue(NanoSeconds(std::llround(1000 * values.ringNodeUs))),
                      MakeTimeAccessor(&CollectiveProtocol::m_ringNode),
                      MakeTimeChecker(Time(0), Seconds(1)))
        .AddAttribute("RingNetwork",
                      "Of the same: latency of a message between nodes of several GPUs.",
                      TimeValue(NanoSeconds(std::llround(1000 * values.ringNetworkUs))),
                      MakeTimeAccessor(&CollectiveProtocol::m_ringNetwork),
                      MakeTimeChecker(Time(0), Seconds(1)))
        .AddAttribute("TreeBase",
                      "Of trees: time before the first message, once.",
                      TimeValue(NanoSeconds(std::llround(1000 * values.treeBaseUs))),
                      MakeTimeAccessor(&CollectiveProtocol::m_treeBase),
                      MakeTimeChecker(Time(0), Seconds(1)))
        .AddAttribute("TreeNode",
                      "Of trees: latency of a message within a node, NVLink.",
                      TimeValue(NanoSeconds(std::llround(1000 * values.treeNodeUs))),
                      MakeTimeAccessor(&CollectiveProtocol::m_treeNode),
                      MakeTimeChecker(Time(0), Seconds(1)))
        .AddAttribute("TreeNetwork",
                      "Of trees, and of all algorithms if each node has one GPU: latency of a "
                      "message between nodes.",
                      TimeValue(NanoSeconds(std::llround(1000 * values.treeNetworkUs))),
                      MakeTimeAccessor(&CollectiveProtocol::m_treeNetwork),
                      MakeTimeChecker(Time(0), Seconds(1)))
        .AddAttribute("NodeSwitch",
                      "Latency, once, in nodes whose switch adds up and copies (NVLS).",
                      TimeValue(NanoSeconds(std::llround(1000 * values.switchUs))),
                      MakeTimeAccessor(&CollectiveProtocol::m_switch),
                      MakeTimeChecker(Time(0), Seconds(1)))
        .AddAttribute(
            "Post",
            "Of rings over several nodes: least latency of a message, in which a host posts it.",
            TimeValue(NanoSeconds(std::llround(1000 * values.postUs))),
            MakeTimeAccessor(&CollectiveProtocol::m_post),
            MakeTimeChecker(Time(0), Seconds(1)));
    return AddShares(type, values);
}

TypeId
CollectiveProtocol::AddShares(TypeId type, const Values& values)
{
    return type
        .AddAttribute("Efficiency",
                      "Share of the bytes on links that are data.",
                      DoubleValue(values.efficiency),
                      MakeDoubleAccessor(&CollectiveProtocol::m_efficiency),
                      MakeDoubleChecker<double>(0.01, 1))
        .AddAttribute("RingShare",
                      "Share of the links' rate with which the tuner reckons for rings.",
                      DoubleValue(values.ringShare),
                      MakeDoubleAccessor(&CollectiveProtocol::m_ringShare),
                      MakeDoubleChecker<double>(0.01, 1))
        .AddAttribute("TreeShare",
                      "Share of the links' rate with which the tuner reckons for trees.",
                      DoubleValue(values.treeShare),
                      MakeDoubleAccessor(&CollectiveProtocol::m_treeShare),
                      MakeDoubleChecker<double>(0.01, 1))
        .AddAttribute("RingPlateau",
                      "Factor of the latency of a ring all-reduce over several nodes with which "
                      "the tuner reckons.",
                      DoubleValue(values.ringPlateau),
                      MakeDoubleAccessor(&CollectiveProtocol::m_ringPlateau),
                      MakeDoubleChecker<double>(1, 100))
        .AddAttribute(
            "MostNode",
            "Bus bandwidth that the tuner expects at most in one node, in bytes a second (0: any).",
            DoubleValue(values.mostNode),
            MakeDoubleAccessor(&CollectiveProtocol::m_mostNode),
            MakeDoubleChecker<double>(0, 1e15))
        .AddAttribute("MostPair",
                      "The same of two nodes.",
                      DoubleValue(values.mostPair),
                      MakeDoubleAccessor(&CollectiveProtocol::m_mostPair),
                      MakeDoubleChecker<double>(0, 1e15))
        .AddAttribute("MostNetwork",
                      "The same of more nodes.",
                      DoubleValue(values.mostNetwork),
                      MakeDoubleAccessor(&CollectiveProtocol::m_mostNetwork),
                      MakeDoubleChecker<double>(0, 1e15));
}

ProtocolCost
CollectiveProtocol::CostOf(bool isTree, RankShape shape) const
{
    ProtocolCost cost;
    cost.basePs = (isTree ? m_treeBase : m_ringBase).GetPicoSeconds();
    cost.nodePs = (isTree ? m_treeNode : m_ringNode).GetPicoSeconds();
    const bool isRing = !isTree && shape.perNode > 1;
    cost.networkPs = (isRing ? m_ringNetwork : m_treeNetwork).GetPicoSeconds();
    if (!isTree && shape.nodes > 1)
    {
        cost.nodePs = std::max(cost.nodePs, m_post.GetPicoSeconds());
    }
    cost.efficiency = m_efficiency;
    return cost;
}

int64_t
CollectiveProtocol::GetSwitchPs() const
{
    return m_switch.GetPicoSeconds();
}

CollectiveProtocol::TreeShares
CollectiveProtocol::GetTreeShares() const
{
    TreeShares shares;
    shares.fill(1);
    return shares;
}

double
CollectiveProtocol::GetShare(bool isTree, uint64_t bytes) const
{
    if (!isTree)
    {
        return m_ringShare;
    }
    const TreeShares shares = GetTreeShares();
    std::size_t index = 0;
    while (bytes >> (index + 7) > 0 && index + 1 < shares.size())
    {
        ++index;
    }
    return m_treeShare * (bytes >> (shares.size() + 5) > 0 ? 1 : shares[index]);
}

double
CollectiveProtocol::GetRingPlateau() const
{
    return m_ringPlateau;
}

double
CollectiveProtocol::GetMostBandwidth(uint32_t nodes) const
{
    return nodes == 1 ? m_mostNode : nodes == 2 ? m_mostPair : m_mostNetwork;
}

} // namespace aifabric
} // namespace ns3
