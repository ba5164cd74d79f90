/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"
#include "policy-kinds.h"
#include "policy-section.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/flow-list.h"
#include "ns3/host-balancer.h"
#include "ns3/message-steering.h"
#include "ns3/mrc-queue-pair.h"
#include "ns3/random-variable-stream.h"
#include "ns3/roce-net-device.h"
#include "ns3/single-steering.h"
#include "ns3/source-routed-steering.h"
#include "ns3/switch-balancer.h"
#include "ns3/switch-draw.h"
#include "ns3/switch-forwarder.h"
#include "ns3/traffic-engineer.h"
#include "ns3/uinteger.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return whether messages are divided among several queue pairs
bool
HasQueuePairs(const FabricScenario& scenario)
{
    TypeId::AttributeInformation information;
    return scenario.steering.LookupAttributeByName("QueuePairs", &information);
}

const OptionWhen SEVERAL = {"only with --steering=split, round-robin or dqplb", HasQueuePairs};
const OptionType HALF = Number(
    "a decimal number from 0 to 1",
    [](double share) { return share >= 0 && share <= 1; },
    0.5);

} // namespace

// clang-format off
const OptionGroup BALANCING_ROWS = {"Balancing and steering", {
    {"steering", "single", Plain("policy"),
     "how messages are divided among queue pairs and paths, or help",
     {}, {}, {"ns3::aifabric::MessageService::SteeringType"}},
    {"queuePairs", AUTO, Whole(1, 1024),
     "queue pairs from a host to another, with a steering that uses several: split, round-robin "
     "or dqplb (auto: 4, or 16 with dqplb)", {}, SEVERAL},
    {"balancer", "ecmp", Plain("policy"),
     "load balancer, or help (default with the transport mrc: mrc, which needs it)",
     {}, {}, {"ns3::aifabric::RoceNetDevice::BalancerType"}},
    {"upgrade", NONE, Plain("policy"),
     "switch balancer that a part of the switches has instead of the one that --balancer gives "
     "them, or help"},
    {"ordered", NONE, Whole(1, INT32_MAX),
     "every N-th message is ordered: its queue pair keeps one entropy and thus one path, as with "
     "ECMP; the other messages use --balancer", To(&FabricScenario::ordered)},
    {"upgraded", AUTO, HALF,
     "share of the switches with a choice of ports that have the other balancer, chosen at random "
     "(0 to 1; auto: 0.5)", {}, OnlyWith("upgrade")},
}};

// clang-format on

namespace
{

/// Reads who spreads the traffic: queue pairs, hosts and switches.
class BalancingOptions : public PolicySection
{
  public:
    using PolicySection::PolicySection;

    /// Read how messages are divided among queue pairs, and who chooses their paths.
    void ReadBalancing()
    {
        ReadSteering();
        ReadUpgrade();
        if (m_scenario.upgrade)
        {
            CheckBalancerShape(m_table, m_scenario, "upgrade", *m_scenario.upgrade);
        }
        CheckCentral();
        ReadOrdered();
        RefuseIf(m_scenario.transport == MrcQueuePair::GetTypeId() &&
                     FindFlowClasses(m_scenario) > 0,
                 "transport",
                 "another one with classes of flows: MRC has DSCPs for kinds of packets");
        CheckForwarder();
        CheckTelemetry();
    }

  private:
    /// Refuse balancers that spread packets where telemetry has to be of one path.
    void CheckTelemetry() const
    {
        if (!m_scenario.telemetry)
        {
            return;
        }
        const std::string need = " with --rateControl=" + m_table.Get("rateControl") +
                                 ", whose telemetry (INT) has to be of one path a queue pair";
        RefuseIf(!KeepsPaths(m_scenario.balancer),
                 IsGiven("balancer") ? "balancer" : "rateControl",
                 "one that keeps paths, such as ecmp," + need);
        RefuseIf(m_scenario.upgrade && !KeepsPaths(*m_scenario.upgrade),
                 "upgrade",
                 "one that keeps paths, such as e-ecmp," + need);
        const std::string shared = "ns3::aifabric::RoceNetDevice::SharesControl";
        OptionError::ThrowIf(
            FindDefault<BooleanValue>(RoceNetDevice::GetTypeId(), "SharesControl").value_or(false),
            shared,
            "true",
            "false" + need);
    }

