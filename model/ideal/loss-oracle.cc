/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loss-oracle.h"

#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/nic-change.h"
#include "ns3/node.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(LossOracle);

TypeId
LossOracle::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::LossOracle")
            .SetParent<LossReporter>()
            .SetGroupName("AiFabric")
            .AddConstructor<LossOracle>()
            .AddAttribute("RoundTripTime",
                          "Time between a packet and its acknowledgement where nothing waits. The "
                          "default is that of a three-tier fat-tree with links of 0.5 us at "
                          "800 Gb/s.",
                          TimeValue(NanoSeconds(6254)),
                          MakeTimeAccessor(&LossOracle::m_roundTrip),
                          MakeTimeChecker(Time(0)));
    return tid;
}

LossOracle::LossOracle()
{
}

LossOracle::~LossOracle()
{
}

void
LossOracle::Install(const std::vector<Ptr<RoceNetDevice>>& nics,
                    const std::vector<Ptr<FabricSwitch>>& switches,
                    const std::vector<Ptr<FabricChannel>>& channels)
{
    Prepare(nics, switches, channels);
    Start();
}

void
LossOracle::Prepare(const std::vector<Ptr<RoceNetDevice>>& nics,
                    const std::vector<Ptr<FabricSwitch>>& switches,
                    const std::vector<Ptr<FabricChannel>>& channels)
{
    m_nics = nics;
    m_switches = switches;
    m_channels = channels;
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        nic->SetLossReporter(this);
        m_nodes.push_back(nic->GetNode()->GetId());
    }
}

void
LossOracle::Start()
{
    if (m_isStarted)
    {
        return;
    }
    m_isStarted = true;
    Simulator::ScheduleDestroy(&LossOracle::Dispose, Ptr<LossOracle>(this)); // traces call it
    m_pending.resize(m_nics.size());
    m_peers.resize(m_nics.size());
    if (RankTransport::GetRanks() > 1)
    {
        const Time quickest = PicoSeconds(m_roundTrip.GetPicoSeconds() / 2 - 1);
        m_messenger = Create<RankMessenger>(Min(quickest, m_channels.at(0)->GetDelay()),
                                            MakeCallback(&LossOracle::ReceiveLoss, this));
    }
    for (const Ptr<FabricSwitch>& fabricSwitch : m_switches)
    {
        fabricSwitch->TraceConnectWithoutContext("Drop",
                                                 MakeCallback(&LossOracle::FrameDropped, this));
    }
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        nic->TraceConnectWithoutContext("Trimmed", MakeCallback(&LossOracle::FrameTrimmed, this));
    }
    for (const Ptr<FabricChannel>& channel : m_channels)
    {
        for (std::size_t end = 0; end < 2; ++end)
        {
            channel->GetPort(end)->TraceConnectWithoutContext(
                "Loss",
                MakeCallback(&LossOracle::FrameLost, this));
        }
    }
    m_switches.clear();
    m_channels.clear();
}

bool
LossOracle::IsStarted() const
{
    return m_isStarted;
}

void
LossOracle::FrameDropped(Ptr<const FabricFrame> frame, FabricSwitch::DropReason)
{
    FrameLost(frame, PicoSeconds(FabricClock::Now()));
}

void
LossOracle::FrameTrimmed(Ptr<const FabricFrame> frame)
{
    FrameLost(frame, PicoSeconds(FabricClock::Now()));
}

bool
LossOracle::Loss::operator<(const Loss& other) const
{
    const auto key = [](const Loss& loss) {
        return std::tie(loss.due, loss.isAck, loss.peer, loss.number, loss.psn, loss.entropy);
    };
    return key(*this) < key(other);
}

