/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-carrier.h"

#include "ns3/abort.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MessageCarrier);

TypeId
MessageCarrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::MessageCarrier").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

void
MessageCarrier::Open(const Flow&)
{
}

void
MessageCarrier::Ask(uint32_t)
{
    NS_ABORT_MSG(GetInstanceTypeId().GetName() << ": it carries no reads");
}

void
MessageCarrier::ReadReceived(uint32_t)
{
}

bool
MessageCarrier::TakesReceives() const
{
    return false;
}

void
MessageCarrier::PostReceive(const Flow&)
{
}

} // namespace aifabric
} // namespace ns3
