/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "attribute-options.h"

#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/global-value.h"
#include "ns3/host-balancer.h"
#include "ns3/simulator-impl.h"
#include "ns3/string.h"
#include "ns3/switch-balancer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

void
AttributeOptions::Read()
{
    for (const auto& [name, value] : m_table.GetAttributes())
    {
        m_scenario.attributes[name] = value;
    }
    m_scenario.attributes.erase("RngSeed"); // these two are not the scenario's
    m_scenario.attributes.erase("RngRun");
    m_scenario.options["attributes"] = m_scenario.attributes;
}

void
AttributeOptions::CheckGlobals()
{
    constexpr uint64_t MAX_SEED = 4294944442; // less than both moduli of ns-3's generator
    UintegerValue seed;
    GlobalValue::GetValueByName("RngSeed", seed);
    if (seed.Get() < 1 || seed.Get() > MAX_SEED)
    {
        throw OptionError("RngSeed",
                          std::to_string(seed.Get()),
                          "1 to " + std::to_string(MAX_SEED));
    }
    StringValue implementation;
    GlobalValue::GetValueByName("SimulatorImplementationType", implementation);
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(implementation.Get(), &type) ||
        !type.IsChildOf(SimulatorImpl::GetTypeId()))
    {
        throw OptionError("SimulatorImplementationType",
                          implementation.Get(),
                          "a subclass of ns3::SimulatorImpl");
    }
}

void
AttributeOptions::CheckAttributes() const
{
    const std::vector<TypeId> used = FindUsedPolicies();
    for (const auto& [attribute, value] : m_scenario.attributes)
    {
        TypeId type;
        if (!TypeId::LookupByNameFailSafe(attribute.substr(0, attribute.rfind("::")), &type) ||
            std::any_of(used.begin(), used.end(), [&type](TypeId policy) {
                return policy == type || policy.IsChildOf(type);
            }))
        {
            continue; // a global value, or a policy that takes part
        }
        for (const auto& [option, kind] : PolicyKinds())
        {
            if (std::any_of(kind.bases.begin(), kind.bases.end(), [&type](TypeId base) {
                    return type == base || type.IsChildOf(base);
                }))
            {
                throw OptionError(attribute,
                                  value,
                                  "has no effect with --" + option + "=" + m_table.Get(option));
            }
        }
    }
}

std::vector<TypeId>
AttributeOptions::FindUsedPolicies() const
{
    std::vector<TypeId> used = {m_scenario.balancer,
                                m_scenario.steering,
                                m_scenario.rateControl,
                                m_scenario.recovery,
                                m_scenario.ackPolicy,
                                m_scenario.sendOrder,
                                m_scenario.admission,
                                m_scenario.scheduler};
    if (m_scenario.marker)
    {
        used.push_back(*m_scenario.marker);
    }
    if (m_scenario.upgrade)
    {
        used.push_back(*m_scenario.upgrade);
    }
    const std::set<TypeId> algorithms = FindUsedAlgorithms();
    used.insert(used.end(), algorithms.begin(), algorithms.end());
    if (m_scenario.balancer.IsChildOf(HostBalancer::GetTypeId()))
    {
        used.push_back(MakePolicy<HostBalancer>(m_scenario.balancer)->GetSwitchBalancer());
    }
    else if (m_scenario.graph->Planes() > 1)
    {
        used.push_back(MakePolicy<SwitchBalancer>(m_scenario.balancer)->GetHostBalancer());
    }
    for (std::size_t i = 0; i < used.size(); ++i) // policies name others by attributes
    {
        for (std::size_t j = 0; j < used[i].GetAttributeN(); ++j)
        {
            const Ptr<const AttributeValue> value = used[i].GetAttribute(j).initialValue;
            const auto* named = dynamic_cast<const TypeIdValue*>(PeekPointer(value));
            if (named && std::find(used.begin(), used.end(), named->Get()) == used.end())
            {
                used.push_back(named->Get());
            }
        }
    }
    return used;
}

std::set<TypeId>
AttributeOptions::FindUsedAlgorithms() const
{
    const CollectiveDefaults& defaults = m_scenario.collectives;
    std::set<TypeId> used;
    if (!m_scenario.training)
    {
        return used;
    }
    for (const WorkloadProgram& program : m_scenario.training->programs)
    {
        for (const WorkloadNode& node : program)
        {
            if (node.kind == WorkloadNode::Kind::COLLECTIVE)
            {
                used.insert(node.algorithm.empty() ? defaults.algorithm
                                                   : defaults.byName.at(node.algorithm));
            }
        }
    }
    return used;
}

} // namespace aifabric
} // namespace ns3
