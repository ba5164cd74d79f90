/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANDOM_NETWORK_H
#define RANDOM_NETWORK_H

#include "core-test.h"

#include "ns3/network-assembly.h"

namespace coretest
{

/// @return a connected fabric of any shape, with hosts in any order, unequal and parallel links
inline ns3::aifabric::FabricGraph
RandomNetwork(std::mt19937& random)
{
    using ns3::aifabric::NetworkAssembly;
    const auto cable = [&random]() {
        const std::array<uint64_t, 3> gigabits{25, 100, 400};
        return NetworkAssembly::Cable{gigabits[random() % 3] * 1'000'000'000,
                                      static_cast<int64_t>(random() % 4) * 700'000};
    };
    NetworkAssembly network;
    const uint32_t switches = 1 + random() % 8;
    for (uint32_t id = 0; id < switches; ++id)
    {
        network.AddSwitch("s-" + std::to_string(id));
    }
    for (uint32_t id = 1; id < switches; ++id)
    {
        network.Join(random() % id, id, cable());
    }
    for (uint32_t link = 0; link < switches; ++link)
    {
        const uint32_t from = random() % switches;
        const uint32_t to = random() % switches;
        if (from != to)
        {
            network.Join(from, to, cable());
        }
    }
    std::vector<uint32_t> at(switches); // each switch has a host, so that none is a dead end
    std::iota(at.begin(), at.end(), 0);
    for (uint32_t more = 1 + random() % 6; more > 0; --more)
    {
        at.push_back(random() % switches);
    }
    std::shuffle(at.begin(), at.end(), random);
    for (uint32_t host = 0; host < at.size(); ++host)
    {
        network.Attach(host, at[host], cable());
    }
    return network.Finish();
}

} // namespace coretest

#endif /* RANDOM_NETWORK_H */
