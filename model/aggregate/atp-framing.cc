/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "atp-framing.h"

#include "ns3/atp-codec.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the number of a fragment: the tensor's and the sequence number
uint32_t
Join(const GradientFields& fields)
{
    return static_cast<uint32_t>(fields.tensor) << 16 | fields.sequence;
}

} // namespace

uint32_t
AtpFraming::GetSequence(const FabricFrame& frame)
{
    return Join(frame.GetExtra().gradients);
}

Fragment
AtpFraming::Read(const FabricFrame& frame)
{
    const FrameExtra& extra = frame.GetExtra();
    const GradientFields& fields = extra.gradients;
    Fragment fragment;
    fragment.key = Fragment::MakeKey(fields.job, Join(fields));
    fragment.bitmap = fields.bitmap;
    fragment.slot = fields.slot;
    fragment.priority = fields.priority;
    fragment.isResent = fields.flags & AtpCodec::IS_RESENT;
    fragment.isMarked = fields.flags & AtpCodec::HAS_MARK || frame.GetEcn() == ECN_CE;
    fragment.hasCollided = fields.flags & AtpCodec::HAS_COLLIDED;
    fragment.values = extra.values;
    return fragment;
}

void
AtpFraming::Write(FabricFrame& frame,
                  const AggregationJob& job,
                  Fragment&& fragment,
                  uint8_t flags,
                  uint8_t moreFlags)
{
    frame.kind = FrameKind::ATP;
    frame.opcode =
        job.GetPlan().hasPriority || moreFlags ? AtpCodec::WITH_PRIORITY : AtpCodec::PLAIN;
    FrameExtra& extra = frame.Extra();
    GradientFields& fields = extra.gradients;
    fields.tensor = fragment.GetSequence() >> 16;
    fields.sequence = fragment.GetSequence() & 0xFFFF;
    fields.bitmap = fragment.bitmap;
    fields.job = fragment.GetJob();
    fields.slot = fragment.slot;
    fields.workers = job.GetPlan().workers.size();
    fields.flags = flags | (fragment.isResent ? AtpCodec::IS_RESENT : 0) |
                   (fragment.isMarked ? AtpCodec::HAS_MARK : 0) |
                   (fragment.hasCollided ? AtpCodec::HAS_COLLIDED : 0);
    fields.priority = job.GetPlan().hasPriority ? fragment.priority : 0;
    fields.moreFlags = moreFlags;
    extra.values = std::move(fragment.values);
    AtpCodec().Complete(frame, FIRST_PORT + fragment.GetJob() % (0x10000 - FIRST_PORT));
}

} // namespace aifabric
} // namespace ns3
