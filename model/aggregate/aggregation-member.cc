/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-member.h"

#include "ns3/abort.h"
#include "ns3/roce-net-device.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(AggregationMember);

TypeId
AggregationMember::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::AggregationMember")
                            .SetParent<Endpoint>()
                            .SetGroupName("AiFabric")
                            .AddAttribute("Dscp",
                                          "DSCP of the frames.",
                                          UintegerValue(26),
                                          MakeUintegerAccessor(&AggregationMember::m_dscp),
                                          MakeUintegerChecker<uint8_t>(0, 63));
    return tid;
}

void
AggregationMember::Join(Ptr<AggregationJob> job)
{
    m_job = job;
}

void
AggregationMember::Install(EndpointNic* nic, uint32_t, int64_t)
{
    NS_ABORT_MSG_IF(!m_job, "AggregationMember: it has to join a job first");
    m_nic = RoceNetDevice::From(nic);
    m_turn = nic->TakeTurn();
    m_class = nic->GetClass(m_dscp);
}

int64_t
AggregationMember::GetNextTime() const
{
    return 0;
}

uint8_t
AggregationMember::GetClass() const
{
    return m_class;
}

uint64_t
AggregationMember::GetTurn() const
{
    return m_turn;
}

uint32_t
AggregationMember::GetPacketBytes() const
{
    constexpr uint32_t HEADERS = 74; // of ATP in IPv4, FCS included
    return HEADERS + 4 * GetPlan().values;
}

int64_t
AggregationMember::GetLineTimeOf(uint32_t bytes) const
{
    const DataRate rate = m_nic->GetPort(0)->GetDataRate();
    return rate.CalculateBytesTxTime(bytes + m_nic->GetGap()).GetPicoSeconds();
}

bool
AggregationMember::HasFailed() const
{
    return false;
}

void
AggregationMember::Address(FabricFrame& frame, uint32_t destination, int64_t start) const
{
    frame.flags = m_nic->GetIpFlags();
    frame.source = m_nic->GetHost();
    frame.destination = destination;
    frame.SetTos(m_dscp << 2 | ECN_ECT0);
    frame.sentAt = start;
}

void
AggregationMember::DoDispose()
{
    m_job = nullptr;
    m_nic = nullptr;
    Endpoint::DoDispose();
}

} // namespace aifabric
} // namespace ns3
