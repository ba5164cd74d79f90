/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-buffer.h"

#include "ns3/fabric-switch.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PortBuffer);

TypeId
PortBuffer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PortBuffer")
                            .SetParent<BufferAdmission>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PortBuffer>()
                            .AddAttribute("PortBytes",
                                          "Room for waiting frames at each port (bytes).",
                                          UintegerValue(800000),
                                          MakeUintegerAccessor(&PortBuffer::m_portBytes),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

AdmissionVerdict
PortBuffer::Admit(const FabricFrame& frame, FabricTransmitter& egress, int64_t now)
{
    const uint32_t bytes = egress.GetWaitingBytes() + frame.wireBytes;
    return m_portBytes.IsExceeded(bytes, egress) ? Overflow(frame, egress, now)
                                                 : AdmissionVerdict::ADMIT;
}

AdmissionVerdict
PortBuffer::Overflow(const FabricFrame& frame, FabricTransmitter& egress, int64_t now)
{
    if (!Displaces(frame, egress))
    {
        return AdmissionVerdict::DROP;
    }
    GetSwitch().DropLast(egress, frame.GetClass(), now);
    return AdmissionVerdict::ADMIT;
}

void
PortBuffer::SetLeastFactor(double least)
{
    m_portBytes.SetLeastFactor(least);
}

uint32_t
PortBuffer::GetPortBytes() const
{
    return m_portBytes;
}

} // namespace aifabric
} // namespace ns3
