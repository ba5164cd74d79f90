/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "entropy-balancer.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EntropyBalancer);

TypeId
EntropyBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::EntropyBalancer").SetParent<HostBalancer>().SetGroupName("AiFabric");
    return tid;
}

std::optional<PathChoice>
EntropyBalancer::Choose(const PathRequest& request)
{
    const uint32_t entropy = FIRST_PORT + NextLabel();
    const uint32_t plane = request.planes > 1 ? PlaneOf(entropy, request.planes) : 0;
    return PathChoice{entropy, static_cast<uint16_t>(plane)};
}

} // namespace aifabric
} // namespace ns3
