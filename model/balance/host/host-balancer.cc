/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-balancer.h"

#include "ns3/ecmp-balancer.h"
#include "ns3/fork-object.h"
#include "ns3/rng-seed-manager.h"

#include <limits>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(HostBalancer);

TypeId
HostBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::HostBalancer")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<HostBalancer>();
    return tid;
}

void
HostBalancer::Start(const FabricFacts&, int64_t stream)
{
    m_stream = stream;
}

void
HostBalancer::MakeRandom()
{
    // the streams that are chosen, as RandomVariableStream::SetStream has it
    constexpr uint64_t FIRST_CHOSEN = uint64_t{1} << 63;
    const uint64_t stream =
        m_stream < 0 ? RngSeedManager::GetNextStreamIndex() : FIRST_CHOSEN + m_stream;
    m_random.emplace(RngSeedManager::GetSeed(), stream, RngSeedManager::GetRun());
}

void
HostBalancer::Connect(uint32_t source, uint32_t destination, std::shared_ptr<const PathView>)
{
    m_planeSalt = AddRunSalt(EcmpBalancer::Mix(source, destination));
}

uint32_t
HostBalancer::AddRunSalt(uint32_t hash)
{
    const auto run = static_cast<uint32_t>(RngSeedManager::GetRun());
    return EcmpBalancer::Mix(hash, EcmpBalancer::Mix(RngSeedManager::GetSeed(), run));
}

void
HostBalancer::SetFixedEntropy(uint16_t entropy)
{
    m_entropy = entropy;
}

std::optional<PathChoice>
HostBalancer::Choose(const PathRequest& request)
{
    uint64_t plane = 0;
    if (request.planes > 1)
    {
        plane = uint64_t{EcmpBalancer::Mix(m_entropy, m_planeSalt)} * request.planes >> 32;
    }
    return PathChoice{m_entropy, static_cast<uint16_t>(plane)};
}

uint32_t
HostBalancer::PlaneOf(uint32_t entropy, uint32_t planes)
{
    // Labels are often small numbers: multiplicative hashing.
    const uint64_t mixed = entropy * 0x9E3779B97F4A7C15 >> 32;
    return mixed * planes >> 32;
}

void
HostBalancer::Feedback(uint32_t, PathEvent, int64_t, int64_t)
{
}

void
HostBalancer::PortsChanged(uint32_t, uint32_t)
{
}

bool
HostBalancer::NeedsProbes() const
{
    return false;
}

bool
HostBalancer::HasEvStates() const
{
    return false;
}

int64_t
HostBalancer::GetProbeDue() const
{
    return std::numeric_limits<int64_t>::max();
}

std::optional<PathChoice>
HostBalancer::TakeProbe(int64_t)
{
    return std::nullopt;
}

void
HostBalancer::ProbeAnswered(uint32_t, PathEvent, int64_t)
{
}

std::string
HostBalancer::GetClosNeed() const
{
    return "";
}

bool
HostBalancer::KeepsPaths() const
{
    return GetInstanceTypeId() == GetTypeId();
}

TypeId
HostBalancer::GetSwitchBalancer() const
{
    return EcmpBalancer::GetTypeId();
}

double
HostBalancer::GetMarkingShare() const
{
    return 0;
}

void
HostBalancer::Count(PolicyCounters&) const
{
}

Ptr<HostBalancer>
HostBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
