/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIMULATED_FABRIC_H
#define SIMULATED_FABRIC_H

#include "fabric-scenario.h"
#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/ack-bypass.h"
#include "ns3/ack-policy.h"
#include "ns3/boolean.h"
#include "ns3/clos-helper.h"
#include "ns3/config.h"
#include "ns3/congestion-control.h"
#include "ns3/csv-writer.h"
#include "ns3/data-rate.h"
#include "ns3/dispose-of.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/ev-denylist.h"
#include "ns3/event-log.h"
#include "ns3/fabric-port.h"
#include "ns3/fabric-prober.h"
#include "ns3/fabric.h"
#include "ns3/failure-helper.h"
#include "ns3/flow-list.h"
#include "ns3/frame-codec.h"
#include "ns3/function-callback.h"
#include "ns3/integer.h"
#include "ns3/link-fault.h"
#include "ns3/lower-bound.h"
#include "ns3/nic-bound.h"
#include "ns3/node-fabric.h"
#include "ns3/pointer.h"
#include "ns3/port-catalog.h"
#include "ns3/queue-pair.h"
#include "ns3/route-convergence.h"
#include "ns3/serialization-time.h"
#include "ns3/shared-buffer.h"
#include "ns3/string.h"
#include "ns3/telemetry-stage.h"
#include "ns3/traffic-demand.h"
#include "ns3/traffic-engineer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// A fabric and its parts.
struct FabricParts
{
    Ptr<Fabric> fabric;                       //!< the fabric
    std::vector<Ptr<RoceNetDevice>> nics;     //!< its NICs
    std::vector<Ptr<FabricSwitch>> switches;  //!< its switches
    std::vector<Ptr<FabricChannel>> channels; //!< its channels
};

/// The fabric of a FabricScenario, built with its policies, and what happens to its links.
class SimulatedFabric
{
  public:
    /// Build the fabric.  @param scenario the scenario; must outlive this  @param rho what hosts
    /// send, of the line rate  @throws OptionError if the buffers are too small
    SimulatedFabric(const FabricScenario& scenario, double rho)
        : m_scenario(scenario),
          m_rho(rho)
    {
        Config::SetDefault(FindAttribute(m_scenario.transport, "Mtu"),
                           UintegerValue(m_scenario.mtu));
        Config::SetDefault("ns3::aifabric::FabricNetDevice::Mtu",
                           UintegerValue(m_scenario.deviceMtu));
        Config::SetDefault(FindAttribute(m_scenario.transport, "AckTimeout"),
                           TimeValue(PicoSeconds(m_scenario.ackTimeoutPs)));
        for (const auto& [attribute, value] :
             MakePolicy<QueuePair>(m_scenario.transport)->GetTraits().attributes)
        {
            if (m_scenario.attributes.count(attribute) == 0)
            {
                Config::SetDefault(attribute, StringValue(value));
            }
        }
        SetPortClasses();
        ClosHelper helper;
        Configure(helper);
        m_parts.fabric = helper.Install(*m_scenario.graph);
        m_parts.nics = m_parts.fabric->GetNicList();
        m_parts.switches = m_parts.fabric->GetSwitchList();
        m_parts.channels = m_parts.fabric->GetChannelList();
        // Latencies that are faults do not count in what follows from the round-trip time.
        const Time roundTrip = m_parts.fabric->GetRoundTripTime(m_scenario.mtu);
        SetUsual("ns3::aifabric::LossOracle::RoundTripTime", roundTrip);
        const auto control = MakePolicy<CongestionControl>(m_scenario.rateControl);
        for (const auto& [attribute, value] : control->GetUsualTimes(roundTrip))
        {
            SetUsual(attribute, value);
        }
        for (const auto& [id, latency] : m_scenario.switchLatencies)
        {
            m_parts.switches[id]->SetAttribute("Latency", TimeValue(PicoSeconds(latency)));
        }
        for (uint32_t id = 0; id < m_parts.switches.size(); ++id)
        {
            SetBuffer(*m_parts.switches[id], m_scenario.graph->Switches()[id].tier);
            if (m_scenario.stage)
            {
                m_parts.switches[id]->SetStage(MakePolicy<IngressStage>(*m_scenario.stage));
            }
        }
        m_catalog.emplace(*m_scenario.graph, m_parts.channels);
    }

