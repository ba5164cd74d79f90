/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-buffer.h"

#include "fabric-switch.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-net-device.h"
#include "ns3/frame-codec.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SharedBuffer);

namespace
{

/// @return a quotient, rounded up  @param amount the dividend  @param parts the divisor
uint64_t
CeilDivide(uint64_t amount, uint64_t parts)
{
    return (amount + parts - 1) / parts;
}

/// @return the propagation delay of a port's link
Time
PropagationDelay(const FabricPort& port)
{
    TimeValue delay;
    port.GetChannel()->GetAttribute("Delay", delay);
    return delay.Get();
}

} // namespace

TypeId
SharedBuffer::GetTypeId()
{
    static TypeId tid =
        AddTrimmingAttributes(AddLosslessAttributes(TypeId("ns3::aifabric::SharedBuffer")
                                                        .SetParent<BufferAdmission>()
                                                        .SetGroupName("AiFabric")
                                                        .AddConstructor<SharedBuffer>()))
            .AddAttribute("BufferBytes",
                          "The memory of the switch (bytes).",
                          UintegerValue(32000000),
                          MakeUintegerAccessor(&SharedBuffer::m_total),
                          MakeUintegerChecker<uint64_t>(1, 0xFFFFFFFF))
            .AddAttribute("Alpha",
                          "Most that a queue of a lossy class holds, as a multiple of the shared "
                          "memory that is free.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&SharedBuffer::m_alpha),
                          MakeDoubleChecker<double>(0.001, 1000))
            .AddAttribute("PortBytes",
                          "Most that waits at a port if the next frame is of a lossy class "
                          "(bytes; 0: no limit).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SharedBuffer::m_portLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("Pause",
                            "A lossless class of a peer was paused or resumed.",
                            MakeTraceSourceAccessor(&SharedBuffer::m_pauseTrace),
                            "ns3::aifabric::SharedBuffer::PauseTracedCallback");
    return tid;
}

