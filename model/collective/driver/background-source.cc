/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "background-source.h"

#include "ns3/flow-list.h"
#include "ns3/random-variable-stream.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr int64_t LAST_START_PS = 9'000'000'000'000'000; //!< near the end of time

/// @return makes the flows of Kind::POISSON
FlowDriver::Source
MakePoisson(const BackgroundSpec& spec, uint32_t hosts, int64_t stream)
{
    std::vector<Ptr<UniformRandomVariable>> randoms;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        randoms.push_back(CreateObject<UniformRandomVariable>());
        randoms.back()->SetStream(stream + host);
    }
    return [spec, hosts, randoms, starts = std::vector<double>(hosts)](uint32_t host) mutable {
        const auto random = [&]() { return randoms[host]->GetValue(0, 1); };
        starts[host] = DrawArrival(starts[host], spec.meanGapPs, random);
        if (starts[host] > static_cast<double>(LAST_START_PS))
        {
            return std::optional<Flow>();
        }
        Flow flow = DrawMessage(hosts, host, starts[host], *spec.sizes, random);
        flow.isBackground = true;
        return std::optional<Flow>(flow);
    };
}

/// @return makes the flows of Kind::CHECKPOINT
FlowDriver::Source
MakeCheckpoints(const BackgroundSpec& spec, uint32_t hosts)
{
    const uint32_t clients = hosts - spec.servers;
    return [spec, clients, rounds = std::vector<int64_t>(clients)](uint32_t host) mutable {
        if (host >= clients || rounds[host] > LAST_START_PS / spec.periodPs)
        {
            return std::optional<Flow>();
        }
        const int64_t start = rounds[host]++ * spec.periodPs;
        Flow flow{start, host, clients + host % spec.servers, spec.bytes};
        flow.isBackground = true;
        return std::optional<Flow>(flow);
    };
}

} // namespace

FlowDriver::Source
MakeBackgroundSource(const BackgroundSpec& spec, uint32_t hosts, int64_t stream)
{
    return spec.kind == BackgroundSpec::Kind::POISSON ? MakePoisson(spec, hosts, stream)
                                                      : MakeCheckpoints(spec, hosts);
}

} // namespace aifabric
} // namespace ns3
