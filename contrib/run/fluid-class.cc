/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-overlaps.h"
#include "fluid-section.h"
#include "option-sections.h"

#include "ns3/fluid-paths.h"
#include "ns3/message-steering.h"
#include "ns3/single-steering.h"
#include "ns3/split-steering.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Balancers that spread packets evenly over all paths.
const std::vector<std::string> EVEN = {"ofan", "host-dr"};

/// Balancers with which each NIC takes one plane after the other, and with which errors are small.
const std::vector<std::string> PLANED = {"ofan", "host-dr", "rsq", "jsq", "rr", "simple-rr"};

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

constexpr uint32_t LEAST_LEFT = 25;        //!< percent of the rate of a link that is slow
constexpr uint32_t LEAST_PACKETS = 20;     //!< that a link is slow for, at its slow rate
constexpr uint32_t MOST_CHANGED = 3;       //!< links in the run
constexpr uint32_t MOST_PIECES = 16;       //!< of a message
constexpr uint32_t FEW_PIECES = 4;         //!< of a message to each of many hosts
constexpr uint64_t MOST_IN_NODE = 2 << 20; //!< bytes of a message between GPUs of a node

/// Errors of completion times, in percent.
struct FluidErrors
{
    double median;          //!< of the scenarios of a class
    double most;            //!< the largest one, also of a second seed
    uint32_t scenarios{40}; //!< how many were compared
};

/// Classes of scenarios that were compared with packets (fluid_scenarios.py).
const std::map<std::string, FluidErrors> CLASSES = {
    {"ring", {0.38, 2.18}},
    {"halving", {0.39, 2.04}},
    {"all-to-all", {0.10, 1.13}},
    {"training", {0.08, 2.48}},
    {"planes ring", {0.30, 2.23}},
    {"planes halving", {0.23, 1.76}},
    {"planes all-to-all", {0.27, 1.66}},
    {"planes training", {0.07, 2.89}},
    {"queues ring", {0.10, 1.72}},
    {"queues all-to-all", {0.07, 0.90}},
    {"queues training", {0.09, 1.42}},
    {"skewed", {0.02, 0.46}},
    {"experts", {0.02, 0.77}},
    {"ecmp ring", {0.09, 1.40}},
    {"ecmp halving", {0.03, 0.76}},
    {"ecmp all-to-all", {0.02, 0.36}},
    {"ecmp training", {0.03, 1.79}},
    {"ecmp flows", {0.02, 0.46}},
    {"planes ecmp ring", {0.05, 0.39}},
    {"planes ecmp halving", {0.02, 0.84}},
    {"planes ecmp all-to-all", {0.02, 0.30, 29}},
    {"planes ecmp training", {0.04, 0.56}},
    {"planes ecmp flows", {0.04, 0.91}},
    {"faults ecmp ring", {0.05, 1.16}},
    {"faults ecmp halving", {0.02, 0.62}},
    {"faults ecmp all-to-all", {0.01, 0.36}},
    {"faults ecmp training", {0.04, 1.34}},
    {"faults ecmp flows", {0.03, 0.61}},
    {"channels ecmp ring", {0.04, 1.54}},
    {"channels ecmp all-to-all", {0.05, 0.42}},
    {"channels ecmp training", {0.15, 0.96}},
    {"changes training", {0.06, 2.44}},
    {"changes ecmp ring", {0.02, 2.61}},
    {"changes ecmp halving", {0.03, 1.05}},
    {"changes ecmp all-to-all", {0.10, 2.12}},
    {"changes ecmp training", {0.03, 1.76}},
    {"changes ecmp flows", {0.04, 0.90}},
    {"jobs", {0.08, 0.74}},
    {"ecmp jobs", {0.09, 2.96}},
    {"planes jobs", {0.11, 1.05}},
    {"planes ecmp jobs", {0.04, 1.31}},
    {"queues jobs", {0.10, 0.55}},
    {"faults ecmp jobs", {0.08, 0.96}},
    {"nodes training", {0.09, 1.92}},
    {"nodes ecmp training", {0.06, 1.01}},
    {"nodes jobs", {0.00, 1.33}},
    {"nodes ecmp jobs", {0.04, 1.66}},
    {"nodes experts", {0.03, 0.46}},
    {"steered ecmp ring", {0.06, 0.82}},
    {"steered ecmp halving", {0.03, 1.76}},
    {"steered ecmp all-to-all", {0.05, 0.45}},
    {"steered ecmp training", {0.06, 1.01}},
    {"steered ecmp experts", {0.01, 0.39}},
    {"steered ecmp jobs", {0.06, 1.42}},
    {"steered ecmp flows", {0.04, 2.51}},
    {"ecmp experts", {0.01, 0.44}},
    {"nodes ecmp experts", {0.01, 0.61}},
    {"planes ecmp experts", {0.01, 0.25}},
    {"faults ecmp experts", {0.02, 0.41}},
    {"changes ecmp experts", {0.01, 1.09}},
};

