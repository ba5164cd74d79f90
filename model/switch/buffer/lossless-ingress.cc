/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lossless-ingress.h"

#include "ns3/abort.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-switch.h"
#include "ns3/frame-codec.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the propagation delay of a port's link
Time
PropagationDelay(const FabricPort& port)
{
    TimeValue delay;
    port.GetChannel()->GetAttribute("Delay", delay);
    return delay.Get();
}

} // namespace

uint64_t
LosslessIngress::Settings::GetNeededHeadroom(const FabricSwitch& fabricSwitch,
                                             const FabricPort& port) const
{
    const FabricTransmitter& transmitter = port.GetTransmitter();
    if (!transmitter.GetPeer())
    {
        return 0;
    }
    const FabricPort& peer = *transmitter.GetPeer();
    const Time wait = PicoSeconds(transmitter.GetTransmissionTime(
        PauseSender::GetLargestFrame(port) + FrameCodec::MIN_FRAME_SIZE));
    const double window = wait.GetSeconds() + 2 * PropagationDelay(port).GetSeconds() +
                          responseTime.GetSeconds() + fabricSwitch.GetLatency().GetSeconds();
    const double bytes = window * peer.GetDataRate().GetBitRate() / 8;
    return static_cast<uint64_t>(std::ceil(bytes - 1e-6)) + 2 * PauseSender::GetLargestFrame(peer);
}

uint64_t
LosslessIngress::Settings::GetHeadroom(const FabricSwitch& fabricSwitch,
                                       const FabricPort& port) const
{
    if (headroom && port.GetTransmitter().GetPeer())
    {
        return headroom;
    }
    return GetNeededHeadroom(fabricSwitch, port);
}

uint64_t
LosslessIngress::Settings::GetDedicatedBytes(const FabricSwitch& fabricSwitch) const
{
    uint64_t dedicated = 0;
    for (std::size_t i = 0; classes && i < fabricSwitch.GetPortCount(); ++i)
    {
        dedicated += reserve + GetHeadroom(fabricSwitch, *fabricSwitch.GetPort(i));
    }
    return __builtin_popcount(classes) * dedicated;
}

LosslessIngress::LosslessIngress(SharedPool& pool, const PauseTrace& trace)
    : m_pool(pool),
      m_trace(trace)
{
}

void
LosslessIngress::Install(FabricSwitch& fabricSwitch, const Settings& settings)
{
    m_switch = &fabricSwitch;
    m_settings = settings;
    m_factor = SharedPool::ToFactor(settings.alpha);
    const std::size_t ports = fabricSwitch.GetPortCount();
    m_headrooms.resize(ports);
    m_accounts.resize(ports * CLASSES);
    m_sender.Install(ports, settings.pauseQuanta, "SharedBuffer");
    m_node = ports == 0 ? 0 : fabricSwitch.GetPort(0)->GetDevice()->GetNode()->GetId();
    for (std::size_t i = 0; i < ports; ++i)
    {
        InstallPort(i, *fabricSwitch.GetPort(i));
    }
}

void
LosslessIngress::InstallPort(uint16_t index, FabricPort& port)
{
    FabricPort* peer = port.GetTransmitter().GetPeer();
    const uint8_t classes = m_settings.classes;
    if (!classes || !peer)
    {
        return;
    }
    for (uint8_t a = 0; a < CLASSES; ++a)
    {
        for (uint8_t b = a + 1; b < CLASSES; ++b)
        {
            NS_ABORT_MSG_IF(classes >> a & classes >> b & 1 &&
                                peer->GetTransmitter().GetQueues().SharesQueue(a, b),
                            "SharedBuffer::LosslessClasses: classes "
                                << +a << " and " << +b
                                << " share a queue; FabricPort::Classes must give each its own");
        }
    }
    m_sender.InstallPort(index, port);
    port.HoldDataRate();
    peer->HoldDataRate();
    m_headrooms[index] = m_settings.GetHeadroom(*m_switch, port);
}

bool
LosslessIngress::Admit(const FabricFrame& frame, int64_t now)
{
    const uint32_t index = frame.ingress * CLASSES + frame.GetClass();
    Account& account = m_accounts[index];
    const int64_t used = int64_t{account.used} + frame.wireBytes;
    const int64_t share = ShareOf(used);
    const int64_t growth = share - ShareOf(account.used);
    if (m_pool.IsBelow(share, m_factor, growth))
    {
        account.used = used;
        m_pool.Take(growth);
        return true;
    }
    m_switch->CatchUp(now);
    return AdmitNearThreshold(index, frame.wireBytes, now);
}

