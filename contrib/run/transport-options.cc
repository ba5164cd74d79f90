/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"
#include "policy-kinds.h"
#include "policy-section.h"

#include "ns3/ack-policy.h"
#include "ns3/buffer-admission.h"
#include "ns3/cnp-listener.h"
#include "ns3/config.h"
#include "ns3/congestion-control.h"
#include "ns3/csv-writer.h"
#include "ns3/fabric-checker.h"
#include "ns3/host-balancer.h"
#include "ns3/loss-recovery.h"
#include "ns3/message-steering.h"
#include "ns3/nstime.h"
#include "ns3/policy-misfit.h"
#include "ns3/queue-pair.h"
#include "ns3/rank-transport.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace ns3
{
namespace aifabric
{

// clang-format off
const OptionGroup TRANSPORT_ROWS = {"Transport, congestion control and buffers", {
    {"rateControl", "fixed", Plain("policy"),
     "congestion control of queue pairs, or help (default with the transport mrc: nscc)",
     {}, {}, {"ns3::aifabric::RoceNetDevice::ControlType"}},
    {"transport", "rc", Plain("policy"), "transport of queue pairs, or help"},
    {"recovery", "oracle", Plain("policy"),
     "loss recovery of queue pairs, or help (default with the transport spray: selective-repeat; "
     "mrc: mrc)", {}, {}, {"ns3::aifabric::RoceNetDevice::RecoveryType"}},
    {"ackPolicy", "per-packet", Plain("policy"),
     "when accepted packets are acknowledged, or help (default with the transport spray: "
     "unordered; mrc: mrc); coalesced needs go-back-n or the transport spray or mrc",
     {}, {}, {"ns3::aifabric::RoceNetDevice::AckPolicyType"}},
    {"sendOrder", "round-robin", Plain("policy"),
     "which queue pair of a NIC sends the next packet, or help: each in turn (round-robin), or "
     "that of the message posted first (oldest-first)",
     {}, {}, {"ns3::aifabric::RoceNetDevice::SchedulerType"}},
    {"admission", "port", Plain("policy"),
     "buffer of switches, or help (default with the transport mrc: trimming)"},
    {"marker", AUTO, Plain("policy"),
     "congestion marking in switches, none, or help (auto: as the balancer or the congestion "
     "control needs it; none if neither needs marks)"},
}};

// clang-format on

namespace
{

/// Reads how queue pairs send: transport, congestion control, recovery and acknowledgements. Which
/// of them is usual beside another one, the policy itself says.
class TransportOptions : public PolicySection
{
  public:
    using PolicySection::PolicySection;

    /// Read the transport, and of its recovery and its policy of acknowledgements what is usual.
    void ReadTransport()
    {
        m_scenario.transport = ReadPolicy("transport");
        const auto queuePair = MakePolicy<QueuePair>(m_scenario.transport);
        m_scenario.balancer = ReadUsual("balancer", queuePair->GetTraits().balancer);
        CheckBalancerShape(m_table,
                           m_scenario,
                           IsSet("balancer") ? "balancer" : "transport",
                           m_scenario.balancer);
        if (m_scenario.balancer.IsChildOf(HostBalancer::GetTypeId()))
        {
            RefuseIf(
                m_scenario.HasSumsAlone(),
                "balancer",
                "not with in-network aggregation, whose packets hosts do not label; a balancer of "
                "the switches, such as ecmp or switch-ar");
            const auto balancer = MakePolicy<HostBalancer>(m_scenario.balancer);
            if (const auto checker = dynamic_cast<const FabricChecker*>(PeekPointer(balancer)))
            {
                checker->CheckFabric(*m_scenario.graph);
            }
        }
        m_scenario.rateControl = ReadUsual("rateControl", queuePair->GetTraits().control);
        m_scenario.recovery = ReadUsual("recovery", queuePair->GetTraits().recovery);
        m_scenario.ackPolicy = ReadUsual("ackPolicy", queuePair->GetTraits().ackPolicy);
        CheckTransport();
        m_scenario.sendOrder = ReadPolicy("sendOrder");
    }

    /// Read after which time without an acknowledgement a queue pair sends again.
    void ReadTimeout()
    {
        const std::string attribute = "AckTimeout";
        const TypeId queuePair = m_scenario.transport;
        m_scenario.ackTimeoutPs =
            IsAttributeGiven(FindAttribute(queuePair, attribute))
                ? FindDefault<TimeValue>(queuePair, attribute)->GetPicoSeconds()
                : ChooseTimeout();
        m_scenario.options["ackTimeout"] = FormatNs(m_scenario.ackTimeoutPs) + "ns";
        const std::string patience = FindAttribute(queuePair, "RetryTime");
        if (!IsAttributeGiven(patience) &&
            MakePolicy<LossRecovery>(m_scenario.recovery)->GetTraits().isIdeal)
        {
            // It is no NIC's, and it fills a dead path with retransmissions at the line rate.
            Config::SetDefault(patience, TimeValue(MilliSeconds(50)));
        }
    }

    /// Refuse what reads do not go with, once that is known.
    void CheckReads() const
    {
        if (!FindReads(m_scenario))
        {
            return;
        }
        const std::string option = m_scenario.reads                 ? "operation"
                                   : HasReads(m_scenario.fileFlows) ? "flows"
                                                                    : "background";
        const auto refuseIf = [this, &option](bool isWrong, const std::string& where) {
            RefuseIf(isWrong,
                     option,
                     (m_scenario.reads ? "write with " : "a file without reads, with ") + where);
        };
        const bool isFlows = !m_scenario.training && !m_scenario.aggregation;
        refuseIf(m_scenario.reads && !isFlows, "collectives and programs");
        refuseIf(!MakeQueuePair(m_scenario.transport)->GetTraits().carriesReads,
                 "--transport=" + m_table.Get("transport"));
        refuseIf(MakePolicy<MessageSteering>(m_scenario.steering)->CountLanes(Flow()) == 0,
                 "--steering=" + m_table.Get("steering") + ", which opens queue pairs for data");
        refuseIf(m_scenario.receiverSlots > 0, "--receiverAdmission");
        refuseIf(m_scenario.isFluid, "--fidelity=fluid");
        refuseIf(RankTransport::GetRanks() > 1, "several --ranks");
    }

  private:
    /// Refuse policies that do not suit the transport or each other (PolicyMisfit).
    void CheckTransport() const
    {
        static const std::map<std::string, std::string> OPTIONS = {{"Recovery", "recovery"},
                                                                   {"AckPolicy", "ackPolicy"},
                                                                   {"Control", "rateControl"},
                                                                   {"Balancer", "balancer"}};
        const Ptr<QueuePair> queuePair = MakeQueuePair(m_scenario.transport);
        for (const PolicyMisfit& misfit : PolicyMisfit::Find(*queuePair))
        {
            const PolicyRegistry transports = Registry("transport");
            std::string others;
            for (const auto& [name, type] : transports.GetTypes())
            {
                const auto found = PolicyMisfit::Find(*MakeQueuePair(type));
                const bool fits =
                    std::none_of(found.begin(), found.end(), [&misfit](const auto& other) {
                        return other.attribute == misfit.attribute;
                    });
                if (fits && name.find(':') == std::string::npos)
                {
                    others += (others.empty() ? "; it needs --transport=" : " or ") + name;
                }
            }
            RefuseIf(true, OPTIONS.at(misfit.attribute), misfit.why + others);
        }
        const auto control = MakePolicy<CongestionControl>(m_scenario.rateControl);
        const bool listens = dynamic_cast<const CnpListener*>(PeekPointer(control));
        if (queuePair->GetTraits().sendsCnps && !listens)
        {
            RefuseAttributes(m_scenario.transport.GetName(),
                             {"CnpGap", "CnpScope", "CnpDscp"},
                             "only with a congestion control that uses CNPs (--rateControl=dcqcn)");
        }
    }

    /// @return after which time without an acknowledgement a queue pair sends again, in picoseconds
    int64_t ChooseTimeout() const
    {
        constexpr double MOST_PS = 1e15; // what QueuePair::AckTimeout may be
        const double links = m_scenario.graph->LongestPathLinks();
        const double empty = GetRoundTripPs(GetLatencyPs());
        const uint64_t buffer = std::max(m_scenario.bufferBytes, m_scenario.spineBufferBytes);
        const double drain = links * static_cast<double>(buffer) * GetBytePs();
        RefuseIf(3 * empty > MOST_PS, "delay", "so short that three round trips are at most 1000s");
        const auto recovery = MakePolicy<LossRecovery>(m_scenario.recovery);
        double timeout = recovery->GetUsualTimeoutPs(empty, drain, GetPacketsPs());
        if (!recovery->GetTraits().timesEachPacket &&
            FindLosslessClasses(m_scenario.admission) != 0)
        {
            // Frames wait for paused ports, too, and for what a switch has for all its ports.
            timeout = std::max(timeout, recovery->LossRecovery::GetUsualTimeoutPs(empty, drain, 0));
        }
        return std::llround(std::min(MOST_PS, timeout));
    }
};

} // namespace

void
ReservePolicyAttributes(OptionTable& table)
{
    const PolicyRegistry transports = Registry("transport");
    for (const auto& entry : transports.GetTypes())
    {
        table.Reserve(entry.second.GetName() + "::Mtu", "mtu");
    }
    const PolicyRegistry admissions = Registry("admission");
    for (const auto& entry : admissions.GetTypes())
    {
        const TypeId type = entry.second;
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const std::string attribute = type.GetAttribute(i).name;
            if (attribute == "BufferBytes" || attribute == "PortBytes")
            {
                table.Reserve(type.GetAttributeFullName(i), "buffer");
            }
        }
    }
}

std::optional<TypeId>
FindUsualAdmission(TypeId transport)
{
    for (const auto& [name, value] : MakePolicy<QueuePair>(transport)->GetTraits().attributes)
    {
        TypeId type;
        if (TypeId::LookupByNameFailSafe(name.substr(0, name.rfind("::")), &type) &&
            type.IsChildOf(BufferAdmission::GetTypeId()))
        {
            return type;
        }
    }
    return std::nullopt;
}

void
ReadTransport(const OptionTable& table, FabricScenario& scenario)
{
    TransportOptions(table, scenario).ReadTransport();
}

void
CheckReads(const OptionTable& table, FabricScenario& scenario)
{
    TransportOptions(table, scenario).CheckReads();
}

void
ReadTimeout(const OptionTable& table, FabricScenario& scenario)
{
    TransportOptions(table, scenario).ReadTimeout();
}

} // namespace aifabric
} // namespace ns3