/// Finds the class of a scenario that --fidelity=fluid computes.
class FluidClassFinder : public FluidSection
{
  public:
    using FluidSection::FluidSection;

    /// @return how closely it is computed; what was not compared is refused
    FluidClass Find()
    {
        CheckLinks();
        FluidClass found;
        found.isHashed = m_isHashed;
        // Where messages of several collectives meet, ports hold up bytes, and no NIC.
        found.hasQueues = HasPrograms() || m_hasQueues;
        found.isMixed = !m_isHashed && HasPrograms() && (HasJobs() || !HasExperts());
        found.speeds = FindSpeeds();
        found.hasChanges = HasChanges();
        found.hasLinks = m_scenario.isUnchecked || HasCloseLinks();
        if (m_scenario.isUnchecked)
        {
            CheckSpraying(SPRAYED);
            return found;
        }
        const bool isFaulty = m_isHashed && !m_scenario.faults.empty();
        const bool hasChannels = m_isHashed && CountChannels() > 1;
        const std::string prefix = IsSteered()                  ? "steered "
                                   : hasChannels                ? "channels "
                                   : HasChanges()               ? "changes "
                                   : isFaulty                   ? "faults "
                                   : HasNodes()                 ? "nodes "
                                   : !m_isHashed && m_hasQueues ? "queues "
                                   : HasPlanes()                ? "planes "
                                                                : "";
        CheckNodes();
        CheckPieces(MOST_PIECES);
        DoubtIf(IsSteered() && (HasChanges() || CountChannels() > 1),
                IsDivided() ? "steering" : "balancer",
                std::string(IsDivided() ? "single" : "ecmp") +
                    " where there are channels or faults in the run");
        const std::string traffic = FindTraffic();
        CheckChanges(traffic);
        found.name = prefix + (m_isHashed ? "ecmp " : "") + traffic;
        found.isUneven = traffic == "skewed";
        const FluidErrors& errors = CLASSES.at(found.name);
        found.median = errors.median;
        found.most = errors.most;
        found.scenarios = errors.scenarios;
        return found;
    }

  private:
    /// Refuse fabrics whose paths are not all alike, and find out whether packets wait in switches.
    void CheckLinks()
    {
        const auto hostRate = static_cast<double>(m_scenario.rate);
        const auto fabricRate = static_cast<double>(m_scenario.fabricRate);
        try
        {
            m_isNarrow = !FluidPaths(*m_scenario.graph, hostRate, fabricRate).IsNonBlocking();
        }
        catch (const std::invalid_argument& error)
        {
            Deny("topology", error.what());
        }
        m_isSlowInside = fabricRate < hostRate;
        m_hasQueues = m_isNarrow || fabricRate != hostRate || !m_scenario.faults.empty();
        m_hasSlow = std::any_of(m_scenario.faults.begin(),
                                m_scenario.faults.end(),
                                [](const FaultSpec& fault) { return !fault.down; });
        DoubtIf(!m_isHashed && m_isNarrow && !m_scenario.faults.empty(),
                IsNone("fail") ? "failRate" : "fail",
                "where a leaf or a pod has fewer uplinks than hosts, no link fails");
    }

