/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trimming-buffer.h"

#include "ns3/fabric-switch.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TrimmingBuffer);

TypeId
TrimmingBuffer::GetTypeId()
{
    static TypeId tid = AddTrimming(
        TypeId("ns3::aifabric::TrimmingBuffer")
            .SetParent<BufferAdmission>()
            .SetGroupName("AiFabric")
            .AddConstructor<TrimmingBuffer>()
            .AddAttribute("PortBytes",
                          "Room of each queue whose frames may be trimmed (bytes): one "
                          "bandwidth-delay product.",
                          UintegerValue(400000),
                          MakeUintegerAccessor(&TrimmingBuffer::m_portBytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LastHopBytes",
                          "The same where the link leads to a host (bytes; 0: as PortBytes).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TrimmingBuffer::m_lastHopBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("OtherBytes",
                          "Room of each other queue: trimmed frames and control (bytes; 0: twice "
                          "PortBytes).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TrimmingBuffer::m_otherBytes),
                          MakeUintegerChecker<uint32_t>()));
    return tid;
}

TypeId
TrimmingBuffer::AddTrimming(TypeId type)
{
    return type
        .AddAttribute("RetransmissionBytes",
                      "Queue above which a retransmission (RetransmissionDscp) of a class that may "
                      "be trimmed is trimmed (bytes; 0: as other frames). Sources on Ultra "
                      "Ethernet: 1.5 times PortBytes.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&TrimmingBuffer::m_againBytes),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("RetransmissionDscp",
                      "DSCP of retransmissions for RetransmissionBytes; that of "
                      "SprayQueuePair::RetransmissionDscp.",
                      UintegerValue(28),
                      MakeUintegerAccessor(&TrimmingBuffer::m_againDscp),
                      MakeUintegerChecker<uint8_t>(0, 63))
        .AddAttribute("Classes",
                      "Traffic classes whose frames may be trimmed (bit c set: class c). The "
                      "default is RoCE (3).",
                      UintegerValue(0x08),
                      MakeUintegerAccessor(&TrimmingBuffer::m_classes),
                      MakeUintegerChecker<uint8_t>())
        .AddAttribute("TrimmedBytes",
                      "Length of a trimmed frame in IPv4 with its FCS (bytes); one in IPv6 "
                      "has 20 more. Of 64 bytes the BTH, which a NACK needs, is left.",
                      UintegerValue(64),
                      MakeUintegerAccessor(&TrimmingBuffer::m_trimmedBytes),
                      MakeUintegerChecker<uint16_t>(64, 1024))
        .AddAttribute("TrimmedDscp",
                      "DSCP of frames that were trimmed within the fabric. Its class should "
                      "have a queue of its own, and not be trimmed.",
                      UintegerValue(50),
                      MakeUintegerAccessor(&TrimmingBuffer::m_trimmedDscp),
                      MakeUintegerChecker<uint8_t>(0, 63))
        .AddAttribute("LastHopDscp",
                      "DSCP of frames that were trimmed before the link to their host.",
                      UintegerValue(52),
                      MakeUintegerAccessor(&TrimmingBuffer::m_lastHopDscp),
                      MakeUintegerChecker<uint8_t>(0, 63));
}

void
TrimmingBuffer::Install(FabricSwitch& fabricSwitch)
{
    BufferAdmission::Install(fabricSwitch);
    m_otherRoom = m_otherBytes ? m_otherBytes : uint64_t{2} * m_portBytes;
    m_trimmer.Install({m_classes, m_trimmedBytes, m_trimmedDscp, m_lastHopDscp},
                      fabricSwitch,
                      "TrimmingBuffer");
}

const QueueLimit&
TrimmingBuffer::GetRoom(const FabricFrame& frame, const FabricTransmitter& egress) const
{
    if (!(m_classes >> frame.GetClass() & 1))
    {
        return m_otherRoom;
    }
    if (m_againBytes && frame.GetTos() >> 2 == m_againDscp)
    {
        return m_againBytes;
    }
    return m_lastHopBytes && egress.LeadsToHost() ? m_lastHopBytes : m_portBytes;
}

AdmissionVerdict
TrimmingBuffer::Admit(const FabricFrame& frame, FabricTransmitter& egress, int64_t now)
{
    const uint32_t bytes = egress.GetLane(frame.GetClass()).GetBytes() + frame.wireBytes;
    return GetRoom(frame, egress).IsExceeded(bytes, egress) ? Overflow(frame, egress, now)
                                                            : AdmissionVerdict::ADMIT;
}

AdmissionVerdict
TrimmingBuffer::Overflow(const FabricFrame& frame, FabricTransmitter& egress, int64_t now)
{
    if (!m_trimmer.MayTrim(frame))
    {
        return AdmissionVerdict::DROP;
    }
    if (!Displaces(frame, egress) || !MayGiveWay(frame, egress))
    {
        return AdmissionVerdict::TRIM;
    }
    GetSwitch().TrimLast(egress, frame.GetClass(), now);
    return AdmissionVerdict::ADMIT;
}

bool
TrimmingBuffer::MayGiveWay(const FabricFrame& frame, const FabricTransmitter& egress) const
{
    const FabricFrame& last = egress.GetLane(frame.GetClass()).Last();
    return m_trimmer.MayTrim(last) && &GetRoom(last, egress) == &GetRoom(frame, egress);
}

void
TrimmingBuffer::Trim(FabricFrame& frame, const FabricTransmitter& egress)
{
    m_trimmer.Trim(frame, egress);
}

bool
TrimmingBuffer::Trims() const
{
    return true;
}

void
TrimmingBuffer::Count(PolicyCounters& counters) const
{
    m_trimmer.Count(counters);
}

void
TrimmingBuffer::SetLeastFactor(double least)
{
    m_portBytes.SetLeastFactor(least);
    m_lastHopBytes.SetLeastFactor(least);
    m_againBytes.SetLeastFactor(least);
    m_otherRoom.SetLeastFactor(least);
}

uint32_t
TrimmingBuffer::GetPortBytes() const
{
    return m_portBytes;
}

uint32_t
TrimmingBuffer::GetLastHopBytes() const
{
    return m_lastHopBytes;
}

uint64_t
TrimmingBuffer::GetTrimmed() const
{
    return m_trimmer.GetTrimmed();
}

uint64_t
TrimmingBuffer::GetTrimmedAtLastHop() const
{
    return m_trimmer.GetTrimmedAtLastHop();
}

uint64_t
TrimmingBuffer::GetCutBytes() const
{
    return m_trimmer.GetCutBytes();
}

} // namespace aifabric
} // namespace ns3
