/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/ack-policy.h"
#include "ns3/boolean.h"
#include "ns3/buffer-admission.h"
#include "ns3/cnp-listener.h"
#include "ns3/config.h"
#include "ns3/congestion-control.h"
#include "ns3/csv-writer.h"
#include "ns3/double.h"
#include "ns3/dscp-table.h"
#include "ns3/dwrr-egress-scheduler.h"
#include "ns3/fabric-checker.h"
#include "ns3/fabric-port.h"
#include "ns3/flow-list.h"
#include "ns3/frame-codec.h"
#include "ns3/host-balancer.h"
#include "ns3/loss-recovery.h"
#include "ns3/message-steering.h"
#include "ns3/mrc-queue-pair.h"
#include "ns3/nstime.h"
#include "ns3/policy-misfit.h"
#include "ns3/queue-pair.h"
#include "ns3/random-variable-stream.h"
#include "ns3/red-marker.h"
#include "ns3/shared-buffer.h"
#include "ns3/single-steering.h"
#include "ns3/source-routed-steering.h"
#include "ns3/step-marker.h"
#include "ns3/switch-balancer.h"
#include "ns3/switch-draw.h"
#include "ns3/switch-forwarder.h"
#include "ns3/traffic-engineer.h"
#include "ns3/trimming-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
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

/// The options of the policies of hosts and switches.
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

