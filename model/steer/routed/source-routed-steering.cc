/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "source-routed-steering.h"

#include "plane-paths.h"
#include "reroute-draw.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/fabric-clock.h"
#include "ns3/message-service.h"
#include "ns3/piece-carrier.h"
#include "ns3/pinned-balancer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SourceRoutedSteering);

TypeId
SourceRoutedSteering::GetTypeId()
{
    static TypeId tid = AddTraceSources(AddSplitAttributes(
        TypeId("ns3::aifabric::SourceRoutedSteering")
            .SetParent<MessageSteering>()
            .SetGroupName("AiFabric")
            .AddAttribute("BatchWindow",
                          "How long messages to other leaves gather, from the first one on, before "
                          "they are divided together. 0: those of one instant.",
                          TimeValue(NanoSeconds(100)),
                          MakeTimeAccessor(&SourceRoutedSteering::m_window),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("Randomize",
                          "Shuffle the messages of a group and its paths, and delay starts.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SourceRoutedSteering::m_randomizes),
                          MakeBooleanChecker())
            .AddAttribute("StartJitterMax",
                          "With Randomize, the most by which the start of a piece is delayed: "
                          "whole nanoseconds, from 0 on.",
                          TimeValue(NanoSeconds(50)),
                          MakeTimeAccessor(&SourceRoutedSteering::m_jitter),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("FailedPathTimeout",
                          "For how long a path on which a retransmission timer has expired is not "
                          "given to new pieces to the same leaf; 0: it is given to them.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&SourceRoutedSteering::m_failedTimeout),
                          MakeTimeChecker(Time(0), Seconds(1000)))
            .AddAttribute("ExcludeFailedOnReroute",
                          "A queue pair whose path has failed is given one that has not failed "
                          "before; else any other.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SourceRoutedSteering::m_excludes),
                          MakeBooleanChecker())));
    return tid;
}

TypeId
SourceRoutedSteering::AddSplitAttributes(TypeId type)
{
    return type
        .AddAttribute(
            "Rounding",
            "Where the bytes go if a message is no multiple of its number of pieces: so that "
            "paths differ least (Cumulative), or to the last piece, as the authors have it "
            "(LastPiece).",
            EnumValue(EtherealPlanner::Rounding::CUMULATIVE),
            MakeEnumMemberAccessor<EtherealPlanner::Rounding>(&SourceRoutedSteering::m_rounding),
            MakeEnumChecker(EtherealPlanner::Rounding::CUMULATIVE,
                            "Cumulative",
                            EtherealPlanner::Rounding::LAST_PIECE,
                            "LastPiece"))
        .AddAttribute("MinPieceBytes",
                      "Bytes of a piece of a message that is split, at least.",
                      UintegerValue(1),
                      MakeUintegerAccessor(&SourceRoutedSteering::m_minPieceBytes),
                      MakeUintegerChecker<uint64_t>(1));
}

TypeId
SourceRoutedSteering::AddTraceSources(TypeId type)
{
    return type
        .AddTraceSource("Batch",
                        "Messages that have gathered are divided.",
                        MakeTraceSourceAccessor(&SourceRoutedSteering::m_batchTrace),
                        "ns3::aifabric::SourceRoutedSteering::BatchTracedCallback")
        .AddTraceSource("Group",
                        "Messages of one size to one leaf were divided.",
                        MakeTraceSourceAccessor(&SourceRoutedSteering::m_groupTrace),
                        "ns3::aifabric::SourceRoutedSteering::GroupTracedCallback")
        .AddTraceSource("Reroute",
                        "A queue pair has got another path, because its timer expired.",
                        MakeTraceSourceAccessor(&SourceRoutedSteering::m_rerouteTrace),
                        "ns3::aifabric::SourceRoutedSteering::RerouteTracedCallback");
}

void
SourceRoutedSteering::DoDispose()
{
    m_timer.Cancel();
    MessageSteering::DoDispose();
}

std::optional<TypeId>
SourceRoutedSteering::GetBalancer() const
{
    return PinnedBalancer::GetTypeId();
}

const PathHealth&
SourceRoutedSteering::GetHealth() const
{
    return m_health;
}

void
SourceRoutedSteering::Count(PolicyCounters& counters) const
{
    counters["steering_batches"] += m_batches;
    counters["steering_pieces"] += m_pieces;
    counters["steering_split_messages"] += m_split;
    counters["steering_reroutes"] += m_reroutes;
    counters["steering_failed_marks"] += m_health.GetMarks();
}

uint64_t
SourceRoutedSteering::CountPieces(uint32_t messages, uint64_t bytes, uint32_t paths) const
{
    const EtherealPlanner planner({GetSplit(), m_rounding, m_minPieceBytes});
    return planner.CountPieces(messages, bytes, paths);
}

EtherealPlanner::Split
SourceRoutedSteering::GetSplit() const
{
    return EtherealPlanner::Split::EQUAL_PIECES;
}

const PathView&
SourceRoutedSteering::GetPaths() const
{
    const std::shared_ptr<const PathView>& paths = GetService().GetNics()[GetHost()]->GetPaths();
    NS_ABORT_MSG_IF(!paths, "SourceRoutedSteering: the NIC does not know the paths of the fabric");
    return *paths;
}

uint32_t
SourceRoutedSteering::LeafOf(uint32_t host) const
{
    return GetPaths().GetGraph().LeafOf(host);
}

void
SourceRoutedSteering::Send(uint32_t message)
{
    const Flow& flow = GetService().GetFlow(message);
    const uint32_t leaf = LeafOf(flow.destination);
    if (leaf == LeafOf(GetHost()) && GetPaths().GetPlanes() == 1)
    {
        PostLater({message, flow.bytes, std::nullopt}); // there is nothing to choose
        return;
    }
    m_batch[leaf].push_back(message);
    if (m_timer.IsExpired())
    {
        const int64_t close = FabricClock::Now() + m_window.GetPicoSeconds();
        m_timer =
            Simulator::Schedule(FabricClock::Until(close), &SourceRoutedSteering::CloseBatch, this);
    }
}

void
SourceRoutedSteering::CloseBatch()
{
    std::vector<uint32_t> leaves;
    uint32_t messages = 0;
    for (const auto& [leaf, waiting] : m_batch)
    {
        leaves.push_back(leaf);
        messages += waiting.size();
    }
    Shuffle(leaves, [this](uint32_t bound) { return Draw(bound); });
    const auto batch = std::move(m_batch);
    m_batch.clear();
    ++m_batches;
    m_batchTrace(messages);
    for (const uint32_t leaf : leaves)
    {
        // Messages whose paths are equal. Below this leaf they end with the link to the host.
        std::map<std::pair<std::vector<bool>, uint32_t>, std::vector<uint32_t>> parts;
        for (const uint32_t message : batch.at(leaf))
        {
            const uint32_t destination = GetService().GetFlow(message).destination;
            const uint32_t end = leaf == LeafOf(GetHost()) ? destination : 0;
            parts[{PlanesTo(GetPaths(), destination), end}].push_back(message);
        }
        for (const auto& [paths, waiting] : parts)
        {
            SendToLeaf(leaf, waiting);
        }
    }
}

void
SourceRoutedSteering::SendToLeaf(uint32_t leaf, const std::vector<uint32_t>& messages)
{
    std::vector<uint64_t> sizes;
    for (const uint32_t message : messages)
    {
        sizes.push_back(GetService().GetFlow(message).bytes);
    }
    for (const std::vector<uint32_t>& group : EtherealPlanner::GroupBySize(sizes))
    {
        std::vector<uint32_t> members;
        for (const uint32_t index : group)
        {
            members.push_back(messages[index]);
        }
        SendGroup(leaf, std::move(members));
    }
}

void
SourceRoutedSteering::SendGroup(uint32_t leaf, std::vector<uint32_t> messages)
{
    const uint32_t destination = GetService().GetFlow(messages.front()).destination;
    std::vector<uint16_t> paths =
        m_health.Usable(leaf, FindPaths(GetPaths(), GetHost(), destination), FabricClock::Now());
    if (paths.empty())
    {
        for (const uint32_t message : messages) // no path is known; the switches may find one
        {
            PostLater({message, GetService().GetFlow(message).bytes, std::nullopt});
        }
        return;
    }
    if (m_randomizes)
    {
        const UniformInteger uniform = [this](uint32_t bound) { return Draw(bound); };
        Shuffle(messages, uniform);
        Shuffle(paths, uniform);
        AlternatePlanes(paths, GetPaths().GetPlanes());
    }
    std::vector<uint64_t> sizes;
    for (const uint32_t message : messages)
    {
        sizes.push_back(GetService().GetFlow(message).bytes);
    }
    const auto count = static_cast<uint32_t>(messages.size());
    const std::vector<EtherealPlanner::Piece> pieces = Divide(sizes, paths);
    const auto choices = static_cast<uint32_t>(paths.size());
    m_groupTrace({leaf,
                  count,
                  choices,
                  EtherealPlanner::Divide(count, choices),
                  static_cast<uint32_t>(pieces.size())});
    uint32_t last = count;
    for (const EtherealPlanner::Piece& piece : pieces)
    {
        const uint32_t message = messages[piece.flow];
        if (piece.flow != last)
        {
            last = piece.flow;
            m_split += piece.pieces > 1;
            GetService().SetPieces(message, piece.pieces);
        }
        PostLater({message, piece.bytes, piece.path});
    }
}

void
SourceRoutedSteering::PostLater(const Order& order)
{
    ++m_pieces;
    const auto most = static_cast<uint32_t>(m_randomizes ? m_jitter.GetNanoSeconds() : 0);
    if (most == 0)
    {
        PostNow(order);
        return;
    }
    constexpr int64_t PS_PER_NS = 1000;
    const int64_t start = FabricClock::Now() + Draw(most + 1) * PS_PER_NS;
    Simulator::Schedule(FabricClock::Until(start),
                        &SourceRoutedSteering::PostNow,
                        Ptr<SourceRoutedSteering>(this),
                        order);
}

void
SourceRoutedSteering::PostNow(const Order& order)
{
    if (!IsInstalled())
    {
        return; // disposed of meanwhile
    }
    const auto prepare = [this, &order](const Ptr<QueuePair>& queuePair, bool isNew) {
        if (!isNew && Renews())
        {
            queuePair->Renew();
        }
        const auto balancer = DynamicCast<PinnedBalancer>(queuePair->GetBalancer());
        NS_ABORT_MSG_IF(!balancer,
                        GetInstanceTypeId().GetName() << ": BalancerType of the NIC has to be "
                                                      << PinnedBalancer::GetTypeId().GetName());
        if (!order.path)
        {
            balancer->SetPath(std::nullopt);
            balancer->SetFailureCallback({});
            return;
        }
        const uint16_t planes = GetPaths().GetPlanes();
        balancer->SetPath(*order.path / planes, *order.path % planes);
        balancer->SetFailureCallback(
            MakeCallback(&SourceRoutedSteering::PathFailed, Ptr<SourceRoutedSteering>(this))
                .Bind(PeekPointer(queuePair)));
        Posted(order, queuePair);
    };
    GetCarrier().PostAlone(order.message, order.bytes, prepare);
}

std::optional<uint16_t>
SourceRoutedSteering::PathFailed(QueuePair* queuePair, uint16_t label)
{
    if (!IsInstalled())
    {
        return label; // disposed of meanwhile
    }
    const auto balancer = DynamicCast<PinnedBalancer>(queuePair->GetBalancer());
    const uint32_t destination = queuePair->GetPeerHost();
    const uint16_t planes = GetPaths().GetPlanes();
    const auto from = static_cast<uint16_t>(label * planes + balancer->GetPlane());
    const int64_t until = FabricClock::Now() + m_failedTimeout.GetPicoSeconds();
    m_health.MarkFailed(LeafOf(destination), from, until);
    const uint16_t to = DrawOther(destination, from);
    ++m_reroutes;
    m_rerouteTrace(destination, from, to);
    Rerouted(queuePair, to);
    balancer->SetPath(to / planes, to % planes);
    return to / planes;
}

uint16_t
SourceRoutedSteering::DrawOther(uint32_t destination, uint16_t old)
{
    const UniformInteger uniform = [this](uint32_t bound) { return Draw(bound); };
    const FabricGraph& graph = GetPaths().GetGraph();
    const uint32_t uplinks = graph.LeafUplinks();
    const uint16_t planes = GetPaths().GetPlanes();
    if (m_excludes || planes > 1)
    {
        std::vector<uint16_t> paths = FindPaths(GetPaths(), GetHost(), destination);
        if (m_excludes)
        {
            paths = m_health.Usable(LeafOf(destination), paths, FabricClock::Now());
        }
        return DrawRerouteAmong(old, uplinks * planes, paths, uniform);
    }
    constexpr uint32_t LINKS_IN_POD = 4;
    const uint32_t leaf = graph.LeafOf(GetHost());
    const FabricEnd up{false, leaf, graph.Switches()[leaf].forwarding.up.first};
    const bool turns = graph.PathLinks(GetHost(), destination) <= LINKS_IN_POD;
    const uint32_t middle = turns ? 1 : graph.Switches()[graph.PeerOf(up).id].forwarding.up.count;
    return DrawReroute(old, uplinks, middle, uniform);
}

std::vector<EtherealPlanner::Piece>
SourceRoutedSteering::Plan(EtherealPlanner::Split split,
                           const std::vector<uint64_t>& bytes,
                           const std::vector<uint16_t>& paths) const
{
    const EtherealPlanner planner({split, m_rounding, m_minPieceBytes});
    return planner.Plan(bytes, paths);
}

void
SourceRoutedSteering::Posted(const Order&, const Ptr<QueuePair>&)
{
}

void
SourceRoutedSteering::Rerouted(const Ptr<QueuePair>&, uint16_t)
{
}

} // namespace aifabric
} // namespace ns3
