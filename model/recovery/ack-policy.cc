/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ack-policy.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(AckPolicy);

TypeId
AckPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::AckPolicy").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

bool
AckPolicy::IsEach() const
{
    return false;
}

uint32_t
AckPolicy::GetLeastWindow() const
{
    return 0;
}

uint32_t
AckPolicy::GetLeastCount() const
{
    return 0;
}

} // namespace aifabric
} // namespace ns3