bool
LosslessIngress::AdmitNearThreshold(uint32_t index, uint32_t bytes, int64_t now)
{
    Account& account = m_accounts[index];
    const int64_t used = int64_t{account.used} + bytes;
    const int64_t share = ShareOf(used);
    const int64_t growth = share - ShareOf(account.used);
    if (growth <= m_pool.GetFree() && m_pool.Fits(share, m_factor))
    {
        account.used = used;
        m_pool.Take(growth);
    }
    else if (account.headroom + bytes <= m_headrooms[index / CLASSES])
    {
        account.headroom += bytes;
        account.maxHeadroom = std::max(account.maxHeadroom, account.headroom);
        m_counters.maxHeadroom = std::max(m_counters.maxHeadroom, account.headroom);
    }
    else
    {
        ++m_counters.losslessDrops;
        return false;
    }
    if (!account.paused && !account.suspect && MustPause(account))
    {
        account.suspect = true;
        m_suspects.push_back(index);
        RequestReview(now);
    }
    return true;
}

void
LosslessIngress::Release(const FabricFrame& frame)
{
    const uint32_t bytes = frame.wireBytes;
    Account& account = m_accounts[frame.ingress * CLASSES + frame.GetClass()];
    const uint32_t over = std::min(account.headroom, bytes);
    const int64_t share = ShareOf(account.used);
    account.headroom -= over;
    account.used -= bytes - over;
    m_pool.Take(ShareOf(account.used) - share);
}

void
LosslessIngress::CheckResume(int64_t now)
{
    if (m_eager && !m_reviewPending &&
        std::any_of(m_paused.begin(), m_paused.end(), [this](uint32_t index) {
            return MayResume(m_accounts[index]);
        }))
    {
        RequestReview(now);
    }
}

bool
LosslessIngress::MustPause(const Account& account) const
{
    return account.headroom > 0 || !m_pool.IsBelow(ShareOf(account.used), m_factor);
}

bool
LosslessIngress::MayResume(const Account& account) const
{
    return account.headroom == 0 &&
           m_pool.Fits(ShareOf(account.used) + m_settings.offset, m_factor);
}

void
LosslessIngress::RequestReview(int64_t now)
{
    if (!m_reviewPending)
    {
        m_reviewPending = true;
        const Time wait = FabricClock::Until(now, FabricClock::REVIEW_TURN);
        Simulator::ScheduleWithContext(m_node, wait, &LosslessIngress::Review, this);
    }
}

void
LosslessIngress::Review()
{
    const int64_t now = FabricClock::Now();
    m_switch->CatchUp(now);
    m_reviewPending = false;
    const std::vector<uint32_t> paused = m_paused;
    for (const uint32_t index : paused)
    {
        if (MayResume(m_accounts[index]))
        {
            SetPaused(index, false);
        }
    }
    for (const uint32_t index : m_suspects)
    {
        m_accounts[index].suspect = false;
        if (MustPause(m_accounts[index]))
        {
            SetPaused(index, true);
        }
    }
    m_suspects.clear();
    const bool eager = !m_paused.empty();
    for (std::size_t i = 0; i < m_switch->GetPortCount(); ++i)
    {
        if (eager != m_eager)
        {
            FabricTransmitter& transmitter = m_switch->GetPort(i)->GetTransmitter();
            transmitter.SetEager(FabricTransmitter::EAGER_OWNER, eager, now);
        }
        m_sender.SendChanges(i);
    }
    m_eager = eager;
}

void
LosslessIngress::SetPaused(uint32_t index, bool paused)
{
    const uint16_t port = index / CLASSES;
    const uint8_t trafficClass = index % CLASSES;
    m_accounts[index].paused = paused;
    m_sender.Toggle(port, trafficClass);
    if (paused)
    {
        m_paused.push_back(index);
        ++m_counters.pauses;
    }
    else
    {
        m_paused.erase(std::find(m_paused.begin(), m_paused.end(), index));
        ++m_counters.resumes;
    }
    m_trace(port, trafficClass, paused);
}

void
LosslessIngress::Dispose()
{
    m_sender.Dispose();
    m_switch = nullptr;
}

} // namespace aifabric
} // namespace ns3
