/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcie-reader.h"

#include "endpoint-nic.h"

#include "ns3/abort.h"
#include "ns3/pacing.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PcieReader);

TypeId
PcieReader::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::PcieReader")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<PcieReader>()
            .AddAttribute("Rate",
                          "Rate at which a NIC reads the data that it sends (0: no limit).",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&PcieReader::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("Latency",
                          "Time between a read request and its answer.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PcieReader::m_latency),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("ReadCredits",
                          "Read requests that may be without an answer (0: no limit).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PcieReader::m_credits),
                          MakeUintegerChecker<uint32_t>(0, 65536))
            .AddAttribute("ReadBytes",
                          "Bytes of a read request (MaxReadReq).",
                          UintegerValue(512),
                          MakeUintegerAccessor(&PcieReader::m_readBytes),
                          MakeUintegerChecker<uint32_t>(64, 4096));
    return tid;
}

bool
PcieReader::HasDefaults()
{
    const TypeId type = GetTypeId();
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation attribute = type.GetAttribute(i);
        if (attribute.initialValue != attribute.originalInitialValue) // by Config::SetDefault()
        {
            return false;
        }
    }
    return true;
}

void
PcieReader::Insert(const Ptr<EndpointNic>& nic, FrameSource& line)
{
    if (HasDefaults())
    {
        return; // to make a reader for each NIC costs more
    }
    NS_ABORT_MSG_IF(nic->GetObject<PcieReader>(),
                    "PcieReader: it reads for a NIC of one port, and this one has several");
    const auto reader = CreateObject<PcieReader>();
    if (!reader->IsLimited())
    {
        return;
    }
    reader->m_nic = PeekPointer(nic);
    reader->m_line = &line;
    reader->m_pacing = reader->GetPacing();
    reader->m_latencyPs = reader->m_latency.GetPicoSeconds();
    nic->AggregateObject(reader);
    nic->GetPort(0)->GetTransmitter().SetSource(PeekPointer(reader));
}

bool
PcieReader::IsLimited() const
{
    return m_rate.GetBitRate() > 0 || m_latency.IsStrictlyPositive();
}

int64_t
PcieReader::GetPacing() const
{
    const int64_t bus = m_rate.GetBitRate() > 0 ? Pacing::Of(m_rate) : 0;
    if (m_credits == 0 || m_latency.IsZero())
    {
        return bus;
    }
    const double bits = 8.0 * m_credits * m_readBytes;
    return std::max(bus,
                    Pacing::Of(DataRate(static_cast<uint64_t>(bits / m_latency.GetSeconds()))));
}

int64_t
PcieReader::GetFirstTime()
{
    for (; m_endpoints < m_nic->GetEndpointCount(); ++m_endpoints)
    {
        m_fullBytes = std::max(m_fullBytes, m_nic->GetEndpoint(m_endpoints)->GetPacketBytes());
    }
    return m_latencyPs + Pacing::Spread(m_fullBytes, m_pacing);
}

int64_t
PcieReader::GetNextTime(uint8_t open)
{
    const int64_t time = m_line->GetNextTime(open);
    if (time == NEVER)
    {
        return NEVER;
    }
    return std::max(m_readAt, time < m_known ? time + GetFirstTime() : time);
}

int
PcieReader::GetReadyClass(uint8_t open, int64_t start)
{
    return start < GetNextTime(open) ? -1 : m_line->GetReadyClass(open, start);
}

Ptr<FabricFrame>
PcieReader::Pull(uint8_t trafficClass, int64_t start)
{
    Ptr<FabricFrame> frame = m_line->Pull(trafficClass, start);
    m_readAt = start + Pacing::Spread(frame->payload, m_pacing);
    m_known = m_line->GetNextTime(0xFF);
    return frame;
}

void
PcieReader::Prefetch(uint32_t step) const
{
    m_line->Prefetch(step);
}

void
PcieReader::DoDispose()
{
    m_nic = nullptr;
    m_line = nullptr;
    Object::DoDispose();
}

} // namespace aifabric
} // namespace ns3