    /// Refuse what is not close of nodes with several GPUs.
    void CheckNodes() const
    {
        DoubtIf(m_scenario.graph->HostsPerNic() > 1, "nicsPerNode", "each GPU has a NIC");
        DoubtIf(HasNodes() && !HasPrograms(),
                "gpusPerNode",
                "nodes of several GPUs have training or jobs");
        const bool isPlain = !HasChanges() && CountChannels() == 1 && (m_isHashed || !m_hasQueues);
        DoubtIf(HasNodes() && !isPlain,
                "gpusPerNode",
                "nodes of several GPUs have one channel, no faults in the run, and, where they "
                "spray, enough links, of which all are alike");
    }

    /// @return what is left of the rates of links, by twice the id, and 1 more on the way down;
    /// nothing if it is all of all
    std::vector<double> FindSpeeds() const
    {
        std::vector<double> speeds(m_scenario.faults.empty() ? 0
                                                             : 2 * m_scenario.graph->Links().size(),
                                   1);
        for (const FaultSpec& fault : m_scenario.faults)
        {
            if (fault.Lasts())
            {
                speeds[2 * fault.link] *= fault.GetSpeed(LinkFault::UP);
                speeds[2 * fault.link + 1] *= fault.GetSpeed(LinkFault::DOWN);
            }
        }
        return speeds;
    }

    /// Refuse what is not close of faults.
    /// @param traffic its kind, as classes name it
    void CheckChanges(const std::string& traffic) const
    {
        DoubtIf(HasChanges() && HasPlanes(), "planes", "where faults begin or end there is one");
        constexpr double PERCENT = 100;
        std::set<uint32_t> changed;
        for (const FaultSpec& fault : m_scenario.faults)
        {
            DoubtIf(!fault.down && fault.rateFactor < LEAST_LEFT / PERCENT,
                    "fail",
                    "at least " + std::to_string(LEAST_LEFT) + " % of a rate are left");
            if (!fault.Lasts())
            {
                CheckChange(fault, traffic);
                DoubtIf(!changed.insert(fault.link).second, "fail", "each link has one fault");
            }
        }
        DoubtIf(changed.size() > MOST_CHANGED,
                "fail",
                "at most " + std::to_string(MOST_CHANGED) + " links change in the run");
    }

    /// Refuse a fault that begins or ends in the run, unless such faults are close.
    /// @param traffic what it meets
    void CheckChange(const FaultSpec& fault, const std::string& traffic) const
    {
        DoubtIf(m_scenario.graph->Links()[fault.link].a.isHost,
                "fail",
                "links of hosts are slow from 0ns on for good");
        DoubtIf(!fault.down && GetSlowPackets(fault) < LEAST_PACKETS,
                "fail",
                "links are slow, and not, for " + std::to_string(LEAST_PACKETS) +
                    " packets at a time");
        DoubtIf(fault.down && (traffic == "flows" || traffic == "halving"),
                "fail",
                "links are slow (*), not cut, where flows or halving-doubling meet it");
        DoubtIf(fault.down && traffic == "ring" && !IsPacked(),
                "placement",
                "ranks are packed where a ring meets a cut in the run");
        DoubtIf(!m_isHashed && traffic != "training",
                "fail",
                "where a collective is sprayed, no fault begins or ends in the run");
        DoubtIf(HasJobs(), "fail", "with jobs, no fault begins or ends in the run");
    }