    /// @return whether the packets of a queue pair keep to one path, and to one plane
    bool KeepsPaths(TypeId balancer) const
    {
        if (balancer.IsChildOf(HostBalancer::GetTypeId()))
        {
            return MakePolicy<HostBalancer>(balancer)->KeepsPaths();
        }
        const auto ofSwitch = MakePolicy<SwitchBalancer>(balancer);
        return ofSwitch->KeepsPaths() &&
               (m_scenario.graph->Planes() == 1 ||
                MakePolicy<HostBalancer>(ofSwitch->GetHostBalancer())->KeepsPaths());
    }

    /// Refuse what does not go with how switches forward.
    void CheckForwarder() const
    {
        const auto forwarder = MakePolicy<SwitchForwarder>(m_scenario.forwarding);
        if (forwarder->ObeysHosts())
        {
            CheckBalancer();
        }
        for (const std::string name : {"convergence", "detection"})
        {
            RefuseIf(forwarder->IsStatic() && IsGiven(name) && m_table.Get(name) != "never",
                     name,
                     "never with --forwarding=" + m_table.Get("forwarding") +
                         ", whose tables are static");
        }
    }

    /// Read how messages are divided among queue pairs.
    void ReadSteering()
    {
        m_scenario.steering = ReadPolicy("steering");
        RefuseIf(!m_scenario.graph->IsClos() &&
                     m_scenario.steering.IsChildOf(SourceRoutedSteering::GetTypeId()),
                 "steering",
                 "not in a fabric that has no tiers: it divides messages among "
                 "whole paths, up to one switch and down");
        ReadQueuePairs();
        const std::optional<TypeId> balancer =
            MakePolicy<MessageSteering>(m_scenario.steering)->GetBalancer();
        if (!balancer)
        {
            return;
        }
        RefuseIf(m_table.At("balancer").isGiven,
                 "balancer",
                 "none with --steering=" + m_table.Get("steering") + ", which chooses the paths");
        m_scenario.balancer = *balancer;
        m_scenario.options["balancer"] = Registry("balancer").NameOf(*balancer);
    }

    /// Read how many queue pairs two hosts have.
    void ReadQueuePairs()
    {
        const std::string option = "queuePairs";
        RefuseUnmeant({option});
        if (!IsMeant(option))
        {
            return;
        }
        const std::string attribute = m_scenario.steering.GetName() + "::QueuePairs";
        RefuseIf(IsGiven(option) && IsAttributeGiven(attribute), option, "not with --" + attribute);
        if (IsSet(option) && !IsAttributeGiven(attribute))
        {
            Config::SetDefault(attribute, UintegerValue(Read(option)));
        }
        m_scenario.options[option] =
            FindDefault<UintegerValue>(m_scenario.steering, "QueuePairs").value();
    }

    /// Read which switches have another balancer.
    void ReadUpgrade()
    {
        RefuseUnmeant({"upgraded"});
        if (IsNone("upgrade"))
        {
            m_scenario.options["upgrade"] = nullptr;
            return;
        }
        const bool isHost = m_scenario.balancer.IsChildOf(HostBalancer::GetTypeId());
        const TypeId usual =
            isHost ? MakePolicy<HostBalancer>(m_scenario.balancer)->GetSwitchBalancer()
                   : m_scenario.balancer;
        if (MakePolicy<SwitchBalancer>(usual)->ObeysHosts())
        {
            const bool isSteered = !m_table.At("balancer").isGiven;
            const std::string chooser = isSteered ? "steering" : "balancer";
            Refuse("upgrade",
                   "not with --" + chooser + "=" + m_table.Get(chooser) +
                       ", whose switches obey the hosts");
        }
        m_scenario.upgrade = ReadPolicy("upgrade");
        RefuseIf(AskPolicy(*m_scenario.upgrade, &SwitchBalancer::IsCentral),
                 "upgrade",
                 "another one than te, which is for all switches");
        RefuseIf(AskPolicy(*m_scenario.upgrade, &SwitchBalancer::SeesFrames),
                 "upgrade",
                 "another one, as all switches have to have " + m_table.Get("upgrade"));
        RefuseIf(AskPolicy(usual, &SwitchBalancer::SeesFrames),
                 "upgrade",
                 "not with --balancer=" + m_table.Get("balancer") +
                     ", which all switches have to have");
        RefuseIf(AskPolicy(usual, &SwitchBalancer::IsCentral),
                 "upgrade",
                 "not with --balancer=te, which is for all switches");
        RefuseIf(m_scenario.upgrade == usual,
                 "upgrade",
                 "another balancer than the one that switches have with --balancer=" +
                     m_table.Get("balancer"));
        constexpr int64_t UPGRADE_STREAM = 4; // apart from those of a run
        const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(UPGRADE_STREAM);
        m_scenario.upgraded = DrawSwitches(*m_scenario.graph, Read("upgraded"), [random]() {
            return random->GetValue(0, 1);
        });
        std::vector<std::string> names;
        for (const uint32_t id : m_scenario.upgraded)
        {
            names.push_back(m_scenario.graph->SwitchName(id));
        }
        m_scenario.options["upgradedSwitches"] = names;
    }