void
LossOracle::FrameLost(Ptr<const FabricFrame> frame, Time when)
{
    const bool isAck = frame->opcode == RC_ACK;
    const uint32_t host = isAck ? frame->destination : frame->source;
    if (frame->kind != FrameKind::ROCE || host >= m_nics.size() ||
        PeekPointer(m_nics[host]->GetLossReporter()) != this)
    {
        return;
    }
    const int64_t roundTrip = m_roundTrip.GetPicoSeconds();
    Loss loss;
    loss.due = std::max(frame->sentAt + roundTrip, when.GetPicoSeconds() + roundTrip / 2);
    loss.isAck = isAck;
    loss.peer = isAck ? frame->source : frame->destination;
    loss.number = frame->destinationQp;
    loss.psn = frame->psn;
    loss.entropy = frame->entropy;
    if (!m_messenger || RankTransport::IsHere(m_nics[host]->GetNode()))
    {
        ScheduleReport(host, loss);
    }
    else
    {
        const uint32_t rank = m_nics[host]->GetNode()->GetSystemId();
        m_messenger->Send(rank, MakeLossMessage(host, loss), loss.due);
    }
}

Ptr<Packet>
LossOracle::MakeLossMessage(uint32_t host, const Loss& loss)
{
    std::array<uint8_t, sizeof host + sizeof loss> bytes{};
    std::memcpy(bytes.data(), &host, sizeof host);
    std::memcpy(bytes.data() + sizeof host, &loss, sizeof loss);
    return Create<Packet>(bytes.data(), bytes.size());
}

void
LossOracle::ReceiveLoss(Ptr<Packet> message)
{
    uint32_t host = 0;
    Loss loss;
    std::array<uint8_t, sizeof host + sizeof loss> bytes{};
    message->CopyData(bytes.data(), bytes.size());
    std::memcpy(&host, bytes.data(), sizeof host);
    std::memcpy(&loss, bytes.data() + sizeof host, sizeof loss);
    ScheduleReport(host, loss);
}

void
LossOracle::ScheduleReport(uint32_t host, const Loss& loss)
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_pending[host].insert(loss);
    }
    Simulator::ScheduleWithContext(m_nodes[host],
                                   FabricClock::Until(loss.due, FabricClock::OUT_OF_BAND_TURN),
                                   &LossOracle::ReportLosses,
                                   this,
                                   host);
}

void
LossOracle::ReportLosses(uint32_t host)
{
    if (m_nics.empty())
    {
        return; // disposed of
    }
    const int64_t now = FabricClock::Now();
    RoceNetDevice& nic = *m_nics[host];
    while (const std::optional<Loss> loss = TakeDue(host, now))
    {
        if (QueuePair* sender = FindSender(host, *loss))
        {
            const NicChange change(nic, sender, now);
            sender->ReportLoss(loss->psn, loss->entropy, now);
        }
    }
}

std::optional<LossOracle::Loss>
LossOracle::TakeDue(uint32_t host, int64_t now)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    std::multiset<Loss>& pending = m_pending[host];
    if (pending.empty() || pending.begin()->due > now)
    {
        return std::nullopt;
    }
    return pending.extract(pending.begin()).value();
}

QueuePair*
LossOracle::FindSender(uint32_t host, const Loss& loss)
{
    const RoceNetDevice& nic = *m_nics[host];
    if (loss.isAck)
    {
        return nic.FindQueuePair(loss.number);
    }
    PeerTable& table = m_peers[host];
    for (; table.known < nic.GetEndpointCount(); ++table.known)
    {
        if (const Ptr<QueuePair> queuePair = nic.GetQueuePair(table.known))
        {
            const uint64_t peer = queuePair->GetPeerHost();
            table.numberOfPeer[peer << 32 | queuePair->GetPeerNumber()] = queuePair->GetNumber();
        }
    }
    const auto found =
        table.numberOfPeer.find(static_cast<uint64_t>(loss.peer) << 32 | loss.number);
    return found == table.numberOfPeer.end() ? nullptr : nic.FindQueuePair(found->second);
}

void
LossOracle::DoDispose()
{
    m_nics.clear();
    m_switches.clear();
    m_channels.clear();
    m_pending.clear();
    m_peers.clear();
    LossReporter::DoDispose();
}

} // namespace aifabric
} // namespace ns3