/// Reads the policies: who spreads the traffic, how fast it is sent, how losses are repaired, and
/// what switches do with full queues. What a policy needs, and which defaults it derives from the
/// fabric, the policy itself says.
class TransportOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    void ReadPolicies()
    {
        ReadTransport();
        m_scenario.sendOrder = ReadPolicy("sendOrder");
        m_scenario.admission = ReadUsual("admission", FindUsualAdmission(m_scenario.transport));
        DeriveTrimming();
        CheckBuffer();
        CheckRecovery();
        CheckTrimming();
        CheckTrimmedClasses();
        CheckLastHop();
        CheckEgressScheduler();
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
        ReadMarker();
        const std::optional<MarkingLaw> law = FindMarkingLaw();
        RefuseIf(!m_scenario.marker && law && law->isOnlySignal,
                 "marker",
                 "auto, red or step with --rateControl=" +
                     Registry("rateControl").NameOf(m_scenario.rateControl) +
                     ", which slows down only by marks");
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
                m_scenario.aggregation.has_value(),
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
    }

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

    /// @return a queue pair with the policies of the scenario  @param type its type, such as
    /// RcQueuePair
    Ptr<QueuePair> MakeQueuePair(TypeId type) const
    {
        const Ptr<QueuePair> queuePair = MakePolicy<QueuePair>(type);
        queuePair->SetRecovery(MakePolicy<LossRecovery>(m_scenario.recovery));
        queuePair->SetAckPolicy(MakePolicy<AckPolicy>(m_scenario.ackPolicy));
        queuePair->SetControl(MakePolicy<CongestionControl>(m_scenario.rateControl));
        if (m_scenario.balancer.IsChildOf(HostBalancer::GetTypeId()))
        {
            queuePair->SetBalancer(MakePolicy<HostBalancer>(m_scenario.balancer));
        }
        return queuePair;
    }

    /// @return the policy of an option
    /// @param usual the policy, if the option is not set; none: the option's default
    TypeId ReadUsual(const std::string& option, const std::optional<TypeId>& usual)
    {
        if (!usual || m_table.At(option).IsSet())
        {
            return ReadPolicy(option);
        }
        m_scenario.options[option] = Registry(option).NameOf(*usual);
        return *usual;
    }

    /// Have switches trim at the queues of the transport, if it expects trimming and the buffer is
    /// not given.
    void DeriveTrimming()
    {
        constexpr double LAST_HOP = 1.5; // bandwidth-delay products, as Ultra Ethernet has it
        for (const char* derived : {"trimmingThreshold", "trimmingLastHop", "trimmingSource"})
        {
            m_scenario.options[derived] = nullptr;
        }
        if (m_table.At("buffer").IsSet() || m_scenario.admission != TrimmingBuffer::GetTypeId() ||
            m_scenario.admission != FindUsualAdmission(m_scenario.transport))
        {
            return;
        }
        const uint64_t product = GetFacts().GetPortBdp();
        const uint64_t lastHop = std::llround(LAST_HOP * static_cast<double>(product));
        SetDefault("ns3::aifabric::TrimmingBuffer::LastHopBytes", UintegerValue(lastHop));
        SetDefault("ns3::aifabric::TrimmingBuffer::OtherBytes", UintegerValue(product));
        m_scenario.bufferBytes = product;
        m_scenario.options["buffer"] = product;
        if (!IsSet("spineBuffer"))
        {
            m_scenario.spineBufferBytes = product;
            m_scenario.options["spineBuffer"] = product;
        }
        m_scenario.options["trimmingThreshold"] = product;
        m_scenario.options["trimmingLastHop"] =
            FindDefault<UintegerValue>(m_scenario.admission, "LastHopBytes").value();
        m_scenario.options["trimmingSource"] =
            "1 and " + FormatNumber(LAST_HOP) +
            " bandwidth-delay products of a port, for --transport=" +
            Registry("transport").NameOf(m_scenario.transport);
    }

    /// Set the default of an attribute, unless the user has given a value.
    void SetDefault(const std::string& attribute, const AttributeValue& value)
    {
        if (!IsAttributeGiven(attribute))
        {
            Config::SetDefault(attribute, value);
        }
    }

    /// @return what policies may know of the fabric
    FabricFacts GetFacts() const
    {
        FabricFacts facts;
        facts.portRate = DataRate(m_scenario.rate);
        facts.mtu = m_scenario.mtu;
        facts.planes = m_scenario.graph->Planes();
        facts.baseRtt = PicoSeconds(std::llround(GetRoundTripPs(GetLatencyPs())));
        return facts;
    }

    /// Refuse buffers that are too large to be counted.
    void CheckBuffer() const
    {
        TypeId::AttributeInformation shared;
        if (!m_scenario.admission.LookupAttributeByName("BufferBytes", &shared))
        {
            return;
        }
        for (const FabricSwitchSpec& spec : m_scenario.graph->Switches())
        {
            const bool isOther = spec.tier > 0 && IsSet("spineBuffer");
            const uint64_t bytes =
                spec.tier > 0 ? m_scenario.spineBufferBytes : m_scenario.bufferBytes;
            RefuseIf(bytes * spec.portCount > std::numeric_limits<uint32_t>::max(),
                     isOther ? "spineBuffer" : "buffer",
                     "for all " + std::to_string(spec.portCount) +
                         " ports of a switch together less than 4 GiB");
        }
    }

    /// Refuse a recovery that needs what the fabric does not give.
    void CheckRecovery() const
    {
        const PolicyMisfit::Fabric fabric{
            CreateObject<DscpTable>(),
            MakePolicy<BufferAdmission>(m_scenario.admission)->Trims(),
            m_scenario.acksInFabric};
        for (const PolicyMisfit& misfit :
             PolicyMisfit::Find(*MakeQueuePair(m_scenario.transport), fabric))
        {
            Refuse("recovery", misfit.why);
        }
    }

    /// Refuse senders that never wait where switches trim, and attributes of trimming where
    /// switches do not trim.
    void CheckTrimming() const
    {
        const bool trims = MakePolicy<BufferAdmission>(m_scenario.admission)->Trims();
        if (!trims && m_scenario.admission == SharedBuffer::GetTypeId())
        {
            RefuseAttributes(m_scenario.admission.GetName(),
                             {"TrimmingBytes", "TrimmedBytes", "TrimmedDscp", "LastHopDscp"},
                             "only with a trimming class "
                             "(--ns3::aifabric::SharedBuffer::TrimmingClasses=8)");
        }
        const std::string retransmissions = "ns3::aifabric::TrimmingBuffer::RetransmissionBytes";
        if (IsAttributeGiven(retransmissions))
        {
            const uint64_t least =
                FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, m_scenario.mtu, m_scenario.ipv6) +
                m_scenario.outerBytes;
            const uint64_t bytes =
                FindDefault<UintegerValue>(TrimmingBuffer::GetTypeId(), "RetransmissionBytes")
                    .value();
            OptionError::ThrowIf(bytes > 0 && bytes < least,
                                 retransmissions,
                                 m_scenario.attributes.at(retransmissions),
                                 "0, or room for a packet, which has " + std::to_string(least) +
                                     " bytes: a smaller queue trims all retransmissions");
        }
    }

    /// Refuse a queue pair that reads trimmed packets if switches do not trim the class of its
    /// data.
    void CheckTrimmedClasses() const
    {
        const auto queuePair = MakePolicy<QueuePair>(m_scenario.transport);
        const auto buffer = MakePolicy<BufferAdmission>(m_scenario.admission);
        const bool isShared = m_scenario.admission == SharedBuffer::GetTypeId();
        const std::string name = isShared ? "TrimmingClasses" : "Classes";
        UintegerValue lastHop; // a transport that has it reads trimmed packets
        UintegerValue classes;
        if (!buffer->Trims() || !queuePair->GetAttributeFailSafe("LastHopDscp", lastHop) ||
            !buffer->GetAttributeFailSafe(name, classes))
        {
            return;
        }
        UintegerValue dscp;
        queuePair->GetAttribute("Dscp", dscp);
        const uint8_t data = CreateObject<DscpTable>()->GetClass(dscp.Get());
        const std::string attribute = FindAttribute(m_scenario.admission, name);
        const uint64_t trimmed = FindUsual(*queuePair, attribute, classes.Get());
        const bool isHere = IsAttributeGiven(attribute);
        const std::string other = FindAttribute(m_scenario.transport, "Dscp");
        const std::string bit =
            std::to_string(1U << data) + " (class " + std::to_string(data) + ")";
        OptionError::ThrowIf(!(trimmed >> data & 1),
                             isHere ? attribute : other,
                             std::to_string(isHere ? trimmed : dscp.Get()),
                             isHere ? "a sum that contains " + bit + ", for " + other
                                    : "no data is trimmed unless " + attribute + ", which is " +
                                          std::to_string(trimmed) + ", contains " + bit);
    }

    /// @return the value of an attribute for a transport  @param queuePair of that transport
    /// @param attribute its name  @param given the value unless the transport has a usual one
    uint64_t FindUsual(const QueuePair& queuePair,
                       const std::string& attribute,
                       uint64_t given) const
    {
        for (const auto& [name, value] : queuePair.GetTraits().attributes)
        {
            if (name == attribute && !IsAttributeGiven(attribute))
            {
                return std::stoul(value);
            }
        }
        return given;
    }

    /// Refuse a queue pair that expects another DSCP of packets that the last switch has trimmed.
    void CheckLastHop() const
    {
        const std::string name = "LastHopDscp";
        const auto queuePair = MakePolicy<QueuePair>(m_scenario.transport);
        const auto buffer = MakePolicy<BufferAdmission>(m_scenario.admission);
        UintegerValue expected;
        UintegerValue marked;
        if (!buffer->Trims() || !queuePair->GetAttributeFailSafe(name, expected) ||
            !buffer->GetAttributeFailSafe(name, marked))
        {
            return;
        }
        const std::string there = FindAttribute(m_scenario.admission, name);
        const uint64_t dscp = FindUsual(*queuePair, there, marked.Get());
        const std::string here = FindAttribute(m_scenario.transport, name);
        const bool isHere = IsAttributeGiven(here);
        OptionError::ThrowIf(expected.Get() != dscp,
                             isHere ? here : there,
                             std::to_string(isHere ? expected.Get() : dscp),
                             "equal to " +
                                 (isHere ? there + ", which is " + std::to_string(dscp)
                                         : here + ", which is " + std::to_string(expected.Get())));
    }

    /// Refuse attributes of an egress scheduler that ports do not have.
    void CheckEgressScheduler() const
    {
        const std::string option = "EgressSchedulerType";
        const TypeId port = FabricPort::GetTypeId();
        const TypeId dwrr = DwrrEgressScheduler::GetTypeId();
        const TypeId scheduler = FindDefault<TypeIdValue>(port, option).value();
        if (scheduler != dwrr && !scheduler.IsChildOf(dwrr))
        {
            RefuseAttributes(dwrr.GetName(),
                             "only with --" + port.GetName() + "::" + option + "=" +
                                 dwrr.GetName());
        }
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

    /// Read who marks congestion.
    void ReadMarker()
    {
        const std::string& marker = m_table.Get("marker");
        m_scenario.options["marker"] = marker;
        for (const char* derived : {"markingThreshold", "markingCeiling", "markingSource"})
        {
            m_scenario.options[derived] = nullptr;
        }
        if (marker == AUTO)
        {
            DeriveMarker();
            const auto type = m_scenario.marker;
            m_scenario.options["marker"] = type ? Registry("marker").NameOf(*type) : NONE;
        }
        else if (marker != NONE)
        {
            m_scenario.marker = ReadPolicy("marker");
        }
    }

    /// Have switches mark as the balancer or the congestion control needs it, if one does.
    void DeriveMarker()
    {
        const TypeId balancer = m_scenario.balancer;
        const double share = balancer.IsChildOf(HostBalancer::GetTypeId())
                                 ? MakePolicy<HostBalancer>(balancer)->GetMarkingShare()
                                 : 0;
        const std::optional<MarkingLaw> law = FindMarkingLaw();
        // Where switches trim as the transport has it, they mark as its congestion control has it.
        const bool isLaws = m_scenario.options["trimmingSource"].is_string() && law &&
                            !IsAttributeGiven(FindAttribute(balancer, "MarkingShare"));
        if (share > 0 && !isLaws)
        {
            m_scenario.marker = StepMarker::GetTypeId();
            if (!IsAttributeGiven(m_scenario.marker->GetName() + "::Threshold"))
            {
                m_scenario.markingThreshold = std::lround(share * m_scenario.bufferBytes);
                m_scenario.options["markingThreshold"] = *m_scenario.markingThreshold;
                m_scenario.options["markingSource"] = FormatNumber(share) +
                                                      " of the buffer of a port, for --balancer=" +
                                                      Registry("balancer").NameOf(balancer);
            }
        }
        else if (law)
        {
            Apply(*law);
        }
    }

    /// @return how switches have to mark for the congestion control; none: it needs no marks
    std::optional<MarkingLaw> FindMarkingLaw() const
    {
        constexpr double LONGEST = 0.8; // share of a buffer
        auto law = MakePolicy<CongestionControl>(m_scenario.rateControl)->GetMarkingLaw(GetFacts());
        if (law)
        {
            const uint64_t buffer = std::min(m_scenario.bufferBytes, m_scenario.spineBufferBytes);
            law->LimitTo(LONGEST * static_cast<double>(buffer));
        }
        return law;
    }

    /// Have switches mark as the congestion control needs it.  @param law how
    void Apply(const MarkingLaw& law)
    {
        const bool isStep = law.least == law.most;
        const TypeId marker = isStep ? StepMarker::GetTypeId() : RedMarker::GetTypeId();
        m_scenario.marker = marker;
        const auto least = static_cast<uint32_t>(std::llround(law.least));
        const auto most = static_cast<uint32_t>(std::llround(law.most));
        SetDefault(marker.GetName() + (isStep ? "::Threshold" : "::KMin"), UintegerValue(least));
        if (!isStep)
        {
            SetDefault(marker.GetName() + "::KMax", UintegerValue(most));
            SetDefault(marker.GetName() + "::PMax", DoubleValue(law.share));
        }
        if (!law.atLastHop)
        {
            SetDefault("ns3::aifabric::EcnMarker::AtLastHop", BooleanValue(false));
        }
        m_scenario.options["markingThreshold"] =
            FindDefault<UintegerValue>(marker, isStep ? "Threshold" : "KMin").value();
        m_scenario.options["markingCeiling"] =
            FindDefault<UintegerValue>(marker, isStep ? "Threshold" : "KMax").value();
        m_scenario.options["markingSource"] =
            std::string(law.source) +
            ", for --rateControl=" + Registry("rateControl").NameOf(m_scenario.rateControl);
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
    TransportOptions(table, scenario).ReadPolicies();
}

void
ReadTimeout(const OptionTable& table, FabricScenario& scenario)
{
    TransportOptions(table, scenario).ReadTimeout();
}

} // namespace aifabric
} // namespace ns3
