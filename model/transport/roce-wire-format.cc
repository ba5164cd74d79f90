/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-wire-format.h"

#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

TypeId
RoceWireFormat::AddFormat(TypeId type)
{
    return type
        .AddAttribute("AckBytes",
                      "Bytes that an acknowledgement takes on the wire in IPv4, FCS included; "
                      "in IPv6 it takes 20 more. Its headers add up to 66 in IPv4; the default "
                      "is that of the load-balancing study.",
                      UintegerValue(64),
                      MakeUintegerAccessor(&RoceWireFormat::m_ackBytes),
                      MakeUintegerChecker<uint32_t>(64, 1500))
        .AddAttribute("ChargeReth",
                      "Whether an RETH takes its 16 bytes on the wire: time on links, room in "
                      "buffers. If not, every full data packet is charged the same bytes, as in "
                      "the load-balancing study; captures show the RETH all the same.",
                      BooleanValue(true),
                      MakeBooleanAccessor(&RoceWireFormat::m_chargesReth),
                      MakeBooleanChecker())
        .AddAttribute("IpVersion",
                      "IP version of what queue pairs send. Answers travel in that of the "
                      "data. Set it before there are queue pairs.",
                      EnumValue(IPV4),
                      MakeEnumMemberAccessor<IpVersion>(&RoceWireFormat::m_ipVersion),
                      MakeEnumChecker(IPV4, "4", IPV6, "6"));
}

} // namespace aifabric
} // namespace ns3
