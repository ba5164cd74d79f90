/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-table.h"
#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/fluid-paths.h"
#include "ns3/message-text.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* WITH = " with --fidelity=fluid"; //!< after what is allowed
constexpr const char* ONLY_COLLECTIVES =
    "only collectives and training iterations were compared with packets";

/// Balancers that spread packets evenly over all paths.
const std::vector<std::string> EVEN = {"ofan", "host-dr"};

/// Balancers that spread the packets of each message over all paths.
const std::vector<std::string> SPRAYED = {"ofan",
                                          "host-dr",
                                          "rsq",
                                          "jsq",
                                          "rr",
                                          "simple-rr",
                                          "host-random",
                                          "host-permuted",
                                          "host-counter"};

/// Collectives by rings.
const std::vector<std::string> RINGS = {"all-reduce", "all-gather", "reduce-scatter"};

/// Algorithms of collectives.
const std::vector<std::string> ALGORITHMS = {"ring",
                                             "direct",
                                             "halving-doubling",
                                             "recursive-doubling"};

/// Flows that do not wait for each other.
const std::vector<std::string> FLOWS = {"permutation", "tornado", "all-to-all", "incast"};

/// Refuses what --fidelity=fluid does not compute, or not closely enough.
class FluidCheck : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Refuse a scenario outside of what was compared with packets, and find its class.
    void Check()
    {
        m_isHashed = Registry("balancer").NameOf(m_scenario.balancer) == "ecmp";
        CheckFabric();
        CheckTraffic();
        CheckPolicies();
        CheckFailures();
        CheckObservers();
        CheckAttributes();
        m_scenario.fluidClass = FindClass();
    }

  private:
    /// Refuse fabrics whose paths are not all alike.
    void CheckFabric() const
    {
        DenyIf(!m_isHashed && m_scenario.fabricRate != m_scenario.rate,
               "fabricRate",
               "all links have one rate");
        DenyIf(m_scenario.graph->Planes() > 1, "planes", "hosts have one port");
        bool isNonBlocking = false;
        try
        {
            isNonBlocking = FluidPaths(*m_scenario.graph, 1, 1).IsNonBlocking();
        }
        catch (const std::invalid_argument& error)
        {
            Deny("topology", error.what());
        }
        DenyIf(!isNonBlocking && !m_isHashed, // with ECMP there are queues
               "topology",
               "a leaf and a pod have as many uplinks as hosts, so that nothing is lost");
        DenyIf(!m_scenario.switchLatencies.empty(), "switchLatency", "latencies must be equal");
        DenyIf(m_scenario.plan.has_value(), "ranks", "it runs on one rank");
    }

    /// Refuse traffic that may lose packets, or that was not compared.
    void CheckTraffic() const
    {
        DenyIf(m_scenario.aggregation.has_value(), "algorithm", "switches do not add up");
        if (m_isHashed && !m_scenario.training)
        {
            DenyUnless("workload", m_scenario.workload, FLOWS);
        }
        DenyIf(!m_isHashed && !m_scenario.training, "workload", ONLY_COLLECTIVES);
        for (const char* const name : {"chakra", "cluster"})
        {
            DenyIf(!IsNone(name), name, ONLY_COLLECTIVES);
        }
        DenyIf(!m_isHashed && !IsNone("placement") && m_table.Get("placement") != "packed",
               "placement",
               "ranks are packed");
        DenyIf(!IsNone("skew"), "skew", "all ranks send the same");
        DenyIf(m_scenario.nodes.GetGpus() > 1, "gpusPerNode", "nodes have one GPU");
        DenyIf(IsGiven("communicators"), "communicators", "there is one communicator");
        DenyIf(IsGiven("protocol") && !IsNone("protocol"),
               "protocol",
               "messages cost their bytes only");
        DenyIf(!IsNone("background"), "background", "there are no flows beside collectives");
        DenyIf(m_scenario.receiverSlots > 0, "receiverAdmission", "receivers do not admit");
        DenyIf(m_scenario.job.EndsIterations(), "onFailure", "no queue pair fails");
        DenyIf(!m_scenario.acksInFabric, "acks", "acknowledgements cross the fabric");
    }

    /// @return how closely the collectives are computed; those not compared are refused
    FluidClass FindClass() const
    {
        if (m_isHashed)
        {
            return FindHashedClass();
        }
        if (!IsNone("training"))
        {
            CheckTraining();
            return {"training", 0.14, 1.56, 40};
        }
        const WorkloadNode& node = m_scenario.training->programs.front().front();
        const std::size_t ranks = m_scenario.training->communicators.front().hosts.size();
        const std::string algorithm = FindAlgorithm(node);
        const std::string balancer = Registry("balancer").NameOf(m_scenario.balancer);
        const std::string& workload = m_scenario.workload;
        if (algorithm == "ring")
        {
            DenyUnless("workload", workload, RINGS);
            DenyUnless("balancer", balancer, SPRAYED);
            return {"ring", 0.35, 1.71, 40};
        }
        DenyUnless("balancer", balancer, EVEN);
        if (algorithm == "direct")
        {
            constexpr uint64_t PACKETS = 32; // fewer are not spread evenly over the paths
            DenyUnless("workload", workload, {"all-to-all"});
            DenyIf(node.bytes / ranks < PACKETS * m_scenario.mtu,
                   "size",
                   "at least " + std::to_string(PACKETS) + " packets to each rank");
            return {"all-to-all", 0.10, 1.13, 40};
        }
        DenyUnless("algorithm", algorithm, ALGORITHMS);
        DenyUnless("workload", workload, {"all-reduce"});
        DenyIf((ranks & (ranks - 1)) != 0, "algorithm", "the number of ranks is a power of two");
        return {"halving", 0.39, 2.04, 40};
    }

    /// @return the same where switches choose paths by their hash
    FluidClass FindHashedClass() const
    {
        if (!m_scenario.training)
        {
            CheckPackets("size", m_scenario.size);
            return {"ecmp flows", 0.02, 0.44, 40, true};
        }
        DenyIf(m_scenario.collectives.channels > 1, "channels", "there is one channel");
        if (!IsNone("training"))
        {
            CheckTraining();
            return {"ecmp training", 0.03, 0.26, 40, true};
        }
        const WorkloadNode& node = m_scenario.training->programs.front().front();
        const std::size_t ranks = m_scenario.training->communicators.front().hosts.size();
        const std::string algorithm = FindAlgorithm(node);
        CheckPackets("size", node.bytes / ranks);
        if (algorithm == "ring")
        {
            DenyUnless("workload", m_scenario.workload, RINGS);
            return {"ecmp ring", 0.09, 1.39, 40, true};
        }
        if (algorithm == "direct")
        {
            DenyUnless("workload", m_scenario.workload, {"all-to-all"});
            return {"ecmp all-to-all", 0.02, 0.36, 40, true};
        }
        DenyUnless("algorithm", algorithm, ALGORITHMS);
        DenyUnless("workload", m_scenario.workload, {"all-reduce"});
        DenyIf((ranks & (ranks - 1)) != 0, "algorithm", "the number of ranks is a power of two");
        return {"ecmp halving", 0.03, 0.72, 40, true};
    }

    /// Refuse messages of a few packets, which meet one by one at a port, and not as rates.
    /// @param option that has their length  @param bytes of the shortest message
    void CheckPackets(const std::string& option, uint64_t bytes) const
    {
        constexpr uint64_t PACKETS = 16;
        DenyIf(bytes < PACKETS * m_scenario.mtu,
               option,
               "at least " + std::to_string(PACKETS) + " packets to each rank");
    }

    /// Refuse training iterations that have other collectives than rings.
    void CheckTraining() const
    {
        if (!m_isHashed)
        {
            DenyUnless("balancer", Registry("balancer").NameOf(m_scenario.balancer), EVEN);
        }
        for (const WorkloadProgram& program : m_scenario.training->programs)
        {
            for (const WorkloadNode& node : program)
            {
                const bool isRing = node.kind != WorkloadNode::Kind::COLLECTIVE ||
                                    (FindAlgorithm(node) == "ring" &&
                                     (node.collective == CollectiveKind::ALL_REDUCE ||
                                      node.collective == CollectiveKind::ALL_GATHER ||
                                      node.collective == CollectiveKind::REDUCE_SCATTER));
                DenyIf(!isRing,
                       "training",
                       "all collectives are all-reduce, all-gather or reduce-scatter by rings");
                if (m_isHashed && node.kind != WorkloadNode::Kind::COMPUTE)
                {
                    const bool isOne = node.kind != WorkloadNode::Kind::COLLECTIVE;
                    const auto& hosts = m_scenario.training->communicators[node.communicator].hosts;
                    CheckPackets("training", node.bytes / (isOne ? 1 : hosts.size()));
                }
            }
        }
    }

    /// @return how a collective goes  @param node the collective
    std::string FindAlgorithm(const WorkloadNode& node) const
    {
        const CollectiveDefaults& defaults = m_scenario.collectives;
        return m_scenario.algorithms.at(
            node.algorithm.empty() ? defaults.algorithm : defaults.byName.at(node.algorithm));
    }

    /// Refuse policies whose decisions it does not know.
    void CheckPolicies() const
    {
        DenyUnless("transport", m_scenario.transport, "rc");
        DenyUnless("rateControl", m_scenario.rateControl, "fixed");
        DenyUnless("recovery", m_scenario.recovery, "oracle");
        DenyUnless("ackPolicy", m_scenario.ackPolicy, "per-packet");
        DenyUnless("steering", m_scenario.steering, "single");
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
        DenyIf(m_table.Get("fail") != NONE, "fail", "no link fails");
        DenyIf(!m_scenario.faults.empty(), "failRate", "no link fails");
        DenyIf(!m_scenario.storms.empty(), "pauseStorm", "nothing is paused");
        DenyIf(!m_scenario.denied.empty(), "denylist", "all paths are used");
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
                                             "ns3::aifabric::RoceNetDevice::Latency"};
        const std::set<std::string> classes = {"ns3::aifabric::NodeFabric",
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

    /// Refuse a name that is none of some.  @param option that has it
    /// @param names those that are computed
    void DenyUnless(const std::string& option,
                    const std::string& given,
                    const std::vector<std::string>& names) const
    {
        if (std::find(names.begin(), names.end(), given) == names.end())
        {
            throw OptionError(option, given, "one of " + Listed(names, names.size()) + WITH);
        }
    }

    /// Refuse all policies of a kind but one.  @param option that names the policy
    /// @param name of the one that is computed
    void DenyUnless(const std::string& option, TypeId type, const std::string& name) const
    {
        RefuseIf(Registry(option).NameOf(type) != name, option, name + WITH);
    }

    /// Refuse an option.  @param isDenied whether to  @param why what fluid computes
    void DenyIf(bool isDenied, const std::string& option, const std::string& why) const
    {
        if (isDenied)
        {
            Deny(option, why);
        }
    }

    /// Refuse an option.  @param why what fluid computes
    [[noreturn]] void Deny(const std::string& option, const std::string& why) const
    {
        Refuse(option, std::string("another one") + WITH + ": " + why);
    }

    bool m_isHashed{false}; //!< switches choose paths by their hash
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