    /// @return for how many packets at its slow rate a link is slow, or is not until it is again
    double GetSlowPackets(const FaultSpec& fault) const
    {
        const double on = fault.periodPs > 0 ? fault.duty * fault.periodPs
                          : fault.stopPs     ? *fault.stopPs - fault.startPs
                                             : HUGE_VAL;
        const double off = fault.periodPs > 0 ? fault.periodPs - on : HUGE_VAL;
        const double rate = std::min<double>(m_scenario.rate, m_scenario.fabricRate);
        const double packetPs = m_scenario.mtu * 8e12 / (rate * fault.rateFactor);
        return std::min(on, off) / packetPs;
    }

    /// @return whether faults begin or end in the run
    bool HasChanges() const
    {
        return std::any_of(m_scenario.faults.begin(),
                           m_scenario.faults.end(),
                           [](const FaultSpec& fault) { return !fault.Lasts(); });
    }

    /// @return whether links carry within 1 % what they carry of packets: other balancers may begin
    /// each message at the first port, and what is lost at a cut is sent again
    bool HasCloseLinks() const
    {
        const std::string balancer = Registry("balancer").NameOf(m_scenario.balancer);
        const auto isCut = [](const FaultSpec& fault) { return fault.down && !fault.Lasts(); };
        return (m_isHashed || std::find(EVEN.begin(), EVEN.end(), balancer) != EVEN.end()) &&
               std::none_of(m_scenario.faults.begin(), m_scenario.faults.end(), isCut);
    }

    /// @return whether hosts have several ports
    bool HasPlanes() const
    {
        return m_scenario.graph->Planes() > 1;
    }

    /// @return whether hosts have programs, of a training iteration or of jobs
    bool HasPrograms() const
    {
        return !IsNone("training") || HasJobs();
    }

    /// @return whether several jobs share the fabric
    bool HasJobs() const
    {
        return !IsNone("cluster");
    }

    /// @return the option that has them
    const char* GetFile() const
    {
        return HasJobs() ? "cluster" : "training";
    }

    /// @return whether the messages of two hosts have several queue pairs, or paths
    bool IsDivided() const
    {
        return m_scenario.steering != SingleSteering::GetTypeId();
    }

    /// @return whether each message is divided among a number of queue pairs
    bool IsSplit() const
    {
        return m_scenario.steering == SplitSteering::GetTypeId();
    }

    /// @return whether paths depend on more than the two hosts, or on another hash than that of
    /// ECMP
    bool IsSteered() const
    {
        return IsDivided() ||
               (m_isHashed && Registry("balancer").NameOf(m_scenario.balancer) != "ecmp");
    }

    /// @return queue pairs among which a message is divided, over all uplinks of its leaf
    /// @param bytes its length
    uint64_t CountPieces(uint64_t bytes) const
    {
        const auto steering = MakePolicy<MessageSteering>(m_scenario.steering);
        const FabricGraph& graph = *m_scenario.graph;
        return steering->CountPieces(1, bytes, graph.LeafUplinks() * graph.Planes());
    }

    /// @return whether nodes have several GPUs
    bool HasNodes() const
    {
        return m_scenario.nodes.GetGpus() > 1;
    }

    /// @return parts of each collective that go side by side; 1 if there are no collectives
    uint32_t CountChannels() const
    {
        return m_scenario.training ? m_scenario.collectives.channels : 1;
    }

