/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-buffer.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/fabric-switch.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SharedBuffer);

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
    : m_ingress(m_pool, m_pauseTrace)
{
}

SharedBuffer::~SharedBuffer()
{
}

void
SharedBuffer::DoDispose()
{
    m_ingress.Dispose();
    BufferAdmission::DoDispose();
}

void
SharedBuffer::Install(FabricSwitch& fabricSwitch)
{
    BufferAdmission::Install(fabricSwitch);
    m_lossyFactor = SharedPool::ToFactor(m_alpha);
    NS_ABORT_MSG_IF(m_lossless & m_trimmingClasses,
                    "SharedBuffer::TrimmingClasses is " << +m_trimmingClasses
                                                        << ": no class may also be lossless");
    m_trimmer.Install({m_trimmingClasses, m_trimmedBytes, m_trimmedDscp, m_lastHopDscp},
                      fabricSwitch,
                      "SharedBuffer");
    m_hasLimits = m_portLimit || (m_trimmingClasses && m_trimmingLimit);
    const LosslessIngress::Settings settings = GetLosslessSettings();
    m_ingress.Install(fabricSwitch, settings);
    const uint64_t least = GetLeastBytes(fabricSwitch);
    NS_ABORT_MSG_IF(m_total < least,
                    "SharedBuffer::BufferBytes is "
                        << m_total << ": the reserves and headrooms of lossless classes, and "
                        << "ResumeOffset with IngressAlpha, need at least " << least << " bytes");
    m_pool.SetBytes(m_total - settings.GetDedicatedBytes(fabricSwitch));
}

LosslessIngress::Settings
SharedBuffer::GetLosslessSettings() const
{
    return {m_lossless, m_reserve, m_ingressAlpha, m_offset, m_headroom, m_responseTime, m_quanta};
}

uint64_t
SharedBuffer::GetNeededHeadroom(const FabricSwitch& fabricSwitch, const FabricPort& port) const
{
    return GetLosslessSettings().GetNeededHeadroom(fabricSwitch, port);
}

uint64_t
SharedBuffer::GetLeastBytes(const FabricSwitch& fabricSwitch) const
{
    // where all is free, a class that was paused must be able to resume
    const uint64_t share = SharedPool::GetLeast(m_lossless ? m_offset : 0, m_ingressAlpha);
    return GetLosslessSettings().GetDedicatedBytes(fabricSwitch) + std::max<uint64_t>(1, share);
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
    if (!(lossless ? m_ingress.Admit(frame, now) : AdmitLossy(frame, egress, now)))
    {
        return m_trimmingClasses && m_trimmer.MayTrim(frame) ? AdmissionVerdict::TRIM
                                                             : AdmissionVerdict::DROP;
    }
    m_classes[trafficClass].admittedBytes += frame.wireBytes;
    m_occupancy += frame.wireBytes;
    if (m_occupancy > m_maxOccupancy)
    {
        GetSwitch().CatchUp(now);
        m_maxOccupancy = std::max(m_maxOccupancy, m_occupancy);
    }
    return AdmissionVerdict::ADMIT;
}

bool
SharedBuffer::AdmitLossy(const FabricFrame& frame, FabricTransmitter& egress, int64_t now)
{
    if (!HasRoom(frame, egress, now, 0) && !MakeRoom(frame, egress, now))
    {
        return false;
    }
    m_pool.Take(frame.wireBytes);
    return true;
}

inline bool
SharedBuffer::HasRoom(const FabricFrame& frame,
                      const FabricTransmitter& egress,
                      int64_t now,
                      uint32_t spare) const
{
    if (m_hasLimits && IsOverLimit(frame, egress, spare))
    {
        return false;
    }
    const int64_t bytes = int64_t{frame.wireBytes} - spare;
    const int64_t length = egress.GetLane(frame.GetClass()).GetBytes() + bytes;
    if (bytes <= m_pool.GetFree() && m_pool.Fits(length, m_leastLossyFactor, spare))
    {
        return true;
    }
    GetSwitch().CatchUp(now);
    const auto factor = static_cast<int64_t>(egress.ScaleLimit(m_lossyFactor));
    return bytes <= m_pool.GetFree() && m_pool.Fits(length, factor, spare);
}

bool
SharedBuffer::MakeRoom(const FabricFrame& frame, FabricTransmitter& egress, int64_t now)
{
    if (!Displaces(frame, egress))
    {
        return false;
    }
    const FabricFrame& last = egress.GetLane(frame.GetClass()).Last();
    const bool isTrimmed = m_trimmingClasses && m_trimmer.MayTrim(last);
    if (isTrimmed != (m_trimmingClasses && m_trimmer.MayTrim(frame)) ||
        !HasRoom(frame, egress, now, last.wireBytes))
    {
        return false;
    }
    isTrimmed ? GetSwitch().TrimLast(egress, frame.GetClass(), now)
              : GetSwitch().DropLast(egress, frame.GetClass(), now);
    return HasRoom(frame, egress, now, 0);
}

bool
SharedBuffer::IsOverLimit(const FabricFrame& frame,
                          const FabricTransmitter& egress,
                          uint32_t spare) const
{
    const uint32_t bytes = frame.wireBytes - spare; // modulo 2^32, as sums with queues that hold it
    if (m_portLimit && m_portLimit.IsExceeded(egress.GetWaitingBytes() + bytes, egress))
    {
        return true;
    }
    const uint32_t length = egress.GetLane(frame.GetClass()).GetBytes() + bytes;
    return m_trimmingClasses >> frame.GetClass() & 1 && m_trimmingLimit &&
           m_trimmingLimit.IsExceeded(length, egress);
}

void
SharedBuffer::Release(const FabricFrame& frame, int64_t start)
{
    const uint8_t trafficClass = frame.GetClass();
    const uint32_t bytes = frame.wireBytes;
    m_classes[trafficClass].releasedBytes += bytes;
    m_occupancy -= bytes;
    if (m_lossless >> trafficClass & 1)
    {
        m_ingress.Release(frame);
    }
    else
    {
        m_pool.Take(-int64_t{bytes});
    }
    m_ingress.CheckResume(start);
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
    return std::min<uint64_t>(m_portLimit ? uint64_t{m_portLimit}
                                          : m_total / GetSwitch().GetPortCount(),
                              UINT32_MAX);
}

} // namespace aifabric
} // namespace ns3
