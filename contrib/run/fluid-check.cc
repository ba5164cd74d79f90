/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-section.h"
#include "option-sections.h"

#include "ns3/single-steering.h"
#include "ns3/way-counter.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* ONLY_COLLECTIVES =
    "only collectives (an all-to-all is one with --algorithm=direct) and training iterations were "
    "compared with packets";

/// Flows that do not wait for each other.
const std::vector<std::string> FLOWS = {"permutation", "tornado", "all-to-all", "incast"};

/// Refuses what --fidelity=fluid does not compute.
class FluidCheck : public FluidSection
{
  public:
    using FluidSection::FluidSection;

    /// Refuse a scenario that cannot be computed, or was not compared with packets.
    void Check()
    {
        DenyIf(!m_scenario.switchLatencies.empty(), "switchLatency", "latencies must be equal");
        DenyIf(m_scenario.plan.has_value(), "ranks", "it runs on one rank");
        CheckTraffic();
        CheckPolicies();
        CheckFailures();
        CheckObservers();
        CheckAttributes();
    }

  private:
    /// Refuse traffic that may lose packets, or that was not compared.
    void CheckTraffic() const
    {
        DenyIf(m_scenario.aggregation.has_value(), "algorithm", "switches do not add up");
        if (m_isHashed && !m_scenario.training)
        {
            DoubtUnless("workload", m_scenario.workload, FLOWS);
        }
        DoubtIf(!m_isHashed && !m_scenario.training, "workload", ONLY_COLLECTIVES);
        for (const std::string& name : PROGRAM_FILES)
        {
            const bool isKnown = name == "training" || name == "cluster";
            DoubtIf(!isKnown && !IsNone(name), name, ONLY_COLLECTIVES);
        }
        DoubtIf(!m_isHashed && !IsPacked(), "placement", "ranks are packed");
        DoubtIf(!m_isHashed && std::any_of(m_scenario.jobs.begin(),
                                           m_scenario.jobs.end(),
                                           [](const ClusterJob& job) {
                                               return job.placement != JobPlacement::PACKED;
                                           }),
                "cluster",
                "jobs that are sprayed are packed");
        DoubtIf(IsGiven("communicators"), "communicators", "there is one communicator");
        DenyIf(IsSet("protocol") && m_table.Get("protocol") != NONE,
               "protocol",
               "messages cost their bytes only");
        DoubtIf(!IsNone("background"), "background", "there are no flows beside collectives");
        DenyIf(m_scenario.receiverSlots > 0, "receiverAdmission", "receivers do not admit");
        DenyIf(m_scenario.job.EndsIterations(), "onFailure", "no queue pair fails");
        DenyIf(!m_scenario.acksInFabric, "acks", "acknowledgements cross the fabric");
    }

    /// Refuse policies whose decisions it does not know.
    void CheckPolicies() const
    {
        if (IsSet("rateControl")) // which chooses the others; else they choose it
        {
            DenyUnless("rateControl", m_scenario.rateControl, "fixed");
        }
        DenyUnless("transport", m_scenario.transport, "rc");
        DenyUnless("rateControl", m_scenario.rateControl, "fixed");
        DenyUnless("recovery", m_scenario.recovery, "oracle");
        DenyUnless("ackPolicy", m_scenario.ackPolicy, "per-packet");
        const std::string steering = Registry("steering").NameOf(m_scenario.steering);
        const std::vector<std::string> known = {"single", "split", "ethereal"};
        DoubtUnless("steering", steering, known);
        DenyIf(steering == "ethereal-v1", "steering", "no queue pair knows what it has sent");
        DenyIf(!m_isHashed && m_scenario.steering != SingleSteering::GetTypeId(),
               "steering",
               "single where messages are sprayed");
        DenyUnless("sendOrder", m_scenario.sendOrder, "round-robin");
        DenyUnless("forwarding", m_scenario.forwarding, "clos");
        DenyUnless("admission", m_scenario.admission, "port");
        DenyIf(m_scenario.stage.has_value(), "stage", "switches only forward");
        DenyIf(m_scenario.upgrade.has_value(), "upgrade", "all switches have one balancer");
        DenyIf(m_scenario.ordered > 0, "ordered", "all messages are spread");
        DenyIf(m_scenario.rho != 1, "rho", "hosts send at line rate");
    }

    /// Refuse failures and pauses.
    void CheckFailures() const
    {
        const std::string fail = IsNone("fail") ? "failRate" : "fail";
        bool isCut = false;
        std::set<uint32_t> cuts;
        for (const FaultSpec& fault : m_scenario.faults)
        {
            const bool isSlow = !fault.down && fault.rateFactor < 1 && fault.queueFactor == 1;
            DenyIf(!isSlow && !fault.down, fail, "links are cut or slow (*)");
            constexpr double LEAST = 0.01; // below it, sums of bytes lose the last picosecond
            DenyIf(isSlow && fault.rateFactor < LEAST, fail, "at least 1 % of a rate is left");
            const bool isHost = m_scenario.graph->Links()[fault.link].a.isHost;
            DoubtIf(isHost && !fault.down, fail, "links of hosts are not slow");
            DenyIf(fault.down && isHost && !fault.Lasts(),
                   fail,
                   "links of hosts are cut from 0ns on for good");
            const bool isCutLater = fault.down && !fault.Lasts();
            DenyIf(isCutLater && fault.periodPs > 0, fail, "what flaps is slow (*), not cut");
            DenyIf(isCutLater && !cuts.insert(fault.link).second, fail, "each link is cut once");
            isCut = isCut || fault.down;
        }
        DenyIf(isCut && m_scenario.convergencePs != 0,
               "convergence",
               "with links that are cut it is 0ns, so that no packet is lost");
        CheckWays();
        DenyIf(!m_scenario.storms.empty(), "pauseStorm", "nothing is paused");
        DenyIf(!m_scenario.denied.empty(), "denylist", "all paths are used");
    }