    /// @return the kind of the traffic, as classes name it
    std::string FindTraffic() const
    {
        const bool hasOne = HasChanges() || (!m_isHashed && (m_hasQueues || HasPlanes()));
        DoubtIf(hasOne && CountChannels() > 1, "channels", "there is one channel");
        if (!m_scenario.training)
        {
            CheckSpraying(EVEN);
            CheckPieces(FEW_PIECES);
            CheckPackets("size", m_scenario.size, false);
            return "flows";
        }
        if (HasPrograms())
        {
            CheckTraining();
            DoubtIf(IsDivided() && (HasJobs() || !IsSplit()),
                    "steering",
                    HasJobs() ? "single with jobs" : "single or split with training");
            DoubtIf((HasJobs() || HasExperts()) && CountChannels() > 1,
                    "channels",
                    "there is one channel with jobs, and with all-to-alls in training");
            return HasJobs() ? "jobs" : HasExperts() ? "experts" : "training";
        }
        const WorkloadNode& node = m_scenario.training->programs.front().front();
        const std::size_t ranks = m_scenario.training->communicators.front().hosts.size();
        const std::string algorithm = FindAlgorithm(node);
        CheckBuffer();
        if (algorithm == "ring")
        {
            DoubtUnless("workload", m_scenario.workload, RINGS);
            // Else the order of messages, which a picosecond may change, decides their paths.
            DoubtIf(IsDivided() && !IsSplit(), "steering", "single or split with rings");
            CheckSpraying(m_hasSlow || m_isSlowInside  ? EVEN
                          : m_hasQueues || HasPlanes() ? PLANED
                                                       : SPRAYED,
                          m_hasSlow || m_isSlowInside
                              ? " where links are slow, or --fabricRate is below --rate"
                              : " in several planes, or where links are dead or too few");
            constexpr uint32_t MOST_CHANNELS = 4;
            DoubtIf(!m_isHashed && CountChannels() > MOST_CHANNELS,
                    "channels",
                    "at most " + std::to_string(MOST_CHANNELS) + " channels are sprayed");
            CheckPackets("size", node.bytes / ranks / CountChannels(), true);
            return algorithm;
        }
        CheckSpraying(EVEN);
        CheckChannels();
        CheckPackets("size", node.bytes / ranks / CountChannels(), false);
        if (algorithm == "direct")
        {
            DoubtUnless("workload", m_scenario.workload, {"all-to-all"});
            CheckDirect("size", node);
            if (node.parts)
            {
                CheckPlain("skew");
                CheckSkew();
            }
            return node.parts ? "skewed" : "all-to-all";
        }
        DoubtUnless("algorithm", algorithm, ALGORITHMS);
        DoubtIf(!m_isHashed && m_hasQueues,
                "algorithm",
                "where links are dead, slow or too few, it is ring or direct");
        DoubtUnless("workload", m_scenario.workload, {"all-reduce"});
        DoubtIf((ranks & (ranks - 1)) != 0, "algorithm", "the number of ranks is a power of two");
        DoubtIf(m_isHashed && CountChannels() > 1, "channels", "there is one channel");
        DoubtIf(IsDivided(), "steering", "single with halving-doubling");
        CheckPairs();
        return "halving";
    }

    /// Refuse what is not close where each rank has another peer in each step.
    void CheckPairs() const
    {
        constexpr int64_t LEAST_DELAY = 200'000; // ps; else single packets decide
        const std::vector<FabricSwitchSpec>& switches = m_scenario.graph->Switches();
        const bool hasPowers =
            std::all_of(switches.begin(), switches.end(), [](const FabricSwitchSpec& spec) {
                const uint32_t hosts = spec.forwarding.hostCount;
                return (hosts & (hosts - 1)) == 0;
            });
        DoubtIf(!m_isHashed && !hasPowers,
                "algorithm",
                "where the hosts of each leaf are no power of two, it is ring or direct");
        DoubtIf(!m_isHashed && m_scenario.delayPs < LEAST_DELAY,
                "delay",
                "at least 200ns where halving-doubling is sprayed");
    }

    /// Refuse a buffer that is too small for the packets of spraying that meet by chance.
    void CheckBuffer() const
    {
        constexpr uint64_t LEAST_PACKETS_OF_BUFFER = 64;
        DoubtIf(!m_isHashed && !m_hasQueues &&
                    m_scenario.bufferBytes < LEAST_PACKETS_OF_BUFFER * m_scenario.mtu,
                "buffer",
                "at least " + std::to_string(LEAST_PACKETS_OF_BUFFER) + " packets");
    }

    /// @return how many cables are dead, or slow, at any time  @param isDead whether dead
    std::ptrdiff_t CountFaults(bool isDead) const
    {
        return std::count_if(m_scenario.faults.begin(),
                             m_scenario.faults.end(),
                             [isDead](const FaultSpec& fault) { return fault.down == isDead; });
    }

