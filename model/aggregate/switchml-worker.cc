/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switchml-worker.h"

#include "switchml-framing.h"

#include "ns3/roce-net-device.h"
#include "ns3/switchml-codec.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SwitchMlWorker);

TypeId
SwitchMlWorker::GetTypeId()
{
    static TypeId tid = AddTimeout(TypeId("ns3::aifabric::SwitchMlWorker")
                                       .SetParent<GradientWorker>()
                                       .SetGroupName("AiFabric")
                                       .AddConstructor<SwitchMlWorker>(),
                                   MilliSeconds(10),
                                   100);
    return tid;
}

void
SwitchMlWorker::Write(FabricFrame& frame, uint32_t sequence, uint8_t, bool, int64_t start)
{
    // The switch consumes the packet, whichever host it is addressed to; it has to be another one.
    const std::vector<uint32_t>& workers = GetPlan().workers;
    const uint32_t host = GetNic().GetHost();
    Address(frame, workers.front() != host ? workers.front() : workers.back(), start);
    Fragment fragment;
    fragment.key = Fragment::MakeKey(GetPlan().number, sequence);
    fragment.values = GetJob().TakeValues(GetNumber(), sequence);
    SwitchMlFraming::Write(frame, GetJob(), std::move(fragment), SwitchMlCodec::CONSUME);
}

Endpoint::Reception
SwitchMlWorker::Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox)
{
    if (frame->opcode != SwitchMlCodec::HARVEST)
    {
        return Reception::UNKNOWN;
    }
    const FrameExtra& extra = frame->GetExtra();
    if (IsOutstanding(extra.gradients.sequence))
    {
        GetNic().BeginChange(outbox.GetNow());
        TakeSum(extra.gradients.sequence, extra.values, outbox.GetNow());
    }
    return Reception::REPORT;
}

} // namespace aifabric
} // namespace ns3