    /// Refuse cuts that leave hosts without a way: in the run at any time, if all paths are used;
    /// for good, in a plane that a hash may choose, if one is.
    void CheckWays() const
    {
        const uint16_t planes = m_isHashed ? m_scenario.graph->Planes() : 1;
        for (uint16_t plane = 0; plane < planes && m_isHashed; ++plane)
        {
            CheckWay(m_scenario.alive, plane);
        }
        for (const FaultSpec& fault : m_scenario.faults)
        {
            for (uint16_t plane = 0; plane < planes && !fault.Lasts(); ++plane)
            {
                CheckWay(GetAlive(fault.startPs), plane);
            }
        }
    }

    /// Refuse cuts after which two hosts have no way.  @param alive links that are not cut then
    /// @param plane where, if paths are hashed
    void CheckWay(const std::vector<bool>& alive, uint16_t plane) const
    {
        if (const std::optional<HostPair> cut = FindCut(alive, plane))
        {
            Deny(IsNone("fail") ? "failRate" : "fail",
                 "cuts must leave each host a way to all others" +
                     std::string(m_isHashed && m_scenario.graph->Planes() > 1
                                     ? " in each plane, as a hash chooses it"
                                     : "") +
                     "; host-" + std::to_string(cut->first) + " has none to host-" +
                     std::to_string(cut->second));
        }
    }

    /// @return the links that are not cut at a time, or, if paths are hashed, in the end
    std::vector<bool> GetAlive(int64_t ps) const
    {
        std::vector<bool> alive = m_scenario.alive;
        for (const FaultSpec& fault : m_scenario.faults)
        {
            const bool isThen = fault.startPs <= ps && (!fault.stopPs || *fault.stopPs > ps);
            const bool isThere = m_isHashed ? !fault.stopPs : isThen;
            alive[fault.link] = alive[fault.link] && !(fault.down && isThere);
        }
        return alive;
    }

    /// @return two hosts without a way  @param alive links that are not cut  @param plane where, if
    /// paths are hashed
    std::optional<HostPair> FindCut(std::vector<bool> alive, uint16_t plane) const
    {
        const std::vector<FabricLinkSpec>& links = m_scenario.graph->Links();
        for (std::size_t link = 0; link < links.size(); ++link)
        {
            const bool isOther = links[link].a.isHost && links[link].a.port != plane;
            alive[link] = alive[link] && !(m_isHashed && isOther);
        }
        return FindSeparated(*m_scenario.graph, alive, {});
    }

    /// Refuse to watch packets, and do not watch queues.
    void CheckObservers()
    {
        DenyIf(IsGiven("sample") && m_scenario.samplePs > 0, "sample", "there are no queues");
        m_scenario.samplePs = 0;
        m_scenario.options["sample"] = nullptr;
        for (const char* const name : {"pcap",
                                       "prober",
                                       "planeSeries",
                                       "linkSeries",
                                       "nicCounters",
                                       "nicSeries",
                                       "queuePeaks",
                                       "hopLatency",
                                       "reachability",
                                       "watchdog"})
        {
            DenyIf(IsSet(name) && m_table.Get(name) != "false", name, "there are no packets");
        }
    }

    /// Refuse attributes of what takes no part.
    void CheckAttributes() const
    {
        const std::set<std::string> known = {"ns3::aifabric::FabricSwitch::Latency",
                                             "ns3::aifabric::RoceNetDevice::Latency",
                                             "ns3::aifabric::SplitSteering::QueuePairs"};
        const std::set<std::string> classes = {"ns3::aifabric::EEcmpBalancer",
                                               "ns3::aifabric::NodeFabric",
                                               "ns3::aifabric::TrainingDriver"};
        for (const auto& [attribute, value] : m_scenario.attributes)
        {
            const std::string type = attribute.substr(0, attribute.rfind("::"));
            const bool isKnown = known.count(attribute) > 0 || classes.count(type) > 0 ||
                                 type.find("::") == std::string::npos;
            OptionError::ThrowIf(!isKnown,
                                 attribute,
                                 value,
                                 "left out with --fidelity=fluid, which does not know it");
        }
    }
};

} // namespace

void
CheckFluid(const OptionTable& table, FabricScenario& scenario)
{
    if (scenario.isFluid)
    {
        FluidCheck(table, scenario).Check();
    }
}

} // namespace aifabric
} // namespace ns3