    /// Refuse a division of messages among more queue pairs than were compared, which takes long.
    /// @param most queue pairs
    void CheckPieces(uint32_t most) const
    {
        DoubtIf(IsSplit() && CountPieces(UINT64_MAX) > most,
                "steering",
                "a message has at most " + std::to_string(most) + " queue pairs");
    }

    /// Refuse several channels where the order of single packets decides, if they are sprayed.
    void CheckChannels() const
    {
        DoubtIf(!m_isHashed && CountChannels() > 1, "channels", "there is one channel");
    }

    /// Refuse all-to-alls that are uneven, or in a training iteration, in several planes or with
    /// faults.  @param option that has them
    void CheckPlain(const std::string& option) const
    {
        const bool isPlain = !HasPlanes() && m_scenario.faults.empty();
        DoubtIf(!isPlain || m_isHashed || m_hasQueues,
                option,
                "such an all-to-all is sprayed, in one plane, without faults, over enough uplinks");
    }

    /// Refuse uneven all-to-alls of which nothing is known: from a file, where loads may differ by
    /// distance, or over long links (up to 11 %).
    void CheckSkew() const
    {
        constexpr int64_t MOST_DELAY = 1'000'000; // 1 us
        const std::string skew = m_table.Get("skew");
        DoubtIf(skew.rfind("hot:", 0) != 0 && skew.rfind("zipf:", 0) != 0,
                "skew",
                "hot:FACTOR or zipf:EXPONENT");
        DoubtIf(m_scenario.delayPs > MOST_DELAY, "delay", "at most 1us with --skew");
    }

    /// Refuse what is not close of messages to all others.  @param option that has their length
    void CheckDirect(const std::string& option, const WorkloadNode& node) const
    {
        const auto& hosts = m_scenario.training->communicators[node.communicator].hosts;
        const uint64_t bytes = node.bytes / hosts.size();
        CheckPieces(FEW_PIECES);
        const uint64_t packets = uint64_t{32} * m_scenario.graph->Planes(); // fewer are uneven
        DoubtIf(!m_isHashed && bytes < packets * m_scenario.mtu,
                option,
                "on average at least " + std::to_string(packets) + " packets to each rank");
        DoubtIf(!m_isHashed && HasPlanes() && !m_scenario.faults.empty(),
                "planes",
                "with faults there is one plane");
        // Else the busiest ports of a leaf differ by destination.
        DoubtIf(!m_isHashed && CountFaults(true) > 1,
                IsNone("fail") ? "failRate" : "fail",
                "where an all-to-all is sprayed, at most one cable is dead");
    }

    /// Refuse balancers that do not spread packets, or too unevenly.  @param balancers those that
    /// are even enough  @param where others are not
    void CheckSpraying(const std::vector<std::string>& balancers,
                       const std::string& where = "") const
    {
        if (!m_isHashed)
        {
            const std::string balancer = Registry("balancer").NameOf(m_scenario.balancer);
            DenyUnless("balancer", balancer, WithHash(SPRAYED));
            DoubtUnless("balancer", balancer, WithHash(balancers), where);
        }
    }

    /// @return names of balancers, and of those whose paths are hashed
    static std::vector<std::string> WithHash(std::vector<std::string> balancers)
    {
        balancers.insert(balancers.end(), HASHED.begin(), HASHED.end());
        return balancers;
    }

