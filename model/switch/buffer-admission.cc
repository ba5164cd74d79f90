/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "buffer-admission.h"

#include "ns3/abort.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(BufferAdmission);

TypeId
BufferAdmission::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::BufferAdmission").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

void
BufferAdmission::Install(FabricSwitch&)
{
}

void
BufferAdmission::Release(const FabricFrame&, int64_t)
{
}

bool
BufferAdmission::Trims() const
{
    return false;
}

bool
BufferAdmission::WantsRelease() const
{
    return false;
}

uint64_t
BufferAdmission::GetLeastBytes(const FabricSwitch&) const
{
    return 0;
}

void
BufferAdmission::SetLeastFactor(double least)
{
    NS_ABORT_MSG_IF(least < 1,
                    GetInstanceTypeId().GetName()
                        << " cannot scale its queues, as degraded links need it");
}

uint64_t
BufferAdmission::GetLosslessDrops() const
{
    return 0;
}

void
BufferAdmission::Trim(FabricFrame&, const FabricTransmitter&)
{
}

void
BufferAdmission::Count(PolicyCounters&) const
{
}

int64_t
BufferAdmission::AssignStreams(int64_t)
{
    return 0;
}

} // namespace aifabric
} // namespace ns3
