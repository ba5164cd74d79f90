/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switchml-framing.h"

#include "ns3/switchml-codec.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

Fragment
SwitchMlFraming::Read(const FabricFrame& frame)
{
    const GradientFields& fields = frame.GetExtra().gradients;
    Fragment fragment;
    fragment.key = Fragment::MakeKey(fields.job, fields.sequence);
    fragment.slot = fields.slot & ~SwitchMlCodec::SET_MASK;
    fragment.values = frame.GetExtra().values;
    return fragment;
}

uint8_t
SwitchMlFraming::GetSet(const FabricFrame& frame)
{
    return frame.GetExtra().gradients.slot & SwitchMlCodec::SET_MASK ? 1 : 0;
}

void
SwitchMlFraming::Write(FabricFrame& frame,
                       const AggregationJob& job,
                       Fragment fragment,
                       uint8_t type)
{
    const uint32_t window = job.GetPlan().window;
    frame.kind = FrameKind::SWITCHML;
    frame.opcode = type;
    FrameExtra& extra = frame.Extra();
    GradientFields& fields = extra.gradients;
    fields.job = fragment.GetJob();
    fields.sequence = fragment.GetSequence();
    fields.slot = fragment.GetSequence() % window |
                  (fragment.GetSequence() / window % 2 ? SwitchMlCodec::SET_MASK : 0);
    extra.values = std::move(fragment.values);
    SwitchMlCodec().Complete(frame, FIRST_PORT + fragment.GetJob());
}

} // namespace aifabric
} // namespace ns3