    /// Refuse messages of a few packets, which meet one by one at a port, and not as rates, or miss
    /// the path that holds others up.
    /// @param option that has their length  @param bytes of the shortest message
    /// @param isRing whether messages follow each other from host to host
    void CheckPackets(const std::string& option, uint64_t bytes, bool isRing) const
    {
        const uint32_t planes = m_isHashed ? 1 : m_scenario.graph->Planes();
        const bool isSlow = !m_isHashed && (m_hasSlow || HasChanges());
        const bool isFree = !m_isHashed && !m_hasQueues && (planes == 1 || isRing);
        const bool isTrained = !m_isHashed && HasPlanes() && HasPrograms();
        const uint32_t least = isFree && !HasJobs()  ? CountChannels() > 1 ? 4 : 0
                               : isSlow || isTrained ? 64
                               : CountChannels() > 1 ? 32
                                                     : 16;
        const uint64_t packets = uint64_t{least} * planes;
        DoubtIf(bytes / CountPieces(bytes) < packets * m_scenario.mtu,
                option,
                "at least " + std::to_string(packets) +
                    " packets to each rank, in each channel, by each queue pair");
    }

    /// Refuse training iterations that have other collectives than rings and all-to-alls.
    void CheckTraining() const
    {
        CheckSpraying(EVEN);
        CheckChannels();
        DoubtIf(!m_isHashed && CountFaults(false) > 1,
                "fail",
                "where training is sprayed, at most one cable is slow");
        const FluidOverlaps overlaps(*m_scenario.graph,
                                     *m_scenario.training,
                                     m_scenario.nodes,
                                     CountChannels(),
                                     m_scenario.mtu);
        DoubtIf(!m_isHashed && (HasJobs() || !HasExperts()) && overlaps.Find(),
                GetFile(),
                "where sprayed rings overlap, those with messages of " +
                    std::to_string(FluidOverlaps::LONG_PACKETS) + " packets and more (" +
                    std::to_string(FluidOverlaps::NEAR_PACKETS) +
                    " beside rings within leaves) meet none with messages that are " +
                    std::to_string(FluidOverlaps::RATIO) + " times shorter");
        DoubtIf(HasNodes() && overlaps.FindWithinNodes(),
                GetFile(),
                "where collectives may run at the same time, one at most is of GPUs of a node");
        for (const WorkloadProgram& program : m_scenario.training->programs)
        {
            for (const WorkloadNode& node : program)
            {
                CheckInNodes(node, overlaps.HasNeighbours(node));
                CheckTrainingNode(node);
                CheckSprayedNode(node);
            }
        }
    }

    /// Refuse what is not close in a training iteration that is sprayed.  @param node what is done
    void CheckSprayedNode(const WorkloadNode& node) const
    {
        if (m_isHashed)
        {
            return;
        }
        // Hosts that send in step may each have all packets on one port of a switch.
        const bool isSend = node.kind == WorkloadNode::Kind::SEND;
        DoubtIf(isSend && m_hasSlow,
                "fail",
                "where messages from host to host are sprayed, no link is slow");
        DoubtIf(isSend && m_isSlowInside,
                "fabricRate",
                "where messages from host to host are sprayed, it is no less than --rate");
        DoubtIf(
            m_isNarrow && node.kind == WorkloadNode::Kind::COLLECTIVE &&
                !IsCompact(m_scenario.training->communicators[node.communicator].hosts),
            GetFile(),
            "where links between switches carry less than hosts send, a ring has the hosts of a "
            "leaf one after the other");
    }

    /// Refuse collectives of which it matters which message goes first between two GPUs of a node.
    /// @param hasNeighbours whether several ranks are in one node
    void CheckInNodes(const WorkloadNode& node, bool hasNeighbours) const
    {
        if (!HasNodes() || !hasNeighbours || FindAlgorithm(node) != "two-level")
        {
            return;
        }
        const auto& hosts = m_scenario.training->communicators[node.communicator].hosts;
        DoubtIf(node.bytes / hosts.size() > MOST_IN_NODE,
                GetFile(),
                "two-level collectives within nodes have at most " +
                    std::to_string(MOST_IN_NODE >> 20) + " MiB for each GPU");
        // What several GPUs of a node send in step may have all packets on one port of a switch.
        DoubtIf(
            !m_isHashed && node.collective != CollectiveKind::ALL_TO_ALL &&
                !FluidOverlaps::AreInNode(m_scenario.nodes, hosts),
            GetFile(),
            "where two-level collectives are sprayed, all GPUs are of one node, or one of each");
    }

