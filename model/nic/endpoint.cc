/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "endpoint.h"

#include "endpoint-nic.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(Endpoint);

Ptr<FabricFrame>
Outbox::CreateFrame() const
{
    return m_nic.CreateFrame();
}

void
Outbox::Send(Ptr<FabricFrame> frame) const
{
    if (m_heldFor > 0)
    {
        frame->Extra().heldFor = m_heldFor;
    }
    m_nic.SendAnswer(std::move(frame), m_port, m_now);
}

TypeId
Endpoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::Endpoint").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

std::optional<PortChoice>
Endpoint::ChoosePort(const PortRequest&)
{
    return PortChoice{0, true};
}

void
Endpoint::PortsChanged(uint32_t)
{
}

bool
Endpoint::TakeMoved()
{
    return false;
}

void
Endpoint::LineRateChanged(DataRate)
{
}

bool
Endpoint::IsPending() const
{
    return CanSend();
}

bool
Endpoint::HasFailed() const
{
    return false;
}

void
Endpoint::PrefetchArrival(const FabricFrame&, uint32_t) const
{
}

void
Endpoint::PrefetchDeparture(uint32_t) const
{
}

} // namespace aifabric
} // namespace ns3