    /// Give all parts their random streams.
    void AssignStreams() const
    {
        int64_t stream = SWITCH_STREAMS;
        for (const Ptr<FabricSwitch>& fabricSwitch : m_parts.switches)
        {
            fabricSwitch->AssignStreams(stream);
            stream += STREAMS_PER_SWITCH;
        }
        stream = CHANNEL_STREAMS;
        for (const Ptr<FabricChannel>& channel : m_parts.channels)
        {
            stream += channel->AssignStreams(stream);
        }
        stream = NIC_STREAMS;
        for (const Ptr<RoceNetDevice>& nic : m_parts.nics)
        {
            nic->AssignStreams(stream);
            stream += STREAMS_PER_NIC;
        }
    }

    /// Make what happens to links, and have switches learn of it.  @param events who writes it
    /// down; must outlive the simulation
    void InstallFaults(EventLog& events)
    {
        InstallConvergence(events);
        for (const FaultSpec& spec : m_scenario.faults)
        {
            InstallFault(spec, events);
        }
    }

    /// Compute the paths of the job centrally, for switches that have tables for them.
    /// @param demands what hosts send to each other  @param events who writes down new tables; must
    /// outlive the simulation
    void InstallEngineer(const std::vector<TrafficDemand>& demands, EventLog& events)
    {
        m_engineer = CreateObject<TrafficEngineer>();
        m_engineer->Install(*m_scenario.graph,
                            m_parts.switches,
                            m_parts.channels,
                            demands,
                            static_cast<double>(m_scenario.fabricRate) / m_scenario.rate);
        m_engineer->TraceConnectWithoutContext(
            "Programmed",
            FunctionCallback<void, uint32_t, double>([&events](uint32_t changes, double maxLoad) {
                events.WriteGlobal("programmed",
                                   "routing",
                                   "entries=" + std::to_string(changes) +
                                       " load=" + FormatNumber(maxLoad));
            }));
    }

    /// @return who computes paths centrally, or nullptr
    Ptr<const TrafficEngineer> GetEngineer() const
    {
        return m_engineer;
    }

    /// Send probes over all links, if that was asked for. To be called before any NIC has a queue
    /// pair.  @param events who writes down what has failed; must outlive the simulation
    void InstallProber(EventLog& events)
    {
        if (m_scenario.proberPs == 0)
        {
            return;
        }
        m_prober = CreateObject<FabricProber>();
        m_prober->SetAttribute("Interval", TimeValue(PicoSeconds(m_scenario.proberPs)));
        m_prober->TraceConnectWithoutContext(
            "ElementState",
            FunctionCallback<void, const FabricElement&, bool>(
                [this, &events](const FabricElement& element, bool isBad) {
                    events.Write(isBad ? "element_bad" : "element_good",
                                 element.GetName(*m_scenario.graph),
                                 std::string("kind=") + element.GetKindName() +
                                     " plane=" + std::to_string(element.plane));
                }));
        m_prober->Install(*m_scenario.graph, m_parts.nics, m_parts.switches);
    }

    /// Deny the entropy values that cross links of the denylist, if there is one.
    void InstallDenylist()
    {
        if (m_scenario.denied.empty())
        {
            return;
        }
        m_denylist = std::make_unique<EvDenylist>(*m_scenario.graph, m_parts.nics);
        std::set<FabricElement> elements;
        for (const uint32_t link : m_scenario.denied)
        {
            elements.insert({FabricElement::LINK, link, 0});
        }
        m_denylist->SetBad(elements);
    }

    /// @return who sends probes over all links, or nullptr
    Ptr<const FabricProber> GetProber() const
    {
        return m_prober;
    }

    /// Carry acknowledgements past the fabric, if that was asked for.
    void InstallBypass()
    {
        if (m_scenario.acksInFabric)
        {
            return;
        }
        const auto queuePair = MakePolicy<QueuePair>(m_scenario.transport);
        const Time serialization =
            SerializationTime(DataRate(m_scenario.rate), queuePair->GetAckBytes(*m_parts.nics[0]));
        m_bypass = CreateObject<AckBypass>();
        m_bypass->SetAttribute("HopTime",
                               TimeValue(PicoSeconds(m_scenario.delayPs) + serialization));
        m_bypass->SetAttribute("SwitchTime", TimeValue(m_parts.switches[0]->GetLatency()));
        m_bypass->Install(*m_scenario.graph, m_parts.nics);
    }

    /// Have all nodes and their policies refuse what they refuse.
    void InitializeNodes() const
    {
        for (const NodeContainer& nodes :
             {m_parts.fabric->GetHosts(), m_parts.fabric->GetSwitchNodes()})
        {
            std::for_each(nodes.Begin(), nodes.End(), [](const Ptr<Node>& node) {
                node->Initialize(); // what policies refuse, they refuse now
            });
        }
    }

