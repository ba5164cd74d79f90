/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "probe-reflector.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ProbeReflector);

TypeId
ProbeReflector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::ProbeReflector")
                            .SetParent<IngressStage>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<ProbeReflector>()
                            .HideFromDocumentation();
    return tid;
}

ProbeReflector::ProbeReflector()
{
}

ProbeReflector::ProbeReflector(uint32_t number)
    : m_number(number)
{
}

void
ProbeReflector::Install(FabricSwitch&)
{
}

bool
ProbeReflector::Passes(const Ptr<FabricFrame>& frame, int64_t)
{
    if (frame->opcode == MRC_REQUEST && frame->destinationQp == m_number &&
        frame->kind == FrameKind::ROCE)
    {
        frame->destination = frame->source;
    }
    return true;
}

} // namespace aifabric
} // namespace ns3