TypeId
SharedBuffer::AddLosslessAttributes(TypeId tid)
{
    return tid
        .AddAttribute("LosslessClasses",
                      "Traffic classes under priority-based flow control (bit c set: class c).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&SharedBuffer::m_lossless),
                      MakeUintegerChecker<uint8_t>())
        .AddAttribute("ReserveBytes",
                      "What each lossless class has for itself at each port (bytes).",
                      UintegerValue(4096),
                      MakeUintegerAccessor(&SharedBuffer::m_reserve),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("IngressAlpha",
                      "Most shared memory that a lossless class takes at a port of ingress, as "
                      "a multiple of what is free of it.",
                      DoubleValue(0.125),
                      MakeDoubleAccessor(&SharedBuffer::m_ingressAlpha),
                      MakeDoubleChecker<double>(0.001, 1000))
        .AddAttribute("ResumeOffset",
                      "How far a paused class has to be below its threshold to resume (bytes).",
                      UintegerValue(3072),
                      MakeUintegerAccessor(&SharedBuffer::m_offset),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("HeadroomBytes",
                      "Room of each lossless class at each port for what comes after the pause "
                      "was decided (bytes; 0: computed from rate, delay and MTU of the link).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&SharedBuffer::m_headroom),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("ResponseTime",
                      "Time that a peer may take to pause, for computing the headroom.",
                      TimeValue(NanoSeconds(600)),
                      MakeTimeAccessor(&SharedBuffer::m_responseTime),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("PauseQuanta",
                      "Pause time in a PFC frame (quanta: times of 512 bits).",
                      UintegerValue(65535),
                      MakeUintegerAccessor(&SharedBuffer::m_quanta),
                      MakeUintegerChecker<uint16_t>(1));
}

TypeId
SharedBuffer::AddTrimmingAttributes(TypeId tid)
{
    return tid
        .AddAttribute("TrimmingClasses",
                      "Traffic classes whose frames are trimmed instead of dropped (bit c set: "
                      "class c). They may not be lossless.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&SharedBuffer::m_trimmingClasses),
                      MakeUintegerChecker<uint8_t>())
        .AddAttribute("TrimmingBytes",
                      "Most that a queue of such a class holds, beside Alpha (bytes; 0: no limit).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&SharedBuffer::m_trimmingLimit),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("TrimmedBytes",
                      "Length of a trimmed frame in IPv4 with its FCS (bytes), as "
                      "TrimmingBuffer::TrimmedBytes.",
                      UintegerValue(64),
                      MakeUintegerAccessor(&SharedBuffer::m_trimmedBytes),
                      MakeUintegerChecker<uint16_t>(64, 1024))
        .AddAttribute("TrimmedDscp",
                      "DSCP of frames that were trimmed within the fabric.",
                      UintegerValue(50),
                      MakeUintegerAccessor(&SharedBuffer::m_trimmedDscp),
                      MakeUintegerChecker<uint8_t>(0, 63))
        .AddAttribute("LastHopDscp",
                      "DSCP of frames that were trimmed before the link to their host.",
                      UintegerValue(52),
                      MakeUintegerAccessor(&SharedBuffer::m_lastHopDscp),
                      MakeUintegerChecker<uint8_t>(0, 63));
}

SharedBuffer::SharedBuffer()
{
}

SharedBuffer::~SharedBuffer()
{
}

void
SharedBuffer::DoDispose()
{
    m_pauses.Dispose();
    m_switch = nullptr;
    BufferAdmission::DoDispose();
}

void
SharedBuffer::Install(FabricSwitch& fabricSwitch)
{
    m_switch = &fabricSwitch;
    m_lossyFactor = ToFactor(m_alpha);
    m_losslessFactor = ToFactor(m_ingressAlpha);
    NS_ABORT_MSG_IF(m_lossless & m_trimmingClasses,
                    "SharedBuffer::TrimmingClasses is " << +m_trimmingClasses
                                                        << ": no class may also be lossless");
    m_trimmer.Install({m_trimmingClasses, m_trimmedBytes, m_trimmedDscp, m_lastHopDscp},
                      fabricSwitch,
                      "SharedBuffer");
    m_hasLimits = m_portLimit || (m_trimmingClasses && m_trimmingLimit);
    const std::size_t ports = fabricSwitch.GetPortCount();
    m_headrooms.resize(ports);
    m_ingress.resize(ports * CLASSES);
    m_pauses.Install(ports, m_quanta, "SharedBuffer");
    m_node = ports == 0 ? 0 : fabricSwitch.GetPort(0)->GetDevice()->GetNode()->GetId();
    for (std::size_t i = 0; i < ports; ++i)
    {
        InstallPort(i, *fabricSwitch.GetPort(i));
    }
    const uint64_t least = GetLeastBytes(fabricSwitch);
    NS_ABORT_MSG_IF(m_total < least,
                    "SharedBuffer::BufferBytes is "
                        << m_total << ": the reserves and headrooms of lossless classes, and "
                        << "ResumeOffset with IngressAlpha, need at least " << least << " bytes");
    m_shared = m_total - GetDedicatedBytes(fabricSwitch);
    m_free = m_shared;
}

void
SharedBuffer::InstallPort(uint16_t index, FabricPort& port)
{
    FabricPort* peer = port.GetTransmitter().GetPeer();
    if (!m_lossless || !peer)
    {
        return;
    }
    for (uint8_t a = 0; a < CLASSES; ++a)
    {
        for (uint8_t b = a + 1; b < CLASSES; ++b)
        {
            NS_ABORT_MSG_IF(m_lossless >> a & m_lossless >> b & 1 &&
                                peer->GetTransmitter().SharesQueue(a, b),
                            "SharedBuffer::LosslessClasses: classes "
                                << +a << " and " << +b
                                << " share a queue; FabricPort::Classes must give each its own");
        }
    }
    m_pauses.InstallPort(index, port);
    port.HoldDataRate();
    peer->HoldDataRate();
    m_headrooms[index] = GetHeadroom(*m_switch, port);
}

int64_t
SharedBuffer::ToFactor(double alpha)
{
    return std::llround(alpha * (1 << ALPHA_SHIFT));
}

uint64_t
SharedBuffer::GetHeadroom(const FabricSwitch& fabricSwitch, const FabricPort& port) const
{
    if (m_headroom && port.GetTransmitter().GetPeer())
    {
        return m_headroom;
    }
    return GetNeededHeadroom(fabricSwitch, port);
}

uint64_t
SharedBuffer::GetNeededHeadroom(const FabricSwitch& fabricSwitch, const FabricPort& port) const
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
                          m_responseTime.GetSeconds() + fabricSwitch.GetLatency().GetSeconds();
    const double bytes = window * peer.GetDataRate().GetBitRate() / 8;
    return static_cast<uint64_t>(std::ceil(bytes - 1e-6)) + 2 * PauseSender::GetLargestFrame(peer);
}

uint64_t
SharedBuffer::GetDedicatedBytes(const FabricSwitch& fabricSwitch) const
{
    uint64_t dedicated = 0;
    for (std::size_t i = 0; m_lossless && i < fabricSwitch.GetPortCount(); ++i)
    {
        dedicated += m_reserve + GetHeadroom(fabricSwitch, *fabricSwitch.GetPort(i));
    }
    return __builtin_popcount(m_lossless) * dedicated;
}

uint64_t
SharedBuffer::GetLeastBytes(const FabricSwitch& fabricSwitch) const
{
    // where all is free, a class that was paused must be able to resume
    const uint64_t offset = m_lossless ? m_offset : 0;
    const uint64_t share = CeilDivide(offset << ALPHA_SHIFT, ToFactor(m_ingressAlpha));
    return GetDedicatedBytes(fabricSwitch) + std::max<uint64_t>(1, share);
}

void
SharedBuffer::SetLeastFactor(double least)
{
    m_portLimit.SetLeastFactor(least);
    m_trimmingLimit.SetLeastFactor(least);
    m_leastLossyFactor = static_cast<int64_t>(static_cast<double>(m_lossyFactor) * least);
}

AdmissionVerdict
SharedBuffer::Admit(const FabricFrame& frame, FabricTransmitter& egress, int64_t now)
{
    const uint8_t trafficClass = frame.GetClass();
    const bool lossless = m_lossless >> trafficClass & 1;
    if (!(lossless ? AdmitLossless(frame, now) : AdmitLossy(frame, egress, now)))
    {
        return m_trimmingClasses && m_trimmer.MayTrim(frame) ? AdmissionVerdict::TRIM
                                                             : AdmissionVerdict::DROP;
    }
    m_classes[trafficClass].admittedBytes += frame.wireBytes;
    m_occupancy += frame.wireBytes;
    if (m_occupancy > m_counters.maxOccupancy)
    {
        m_switch->CatchUp(now);
        m_counters.maxOccupancy = std::max(m_counters.maxOccupancy, m_occupancy);
    }
    return AdmissionVerdict::ADMIT;
}

bool
SharedBuffer::AdmitLossy(const FabricFrame& frame, const FabricTransmitter& egress, int64_t now)
{
    const uint32_t bytes = frame.wireBytes;
    if (m_hasLimits && IsOverLimit(frame, egress))
    {
        return false;
    }
    const int64_t length = int64_t{egress.GetLane(frame.GetClass()).GetBytes()} + bytes;
    if (bytes > m_free || !Fits(length, m_leastLossyFactor))
    {
        m_switch->CatchUp(now);
        const auto factor = static_cast<int64_t>(egress.ScaleLimit(m_lossyFactor));
        if (bytes > m_free || !Fits(length, factor))
        {
            return false;
        }
    }
    m_free -= bytes;
    return true;
}

bool
SharedBuffer::IsOverLimit(const FabricFrame& frame, const FabricTransmitter& egress) const
{
    const uint32_t bytes = frame.wireBytes;
    if (m_portLimit && m_portLimit.IsExceeded(egress.GetWaitingBytes() + bytes, egress))
    {
        return true;
    }
    const uint32_t length = egress.GetLane(frame.GetClass()).GetBytes() + bytes;
    return m_trimmingClasses >> frame.GetClass() & 1 && m_trimmingLimit &&
           m_trimmingLimit.IsExceeded(length, egress);
}

bool
SharedBuffer::AdmitLossless(const FabricFrame& frame, int64_t now)
{
    const uint32_t index = frame.ingress * CLASSES + frame.GetClass();
    Ingress& ingress = m_ingress[index];
    const int64_t used = int64_t{ingress.used} + frame.wireBytes;
    const int64_t share = ShareOf(used);
    const int64_t free = m_free - (share - ShareOf(ingress.used));
    if (share << ALPHA_SHIFT < m_losslessFactor * free)
    {
        ingress.used = used;
        m_free = free;
        return true;
    }
    m_switch->CatchUp(now);
    return AdmitNearThreshold(index, frame.wireBytes);
}

bool
SharedBuffer::AdmitNearThreshold(uint32_t index, uint32_t bytes)
{
    Ingress& ingress = m_ingress[index];
    const int64_t used = int64_t{ingress.used} + bytes;
    const int64_t share = ShareOf(used);
    const int64_t growth = share - ShareOf(ingress.used);
    if (growth <= m_free && Fits(share, m_losslessFactor))
    {
        ingress.used = used;
        m_free -= growth;
    }
    else if (ingress.headroom + bytes <= m_headrooms[index / CLASSES])
    {
        ingress.headroom += bytes;
        ingress.maxHeadroom = std::max(ingress.maxHeadroom, ingress.headroom);
        m_counters.maxHeadroom = std::max(m_counters.maxHeadroom, ingress.headroom);
    }
    else
    {
        ++m_counters.losslessDrops;
        return false;
    }
    if (!ingress.paused && !ingress.suspect && MustPause(ingress))
    {
        ingress.suspect = true;
        m_suspects.push_back(index);
        RequestReview();
    }
    return true;
}

void
SharedBuffer::Release(const FabricFrame& frame, int64_t)
{
    const uint8_t trafficClass = frame.GetClass();
    const uint32_t bytes = frame.wireBytes;
    m_classes[trafficClass].releasedBytes += bytes;
    m_occupancy -= bytes;
    if (m_lossless >> trafficClass & 1)
    {
        Ingress& ingress = m_ingress[frame.ingress * CLASSES + trafficClass];
        const uint32_t over = std::min(ingress.headroom, bytes);
        const int64_t share = ShareOf(ingress.used);
        ingress.headroom -= over;
        ingress.used -= bytes - over;
        m_free += share - ShareOf(ingress.used);
    }
    else
    {
        m_free += bytes;
    }
    if (m_eager && !m_reviewPending &&
        std::any_of(m_paused.begin(), m_paused.end(), [this](uint32_t index) {
            return MayResume(m_ingress[index]);
        }))
    {
        RequestReview();
    }
}

bool
SharedBuffer::WantsRelease() const
{
    return true;
}

void
SharedBuffer::Trim(FabricFrame& frame, const FabricTransmitter& egress)
{
    m_trimmer.Trim(frame, egress);
}

bool
SharedBuffer::Trims() const
{
    return m_trimmingClasses;
}

void
SharedBuffer::Count(PolicyCounters& counters) const
{
    if (m_trimmingClasses)
    {
        m_trimmer.Count(counters);
    }
}

uint32_t
SharedBuffer::GetPortBytes() const
{
    return std::min<uint64_t>(m_portLimit ? uint64_t{m_portLimit} : m_total / m_headrooms.size(),
                              UINT32_MAX);
}

bool
SharedBuffer::MustPause(const Ingress& ingress) const
{
    return ingress.headroom > 0 ||
           ShareOf(ingress.used) << ALPHA_SHIFT >= m_losslessFactor * m_free;
}

bool
SharedBuffer::MayResume(const Ingress& ingress) const
{
    return ingress.headroom == 0 && Fits(ShareOf(ingress.used) + m_offset, m_losslessFactor);
}

void
SharedBuffer::RequestReview()
{
    if (!m_reviewPending)
    {
        m_reviewPending = true;
        const Time wait = FabricClock::Until(FabricClock::Now(), FabricClock::REVIEW_TURN);
        Simulator::ScheduleWithContext(m_node, wait, &SharedBuffer::Review, this);
    }
}

void
SharedBuffer::Review()
{
    const int64_t now = FabricClock::Now();
    m_switch->CatchUp(now);
    m_reviewPending = false;
    const std::vector<uint32_t> paused = m_paused;
    for (const uint32_t index : paused)
    {
        if (MayResume(m_ingress[index]))
        {
            SetPaused(index, false);
        }
    }
    for (const uint32_t index : m_suspects)
    {
        m_ingress[index].suspect = false;
        if (MustPause(m_ingress[index]))
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
        m_pauses.SendChanges(i);
    }
    m_eager = eager;
}

void
SharedBuffer::SetPaused(uint32_t index, bool paused)
{
    const uint16_t port = index / CLASSES;
    const uint8_t trafficClass = index % CLASSES;
    m_ingress[index].paused = paused;
    m_pauses.Toggle(port, trafficClass);
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
    m_pauseTrace(port, trafficClass, paused);
}

} // namespace aifabric
} // namespace ns3