    /// Take it down; only GetCatalog() is left.
    void Dispose()
    {
        m_faults.clear();
        m_denylist = nullptr;
        m_convergence = nullptr;
        DisposeOf(m_engineer);
        DisposeOf(m_prober);
        DisposeOf(m_bypass);
        if (m_parts.fabric)
        {
            m_parts.fabric->Dispose();
        }
        m_parts = {};
    }

    /// @return the fabric and its parts
    const FabricParts& GetParts() const
    {
        return m_parts;
    }

    const PortCatalog& GetCatalog() const
    {
        return *m_catalog;
    }

    /// @return what happens to links, in the order of the scenario; there after InstallFaults()
    const std::vector<Ptr<LinkFault>>& GetFaults() const
    {
        return m_faults;
    }

    /// @return what announces failures to switches; there after InstallFaults()
    const RouteConvergence& GetConvergence() const
    {
        return *m_convergence;
    }

    /// @return what the bounds know of links, frames and NICs
    BoundParameters GetBoundParameters() const
    {
        const auto queuePair =
            MakePolicy<QueuePair>(m_scenario.transport); // all have its attributes
        BoundParameters parameters;
        SetNicBound(*m_parts.nics[0], *queuePair, parameters);
        parameters.linkRate = m_scenario.rate;
        parameters.fabricRate = m_scenario.fabricRate;
        parameters.linkDelayPs = m_scenario.delayPs;
        parameters.switchLatencyPs = GetLeastLatency().GetPicoSeconds();
        parameters.packetsPerAck = MakePolicy<AckPolicy>(m_scenario.ackPolicy)->IsEach() ? 1 : 0;
        parameters.acksInFabric = m_scenario.acksInFabric;
        parameters.acksOvertake =
            queuePair->GetTraits().sendsReports && m_scenario.graph->Planes() > 1;
        parameters.rateFactor = m_rho;
        parameters.speeds = FindSpeeds();
        if (m_scenario.nodes.GetGpus() > 1)
        {
            const auto nodeFabric = CreateObject<NodeFabric>(); // all have its attributes
            parameters.nodeRate = nodeFabric->GetRate();
            parameters.nodeLatencyPs = nodeFabric->GetLatencyPs();
        }
        return parameters;
    }

  private:
    // Random streams, by what they are for.
    static constexpr int64_t SWITCH_STREAMS = int64_t{1} << 32;
    static constexpr int64_t STREAMS_PER_SWITCH = 1 << 8;
    static constexpr int64_t CHANNEL_STREAMS = int64_t{1} << 40;
    static constexpr int64_t NIC_STREAMS = int64_t{1} << 48;
    static constexpr int64_t STREAMS_PER_NIC = 1 << 16;

    /// @return what faults leave for good of the rates of links, as BoundParameters has it
    std::shared_ptr<const std::vector<double>> FindSpeeds() const
    {
        std::vector<double> speeds(2 * m_scenario.graph->Links().size(), 1);
        bool isAny = false;
        for (const FaultSpec& fault : m_scenario.faults)
        {
            // With --rho=max the rate of the hosts takes cuts into account.
            if (fault.IsInSpeed() && (!fault.down || m_scenario.rho))
            {
                speeds[2 * fault.link] *= fault.GetSpeed(LinkFault::UP);
                speeds[2 * fault.link + 1] *= fault.GetSpeed(LinkFault::DOWN);
                isAny = true;
            }
        }
        return isAny ? std::make_shared<const std::vector<double>>(std::move(speeds)) : nullptr;
    }

    static ObjectFactory FactoryOf(TypeId type)
    {
        return ObjectFactory(type.GetName());
    }

    /// Refuse a headroom with which a lossless class may lose frames.
    static void CheckHeadroom(const FabricSwitch& fabricSwitch, const SharedBuffer& buffer)
    {
        uint64_t needed = 0;
        for (std::size_t i = 0; i < fabricSwitch.GetPortCount(); ++i)
        {
            needed =
                std::max(needed, buffer.GetNeededHeadroom(fabricSwitch, *fabricSwitch.GetPort(i)));
        }
        const uint64_t given = buffer.GetSetHeadroom();
        OptionError::ThrowIf(
            buffer.GetLosslessClasses() && given && given < needed,
            "ns3::aifabric::SharedBuffer::HeadroomBytes",
            std::to_string(given),
            "at least " + std::to_string(needed) +
                " bytes, which the links and the ResponseTime need, or 0: computed");
    }

