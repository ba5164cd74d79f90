/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "conweave-codec.h"

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t FIELDS = 3; //!< bytes that are not reserved

} // namespace

bool
ConweaveCodec::Supports(uint8_t opcode) const
{
    return opcode == CONWEAVE_CONTROL;
}

bool
ConweaveCodec::MayCarry(uint8_t) const
{
    return false;
}

uint32_t
ConweaveCodec::GetBytes(uint8_t, uint8_t) const
{
    return SIZE;
}

void
ConweaveCodec::Write(Buffer::Iterator& i, const FabricFrame& frame) const
{
    const ConweaveTag& tag = frame.GetConweaveTag();
    i.WriteU8(tag.kind);
    i.WriteU8(tag.epoch);
    i.WriteU8(tag.uplink);
    i.WriteU8(0, SIZE - FIELDS);
}

void
ConweaveCodec::Read(Buffer::Iterator i, FabricFrame& frame) const
{
    ConweaveTag& tag = frame.Extra().leaf.conweave;
    tag.kind = static_cast<ConweaveTag::Kind>(i.ReadU8());
    tag.epoch = i.ReadU8();
    tag.uplink = i.ReadU8();
}

} // namespace aifabric
} // namespace ns3
