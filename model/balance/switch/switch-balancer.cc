/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-balancer.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SwitchBalancer);

TypeId
SwitchBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::SwitchBalancer").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

void
SwitchBalancer::SetSite(const SwitchSite&)
{
}

void
SwitchBalancer::SetFacts(const FabricFacts&)
{
}

int
SwitchBalancer::Predict(const FabricFrame&, const EgressGroup&) const
{
    return -1;
}

void
SwitchBalancer::GroupChanged(const EgressGroup&)
{
}

std::string
SwitchBalancer::GetClosNeed() const
{
    return "";
}

std::string
SwitchBalancer::FindObstacle(const FabricGraph&) const
{
    return "";
}

bool
SwitchBalancer::SeesFrames() const
{
    return false;
}

void
SwitchBalancer::SetHost(BalancerHost&)
{
}

ArrivalVerdict
SwitchBalancer::FrameArrives(FabricFrame&, int64_t)
{
    return {};
}

void
SwitchBalancer::FrameDeparts(FabricFrame&, const FabricTransmitter&, int64_t)
{
}

bool
SwitchBalancer::ObeysHosts() const
{
    return false;
}

bool
SwitchBalancer::HashesOnly() const
{
    return false;
}

bool
SwitchBalancer::KeepsPaths() const
{
    return false;
}

bool
SwitchBalancer::IsCentral() const
{
    return false;
}

TypeId
SwitchBalancer::GetHostBalancer() const
{
    return TypeId::LookupByName("ns3::aifabric::PlaneDrBalancer");
}

int64_t
SwitchBalancer::AssignStreams(int64_t)
{
    return 0;
}

void
SwitchBalancer::Count(PolicyCounters&) const
{
}

} // namespace aifabric
} // namespace ns3
