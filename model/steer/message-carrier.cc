/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-carrier.h"

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
