/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "notification-point.h"

#include "roce-net-device.h"

#include "ns3/cnp-listener.h"
#include "ns3/object-lock.h"

#include <map>

namespace ns3
{
namespace aifabric
{

namespace
{

/// When the queue pairs of a NIC may send the next CNP, if they share the gap: an aggregate of the
/// NIC.
class CnpTimes : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::CnpTimes")
                                .SetParent<Object>()
                                .SetGroupName("AiFabric")
                                .HideFromDocumentation();
        return tid;
    }

    std::map<uint32_t, int64_t> next; //!< by the other host; of any host: UINT32_MAX; picoseconds
};

NS_OBJECT_ENSURE_REGISTERED(CnpTimes);

} // namespace

void
NotificationPoint::Start(const CongestionControl& control)
{
    const auto* listener = dynamic_cast<const CnpListener*>(&control);
    m_isOn = listener != nullptr;
    m_controlGap = listener ? listener->GetCnpGap().GetPicoSeconds() : 0;
}

int64_t&
NotificationPoint::GetNext(const Connection& connection)
{
    if (scope == QUEUE_PAIR)
    {
        return m_next;
    }
    Ptr<CnpTimes> times = connection.nic->GetObject<CnpTimes>();
    if (!times)
    {
        const ObjectLock lock;
        times = CreateObject<CnpTimes>();
        connection.nic->AggregateObject(times);
    }
    return times->next[scope == NIC ? UINT32_MAX : connection.peerHost];
}

bool
NotificationPoint::TakeTurn(const Connection& connection, int64_t now)
{
    int64_t& next = GetNext(connection);
    if (now < next)
    {
        return false;
    }
    next = now + (gap.IsZero() ? m_controlGap : gap.GetPicoSeconds());
    ++m_sent;
    return true;
}

void
NotificationPoint::Write(FabricFrame& frame,
                         const FabricFrame& data,
                         const Connection& connection) const
{
    const RoceNetDevice& nic = *connection.nic;
    const uint8_t ipv6 = data.flags & FRAME_IPV6;
    frame.opcode = ROCE_CNP;
    frame.psn = 0;
    frame.flags = BTH_MIG_REQ | BTH_BECN | ipv6;
    frame.SetTos(dscp << 2);
    frame.sentAt = data.sentAt;
    frame.wireBytes = nic.GetWireBytes(ROCE_CNP, 0) + nic.GetAckBytes(ipv6) - nic.GetAckBytes();
    connection.Address(frame, data.entropy);
}

} // namespace aifabric
} // namespace ns3