    /// @return what is wrong with a link  @param spec the fault
    static std::string DescribeFault(const FaultSpec& spec)
    {
        const std::string what =
            spec.down              ? "cut"
            : spec.queueFactor < 1 ? "degraded=" + FormatNumber(spec.queueFactor)
            : spec.rateFactor < 1  ? "factor=" + FormatNumber(spec.rateFactor)
                                   : "probability=" + FormatNumber(spec.lossProbability);
        const std::string burst =
            spec.lossBurst > 0 ? " burst=" + FormatNumber(spec.lossBurst) : "";
        const std::string frames = spec.lossFrames == FrameLoss::DATA      ? " frames=data"
                                   : spec.lossFrames == FrameLoss::CONTROL ? " frames=control"
                                                                           : "";
        const std::string dscp =
            spec.lossDscp == FrameLoss::ANY_DSCP ? "" : " dscp=" + std::to_string(spec.lossDscp);
        return what + burst + frames + dscp +
               (spec.direction == LinkFault::UP     ? " direction=up"
                : spec.direction == LinkFault::DOWN ? " direction=down"
                                                    : "");
    }

    /// Say how NICs, ports and switches are made.  @param helper makes them
    void Configure(ClosHelper& helper) const
    {
        helper.SetPortAttribute("DataRate", DataRateValue(DataRate(m_scenario.rate)));
        if (m_scenario.fabricRate != m_scenario.rate)
        {
            helper.SetFabricRate(DataRate(m_scenario.fabricRate));
        }
        helper.SetChannelAttribute("Delay", TimeValue(PicoSeconds(m_scenario.delayPs)));
        helper.SetNicAttribute("QueuePairType", TypeIdValue(m_scenario.transport));
        helper.SetNicAttribute("RecoveryType", TypeIdValue(m_scenario.recovery));
        helper.SetNicAttribute("IpVersion", StringValue(m_scenario.ipv6 ? "6" : "4"));
        helper.SetNicAttribute("AckPolicyType", TypeIdValue(m_scenario.ackPolicy));
        helper.SetNicAttribute("SchedulerType", TypeIdValue(m_scenario.sendOrder));
        helper.SetNicAttribute("ControlType", TypeIdValue(m_scenario.rateControl));
        helper.SetNicAttribute("DataRateFraction", DoubleValue(m_rho));
        helper.SetBalancerType(m_scenario.balancer);
        helper.SetForwarder(FactoryOf(m_scenario.forwarding));
        if (m_scenario.upgrade)
        {
            helper.SetUpgrade(m_scenario.upgraded, FactoryOf(*m_scenario.upgrade));
        }
        if (m_scenario.plan)
        {
            helper.SetRankPlan(*m_scenario.plan);
        }
        helper.SetAdmission(FactoryOf(m_scenario.admission));
        if (m_scenario.telemetry)
        {
            helper.SetEgressStage(FactoryOf(TelemetryStage::GetTypeId()));
        }
        if (m_scenario.marker)
        {
            ObjectFactory marker = FactoryOf(*m_scenario.marker);
            if (m_scenario.markingThreshold)
            {
                marker.Set("Threshold", UintegerValue(*m_scenario.markingThreshold));
            }
            helper.SetMarker(marker);
        }
    }

    /// @return the least latency of a switch
    Time GetLeastLatency() const
    {
        Time least = m_parts.switches[0]->GetLatency();
        for (const Ptr<FabricSwitch>& fabricSwitch : m_parts.switches)
        {
            least = Min(least, fabricSwitch->GetLatency());
        }
        return least;
    }

    void SetBuffer(const FabricSwitch& fabricSwitch, uint8_t tier) const
    {
        const bool isAbove = tier > m_scenario.graph->LeafTier();
        const uint64_t bytes = isAbove ? m_scenario.spineBufferBytes : m_scenario.bufferBytes;
        const bool isOther = isAbove && m_scenario.spineBufferBytes != m_scenario.bufferBytes;
        const Ptr<BufferAdmission> admission = fabricSwitch.GetAdmission();
        const uint64_t ports = fabricSwitch.GetPortCount();
        // A buffer is either shared by the ports or divided among them.
        if (!admission->SetAttributeFailSafe("BufferBytes", UintegerValue(bytes * ports)))
        {
            admission->SetAttributeFailSafe("PortBytes", UintegerValue(bytes));
        }
        const uint64_t least = admission->GetLeastBytes(fabricSwitch);
        OptionError::ThrowIf(least > bytes * ports,
                             isOther ? "spineBuffer" : "buffer",
                             std::to_string(bytes),
                             "at least " + std::to_string((least + ports - 1) / ports) +
                                 " bytes a port with these lossless classes");
        if (const auto shared = DynamicCast<SharedBuffer>(admission))
        {
            CheckHeadroom(fabricSwitch, *shared);
        }
    }