    /// @return whether a ring comes to each leaf once  @param hosts by rank
    bool IsCompact(const std::vector<uint32_t>& hosts) const
    {
        std::set<uint32_t> leaves;
        std::size_t hops = 0;
        uint32_t last = m_scenario.graph->RackOf(hosts.back());
        for (const uint32_t host : hosts)
        {
            const uint32_t leaf = m_scenario.graph->RackOf(host);
            hops += leaf != last;
            leaves.insert(leaf);
            last = leaf;
        }
        return hops <= leaves.size();
    }

    /// @return whether a training iteration has all-to-alls
    bool HasExperts() const
    {
        const auto isAllToAll = [](const WorkloadNode& node) {
            return node.kind == WorkloadNode::Kind::COLLECTIVE &&
                   node.collective == CollectiveKind::ALL_TO_ALL;
        };
        return HasPrograms() &&
               std::any_of(m_scenario.training->programs.begin(),
                           m_scenario.training->programs.end(),
                           [&](const WorkloadProgram& program) {
                               return std::any_of(program.begin(), program.end(), isAllToAll);
                           });
    }

    /// Refuse other collectives.  @param node what is done
    void CheckTrainingNode(const WorkloadNode& node) const
    {
        if (node.kind == WorkloadNode::Kind::COLLECTIVE)
        {
            CheckCollective(node);
        }
        else if (node.kind == WorkloadNode::Kind::SEND && node.bytes > 0)
        {
            CheckPackets(GetFile(), node.bytes, !HasPlanes());
        }
    }

    /// Refuse a collective, in a training iteration or job, that was not compared.
    void CheckCollective(const WorkloadNode& node) const
    {
        const auto& hosts = m_scenario.training->communicators[node.communicator].hosts;
        if (FluidOverlaps::AreInNode(m_scenario.nodes, hosts))
        {
            return; // no packet crosses the network
        }
        const std::string algorithm = FindAlgorithm(node);
        const bool isLevelled = HasNodes() && algorithm == "two-level";
        if ((algorithm == "direct" || isLevelled) && node.collective == CollectiveKind::ALL_TO_ALL)
        {
            CheckDirect(GetFile(), node);
            if (!m_isHashed)
            {
                CheckPlain(GetFile());
            }
            return;
        }
        const bool isRing = node.collective == CollectiveKind::ALL_REDUCE ||
                            node.collective == CollectiveKind::ALL_GATHER ||
                            node.collective == CollectiveKind::REDUCE_SCATTER;
        DoubtIf(!isRing || (algorithm != "ring" && !isLevelled),
                GetFile(),
                "all collectives are all-reduce, all-gather or reduce-scatter by rings, or direct "
                "all-to-alls; of nodes of several GPUs, two-level ones");
        CheckPackets(GetFile(), node.bytes / (hosts.size() * CountChannels()), !HasPlanes());
    }

    /// @return how a collective goes  @param node the collective
    std::string FindAlgorithm(const WorkloadNode& node) const
    {
        const CollectiveDefaults& defaults = m_scenario.collectives;
        return m_scenario.algorithms.at(
            node.algorithm.empty() ? defaults.algorithm : defaults.byName.at(node.algorithm));
    }

    bool m_hasQueues{false};    //!< links are dead, slow, or too few
    bool m_isNarrow{false};     //!< links between switches carry less than hosts send
    bool m_hasSlow{false};      //!< a link is slow
    bool m_isSlowInside{false}; //!< all links between switches are slower than those of hosts
};

} // namespace

void
FindFluidClass(const OptionTable& table, FabricScenario& scenario)
{
    if (scenario.isFluid)
    {
        scenario.fluidClass = FluidClassFinder(table, scenario).Find();
    }
}

} // namespace aifabric
} // namespace ns3