    /// Refuse attributes of traffic engineering without it, and tables that it would not fill.
    void CheckCentral() const
    {
        if (!AskPolicy(m_scenario.balancer, &SwitchBalancer::IsCentral))
        {
            RefuseAttributes(TrafficEngineer::GetTypeId().GetName(), "only with --balancer=te");
        }
        for (const TypeId& type :
             {m_scenario.balancer, m_scenario.upgrade.value_or(m_scenario.balancer)})
        {
            for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
            {
                const Ptr<const AttributeValue> value = type.GetAttribute(i).initialValue;
                const auto* part = dynamic_cast<const TypeIdValue*>(PeekPointer(value));
                OptionError::ThrowIf(part && AskPolicy(part->Get(), &SwitchBalancer::IsCentral),
                                     type.GetAttributeFullName(i),
                                     part ? part->Get().GetName() : "",
                                     "another one: only --balancer=te fills its tables");
            }
        }
    }

    /// Read which messages keep one path.
    void ReadOrdered()
    {
        if (IsNone("ordered"))
        {
            return;
        }
        const std::string& balancer = m_table.Get("balancer");
        Read("ordered");
        RefuseIf(m_scenario.training.has_value(),
                 "ordered",
                 "not with --workload=" + m_scenario.workload + ": it is for flows");
        RefuseIf(m_scenario.steering != SingleSteering::GetTypeId(),
                 "ordered",
                 "not with --steering=" + m_table.Get("steering") +
                     ", which divides messages among paths");
        RefuseIf(!m_scenario.balancer.IsChildOf(HostBalancer::GetTypeId()),
                 "ordered",
                 "not with --balancer=" + balancer +
                     ", but with a balancer of the hosts, such as host-random or reps, whose "
                     "switches hash");
        RefuseIf(m_scenario.upgrade.has_value(), "ordered", "not with --upgrade");
    }

    /// Refuse switch balancers where the sender names the path.
    void CheckBalancer() const
    {
        const std::string with = "with --forwarding=" + m_table.Get("forwarding");
        RefuseIf(m_scenario.balancer.IsChildOf(SwitchBalancer::GetTypeId()) &&
                     !AskPolicy(m_scenario.balancer, &SwitchBalancer::HashesOnly),
                 "balancer",
                 "one of the hosts, or ecmp (one path a queue pair), " + with +
                     ": switches do not choose");
        RefuseIf(m_scenario.upgrade.has_value(), "upgrade", "none " + with);
        for (const auto& [attribute, value] : m_scenario.attributes)
        {
            const std::string mode = "Balancer::Forwarding";
            const bool isMode =
                attribute.size() > mode.size() &&
                attribute.compare(attribute.size() - mode.size(), mode.size(), mode) == 0;
            OptionError::ThrowIf(isMode && value != "Direct",
                                 attribute,
                                 value,
                                 "Direct " + with + ": switches do not hash");
        }
    }
};

} // namespace

void
ReadBalancing(const OptionTable& table, FabricScenario& scenario)
{
    BalancingOptions(table, scenario).ReadBalancing();
}

} // namespace aifabric
} // namespace ns3