    /// Give ports a queue for each class that messages name, unless the user says which have one.
    void SetPortClasses() const
    {
        const std::string attribute = "ns3::aifabric::FabricPort::Classes";
        const uint8_t classes = FindFlowClasses(m_scenario);
        if (classes > 0 && m_scenario.attributes.count(attribute) == 0)
        {
            Config::SetDefault(attribute, UintegerValue(FabricPort::USUAL_CLASSES | classes));
        }
    }

    /// Give an attribute the default that this fabric suggests, unless the user gave one.
    /// @param attribute its full name  @param value the default
    void SetUsual(const std::string& attribute, Time value) const
    {
        if (m_scenario.attributes.count(attribute) == 0)
        {
            Config::SetDefault(attribute, TimeValue(value));
        }
    }

    /// Make what happens to a link.  @param spec what  @param events who writes it down
    void InstallFault(const FaultSpec& spec, EventLog& events)
    {
        Ptr<LinkFault> fault = CreateObject<LinkFault>();
        fault->SetAttribute("Channel", PointerValue(m_parts.channels[spec.link]));
        fault->SetAttribute("Start", TimeValue(PicoSeconds(spec.startPs)));
        fault->SetAttribute("Stop", TimeValue(PicoSeconds(spec.stopPs.value_or(0))));
        fault->SetAttribute("Period", TimeValue(PicoSeconds(spec.periodPs)));
        fault->SetAttribute("Duty", DoubleValue(spec.duty));
        fault->SetAttribute("Count", UintegerValue(spec.count));
        fault->SetAttribute("Down", BooleanValue(spec.down));
        fault->SetAttribute("RateFactor", DoubleValue(spec.rateFactor));
        fault->SetAttribute("QueueFactor", DoubleValue(spec.queueFactor));
        fault->SetAttribute("Direction", EnumValue(spec.direction));
        fault->SetAttribute("LossProbability", DoubleValue(spec.lossProbability));
        fault->SetAttribute("LossBurst", DoubleValue(spec.lossBurst));
        fault->SetAttribute("LossFrames", EnumValue(spec.lossFrames));
        fault->SetAttribute("LossDscp", IntegerValue(spec.lossDscp));
        const std::string link = m_scenario.graph->LinkName(spec.link);
        const std::string what = DescribeFault(spec);
        for (const auto& [trace, event] :
             {std::make_pair("Begin", "fault_begin"), std::make_pair("End", "fault_end")})
        {
            fault->TraceConnectWithoutContext(
                trace,
                FunctionCallback<void, Ptr<const LinkFault>>(
                    [&events, name = std::string(event), link, what](Ptr<const LinkFault>) {
                        events.WriteGlobal(name, link, what);
                    }));
        }
        fault->Initialize();
        m_faults.push_back(fault);
    }

    /// Have switches learn of failures.  @param events who writes it down
    void InstallConvergence(EventLog& events)
    {
        const auto delay = [](const std::optional<int64_t>& ps) {
            return ps ? PicoSeconds(*ps) : Time::Max();
        };
        for (const Ptr<FabricSwitch>& fabricSwitch : m_parts.switches)
        {
            fabricSwitch->SetAttribute("DetectionDelay", TimeValue(delay(m_scenario.detectionPs)));
        }
        m_convergence =
            FailureHelper::InstallConvergence(*m_parts.fabric, delay(m_scenario.convergencePs));
        m_convergence->TraceConnectWithoutContext(
            "Converged",
            FunctionCallback<void, uint32_t, uint32_t>(
                [&events](uint32_t links, uint32_t switches) {
                    events.WriteGlobal("converged",
                                       "routing",
                                       "links=" + std::to_string(links) +
                                           " switches=" + std::to_string(switches));
                }));
    }

    const FabricScenario& m_scenario;       //!< the scenario
    double m_rho;                           //!< what hosts send, of the line rate
    FabricParts m_parts;                    //!< the fabric
    std::optional<PortCatalog> m_catalog;   //!< its ports
    Ptr<AckBypass> m_bypass;                //!< carries acknowledgements, or null
    std::vector<Ptr<LinkFault>> m_faults;   //!< what happens to links
    Ptr<FabricProber> m_prober;             //!< sends probes over all links, or null
    std::unique_ptr<EvDenylist> m_denylist; //!< denies entropy values, or null
    Ptr<RouteConvergence> m_convergence;    //!< announces link states to switches
    Ptr<TrafficEngineer> m_engineer;        //!< computes paths centrally, or null
};

} // namespace aifabric
} // namespace ns3

#endif /* SIMULATED_FABRIC_H */
