/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "policy-kinds.h"

#include "ns3/collective-algorithm.h"
#include "ns3/collective-layout.h"
#include "ns3/config.h"
#include "ns3/fabric-switch.h"
#include "ns3/ll-protocol.h"
#include "ns3/ll128-protocol.h"
#include "ns3/message-text.h"
#include "ns3/nccl-tuner.h"
#include "ns3/node-fabric.h"
#include "ns3/nvls-algorithm.h"
#include "ns3/ring-algorithm.h"
#include "ns3/roce-net-device.h"
#include "ns3/simple-protocol.h"
#include "ns3/time-units.h"
#include "ns3/workload-extent.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

const OptionWhen ANY_COLLECTIVE = {"only with collectives and training iterations"};
const std::string NCCL = "nccl"; //!< the value of options that NCCL's tuner decides

} // namespace

/// How collectives go.
// clang-format off
const OptionGroup ALGORITHM_ROWS = {"Algorithms of collectives", {
    {"algorithm", AUTO, Plain("policy"),
     "algorithm of the collectives, nccl (ring, tree or, of H100 and B200, NVLS, as "
     "NCCL's tuner chooses by size), or help "
     "(auto: ring, or if nodes have several GPUs two-level, or node-ring where they have "
     "differently many; direct for collectives that it does not support). With atp, esa or "
     "switchml, switches do all all-reduces of an iteration across nodes but those of tensor "
     "parallelism in [parallelism] and those with an algorithm of their own", {}, ANY_COLLECTIVE},
    {"protocol", AUTO, Plain("policy"),
     "what messages of collectives cost beside their bytes: nothing (none), what NCCL's tuner "
     "reckons with for its protocols (ll, ll128, simple), or the one of these that it chooses by "
     "size (nccl), or help (auto: none, or nccl if that is the algorithm)", {}, ANY_COLLECTIVE},
    {"channels", AUTO, Whole(1, 1024, 1),
     "parts into which a collective is divided and which run in parallel, as the channels of NCCL "
     "(auto: 1)", To(&FabricScenario::collectives, &CollectiveDefaults::channels), ANY_COLLECTIVE},
    {"chunks", AUTO, Whole(1, 1 << 16),
     "chunks into which the data of a collective are divided for pipelining (auto: for algorithms "
     "that forward data, as many chunks that sending one takes about as long as its way through "
     "the fabric; else 1)", {}, ANY_COLLECTIVE},
}};

// clang-format on

namespace
{

/// Reads how collectives go.
class AlgorithmOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Read how collectives go.  @param blamed the option that is wrong if they cannot go so
    void ReadAlgorithm(const std::string& blamed)
    {
        const PolicyRegistry registry = Registry("algorithm");
        const std::string& given = m_table.Get("algorithm");
        const bool isChosen = given == AUTO || given == NCCL || IsInNetwork(given);
        CollectiveDefaults& defaults = m_scenario.collectives;
        defaults.byName = registry.GetTypes();
        OffloadGradients(m_table, m_scenario, blamed);
        ReadProtocol();
        defaults.algorithm = isChosen ? ChooseAlgorithms() : ReadPolicy("algorithm");
        ChooseProtocols();
        CheckProtocol();
        CheckSwitches(blamed);
        Read("channels");
        ReadChunks();
        for (const auto& entry : defaults.byName)
        {
            m_scenario.algorithms.emplace(entry.second, registry.NameOf(entry.second));
        }
        m_scenario.extent = ReadFile(blamed, [&]() {
            return WorkloadExtent(*m_scenario.training, defaults, m_scenario.mtu).Total();
        });
        const auto& programs = m_scenario.training->programs;
        RefuseIf(std::all_of(programs.begin(),
                             programs.end(),
                             [](const WorkloadProgram& program) { return program.empty(); }),
                 blamed,
                 "has nothing to do");
        m_scenario.options["algorithm"] =
            given == NCCL || IsInNetwork(given) ? given : registry.NameOf(defaults.algorithm);
    }

    /// @return what the algorithms of a file's steps do, and the usual one if it is given
    AlgorithmCheck MakeAlgorithmCheck()
    {
        const std::map<std::string, TypeId> types = Registry("algorithm").GetTypes();
        const std::string& given = m_table.Get("algorithm");
        const std::string usual = given == AUTO || given == NCCL || IsInNetwork(given)
                                      ? ""
                                      : Registry("algorithm").NameOf(ReadPolicy("algorithm"));
        return [types, usual](const std::string& own, CollectiveKind kind) -> std::string {
            if (own == NCCL)
            {
                return "nccl is no algorithm of a step, as it chooses protocols, too; "
                       "--algorithm=nccl chooses for each step without an algorithm";
            }
            const std::string name = own.empty() ? usual : own;
            std::vector<std::string> able;
            if (!name.empty() && types.count(name) == 0)
            {
                return ""; // who reads the step lists the names
            }
            for (const auto& [algorithm, type] : types)
            {
                const bool does = MakePolicy<CollectiveAlgorithm>(type)->Supports(kind);
                if (does && algorithm.find(':') == std::string::npos)
                {
                    able.push_back(algorithm);
                }
                if (name.empty() || (does && algorithm == name))
                {
                    return "";
                }
            }
            return (own.empty() ? "--algorithm=" : "") + name + " does not do " + NameOf(kind) +
                   "; a step may have an algorithm of its own: " + Listed(able, able.size());
        };
    }

  private:
    /// Read in how many chunks collectives go.
    void ReadChunks()
    {
        const std::string attribute = "ns3::aifabric::CollectiveAlgorithm::Chunks";
        const bool isAttribute = IsAttributeGiven(attribute);
        if (IsSet("chunks"))
        {
            RefuseIf(isAttribute, "chunks", "auto with --" + attribute);
            m_scenario.collectives.chunks = Read("chunks");
            return;
        }
        m_scenario.options["chunks"] = isAttribute ? m_scenario.attributes.at(attribute) : AUTO;
        if (!isAttribute)
        {
            m_scenario.collectives.chunkBytes = ChooseChunkBytes();
            m_scenario.collectives.nodeChunkBytes = ChooseNodeChunkBytes();
            m_scenario.options["chunkBytes"] = *m_scenario.collectives.chunkBytes;
        }
    }

    /// @return how many bytes a host sends in the time that a packet takes to the farthest one, in
    /// full packets
    uint64_t ChooseChunkBytes() const
    {
        const uint64_t links = m_scenario.graph->LongestPathLinks();
        const uint64_t travelPs = static_cast<uint64_t>(GetPathDelayPs()) + GetLatencyPs() +
                                  2 * FullPacketPs(m_scenario.rate) +
                                  (links - 2) * FullPacketPs(m_scenario.fabricRate);
        const uint64_t bytes = travelPs / PsPerByte(m_scenario.rate) * m_scenario.graph->Planes();
        return std::max<uint64_t>(1, bytes / m_scenario.mtu) * m_scenario.mtu;
    }

    /// @return how many bytes a GPU sends in the time that a message takes through its node: two
    /// chunks of an NvlsAlgorithm are under way, which then fill it
    static uint64_t ChooseNodeChunkBytes()
    {
        const auto node = CreateObject<NodeFabric>(); // all have its attributes
        return std::llround(static_cast<double>(node->GetLatencyPs()) *
                            static_cast<double>(node->GetRate()) / BIT_PS_PER_BYTE);
    }

    /// Read what messages cost beside their bytes.
    void ReadProtocol()
    {
        const std::string& given = m_table.Get("protocol");
        const bool isTuned = m_table.Get("algorithm") == NCCL;
        const std::string name = given != AUTO ? given : isTuned ? NCCL : NONE;
        CollectiveDefaults& defaults = m_scenario.collectives;
        const PolicyRegistry registry = Registry("protocol");
        defaults.protocolByName.clear();
        m_scenario.options["protocol"] = name;
        if (name != NCCL && name != NONE)
        {
            defaults.protocol = ReadPolicy("protocol");
            defaults.protocolByName = {{registry.NameOf(*defaults.protocol), *defaults.protocol}};
            m_scenario.options["protocol"] = registry.NameOf(*defaults.protocol);
        }
        else if (name == NCCL || isTuned)
        {
            for (const TypeId& type :
                 {LlProtocol::GetTypeId(), Ll128Protocol::GetTypeId(), SimpleProtocol::GetTypeId()})
            {
                defaults.protocolByName.emplace(registry.NameOf(type), type);
            }
        }
        m_protocols.clear();
        for (const auto& [protocol, type] : defaults.protocolByName)
        {
            m_scenario.algorithms.emplace(type, protocol);
            m_protocols.emplace_back(protocol, MakePolicy<CollectiveProtocol>(type));
        }
        if (name != NONE)
        {
            ReadTravel();
        }
    }

    /// Note what the simulated fabrics take of the latency of a message: that of a node, and the
    /// way through one switch.
    void ReadTravel()
    {
        const std::string latency = "ns3::aifabric::NodeFabric::Latency";
        if (!IsAttributeGiven(latency))
        {
            constexpr int64_t NVLINK_NS = 600; // of LL, the least
            Config::SetDefault(latency, TimeValue(NanoSeconds(NVLINK_NS)));
        }
        ProtocolTravel& travel = m_scenario.collectives.travel;
        travel.nodePs = CreateObject<NodeFabric>()->GetLatencyPs();
        travel.nodeRate = static_cast<double>(CreateObject<NodeFabric>()->GetRate()) / 8;
        travel.networkPs = 2 * m_scenario.delayPs +
                           CreateObject<FabricSwitch>()->GetLatency().GetPicoSeconds() +
                           CreateObject<RoceNetDevice>()->GetLatency().GetPicoSeconds();
    }

    /// @return collectives of all programs  @param isWanted which of them
    std::vector<WorkloadNode*> FindCollectives(bool (*isWanted)(const WorkloadNode&))
    {
        std::vector<WorkloadNode*> nodes;
        for (WorkloadProgram& program : m_scenario.training->programs)
        {
            for (WorkloadNode& node : program)
            {
                if (node.kind == WorkloadNode::Kind::COLLECTIVE && isWanted(node))
                {
                    nodes.push_back(&node);
                }
            }
        }
        return nodes;
    }

    /// Name the algorithm of those collectives that the usual one does not do.
    /// @return the algorithm of all others
    TypeId ChooseAlgorithms()
    {
        std::vector<std::string> candidates = {"ring", "direct"};
        if (m_scenario.nodes.GetGpus() > 1)
        {
            candidates = {"two-level", "node-ring", "ring", "direct"};
        }
        std::map<WorkKey, std::string> chosen;
        std::set<std::string> used;
        const std::vector<WorkloadNode*> nodes =
            FindCollectives([](const WorkloadNode& node) { return node.algorithm.empty(); });
        for (WorkloadNode* node : nodes)
        {
            std::string& name = chosen[KeyOf(*node)];
            name = name.empty() ? ChooseAlgorithm(*node, candidates) : name;
            node->algorithm = name;
            used.insert(name);
        }
        const auto first =
            std::find_if(candidates.begin(), candidates.end(), [&used](const std::string& name) {
                return used.count(name) > 0;
            });
        const std::string usual = first != candidates.end() ? *first
                                  : used.empty()            ? candidates.front()
                                                            : *used.begin();
        for (WorkloadNode* node : nodes)
        {
            node->algorithm = node->algorithm == usual ? "" : node->algorithm;
        }
        return Registry("algorithm").Find(usual);
    }

    /// @return the algorithm of a collective  @param candidates the last one does all kinds
    std::string ChooseAlgorithm(const WorkloadNode& node,
                                const std::vector<std::string>& candidates) const
    {
        if (m_table.Get("algorithm") == NCCL &&
            CreateObject<RingAlgorithm>()->Supports(node.collective))
        {
            const RankShape shape = ShapeOf(node);
            return NameChoice(Tune(node, ListAlgorithms(node, shape)).algorithm, shape);
        }
        return *std::find_if(candidates.begin(),
                             candidates.end() - 1,
                             [&](const std::string& candidate) {
                                 return CanDo(Registry("algorithm").Find(candidate), node);
                             });
    }

    /// Name the protocols of collectives, if they depend on the size.
    void ChooseProtocols()
    {
        if (m_scenario.options["protocol"] != NCCL)
        {
            return;
        }
        std::map<WorkKey, std::string> chosen;
        for (WorkloadNode* node : FindCollectives([](const WorkloadNode&) { return true; }))
        {
            std::string& name = chosen[KeyOf(*node)];
            name = name.empty() ? ChooseProtocol(*node) : name;
            node->protocol = name;
        }
    }

    /// Refuse a protocol that goes by no switch of a node.
    void CheckProtocol()
    {
        const CollectiveDefaults& defaults = m_scenario.collectives;
        if (!defaults.protocol || *defaults.protocol == SimpleProtocol::GetTypeId())
        {
            return;
        }
        for (const WorkloadNode* node : FindCollectives([](const WorkloadNode&) { return true; }))
        {
            const TypeId algorithm = AlgorithmOf(*node);
            RefuseIf(GoesBySwitch(algorithm),
                     "protocol",
                     "none, simple or nccl with the algorithm " +
                         Registry("algorithm").NameOf(algorithm));
        }
    }

    /// Refuse algorithms of the switches of nodes where no switch adds up.  @param blamed the
    /// option that is wrong if a step names the algorithm
    void CheckSwitches(const std::string& blamed)
    {
        const WorkloadNode* found = nullptr; // one that goes by a switch
        bool isServed = false;               // one has several ranks at a switch
        for (const WorkloadNode* node : FindCollectives([](const WorkloadNode&) { return true; }))
        {
            if (GoesBySwitch(AlgorithmOf(*node)))
            {
                found = found ? found : node;
                isServed = isServed || ShapeOf(*node).perNode > 1;
            }
        }
        if (!found || (isServed && CanNodesAdd()))
        {
            return;
        }
        const std::string algorithm = Registry("algorithm").NameOf(AlgorithmOf(*found));
        RefuseIf(
            true,
            found->algorithm.empty() ? "algorithm" : blamed,
            "the algorithm " + algorithm +
                (m_scenario.nodes.GetGpus() == 1
                     ? " only with --gpusPerNode above 1: the switch of a node adds up and copies"
                 : isServed ? " only with --nvlink=raw, h100 or b200: those of " + GetGpu() +
                                  " do not add up"
                            : " only with several ranks in a node: its switch adds up"));
    }

    /// @return the kind of GPUs that --nvlink names, or NONE
    std::string GetGpu() const
    {
        const auto gpu = m_scenario.options.find("nvlink");
        const bool isNamed = gpu != m_scenario.options.end() && gpu->is_string();
        return isNamed ? gpu->get<std::string>() : NONE;
    }

    /// @return whether switches of nodes may add up: of what kinds NCCL knows it, or a given rate
    bool CanNodesAdd() const
    {
        return GetGpu() == "raw" || NcclTuner::FindSwitches(GetGpu());
    }

    /// @return whether an algorithm is one of the switches of nodes
    static bool GoesBySwitch(TypeId algorithm)
    {
        const TypeId nvls = NvlsAlgorithm::GetTypeId();
        return algorithm == nvls || algorithm.IsChildOf(nvls);
    }

    /// @return the algorithm of a collective
    TypeId AlgorithmOf(const WorkloadNode& node) const
    {
        const CollectiveDefaults& defaults = m_scenario.collectives;
        return node.algorithm.empty() ? defaults.algorithm : defaults.byName.at(node.algorithm);
    }

    /// @return the protocol of a collective
    std::string ChooseProtocol(const WorkloadNode& node) const
    {
        const CollectiveLayout layout(Describe(node));
        if (layout.GetAlgorithm().UsesNodeSwitch())
        {
            return "simple";
        }
        if (!CreateObject<RingAlgorithm>()->Supports(node.collective))
        {
            constexpr uint64_t MOST_LL = 16384; // bytes of a message: NCCL_P2P_LL_THRESHOLD
            const uint64_t ranks = layout.GetAlgorithm().GetRanks();
            const uint64_t parts = HasParts(node.collective) ? ranks : 1;
            return node.bytes / parts <= MOST_LL ? "ll" : "simple";
        }
        const bool isTree = layout.GetAlgorithm().IsTree();
        const NcclTuner::Option option =
            Tune(node, {isTree ? NcclTuner::Algorithm::TREE : NcclTuner::Algorithm::RING});
        return Registry("protocol").NameOf(option.protocol->GetInstanceTypeId());
    }

    /// @return the tuner of NCCL with the rates of this scenario
    NcclTuner MakeTuner() const
    {
        const FabricGraph& graph = *m_scenario.graph;
        const uint64_t gpus = graph.HostsPerNic();
        const uint64_t rate =
            gpus > 1 ? std::min(m_scenario.rate, m_scenario.fabricRate / gpus) : m_scenario.rate;
        return NcclTuner(rate * graph.Planes(),
                         CreateObject<NodeFabric>()->GetRate(),
                         NcclTuner::FindSwitches(GetGpu()));
    }

    /// @return what NCCL may use for a collective that a ring does
    std::vector<NcclTuner::Algorithm> ListAlgorithms(const WorkloadNode& node,
                                                     RankShape shape) const
    {
        std::vector<NcclTuner::Algorithm> algorithms =
            MakeTuner().ListAlgorithms(node.collective, shape);
        const auto isRefused = [&](NcclTuner::Algorithm algorithm) {
            return algorithm == NcclTuner::Algorithm::NVLS &&
                   (!FindSimple() ||
                    !CanDo(Registry("algorithm").Find(NameChoice(algorithm, shape)), node));
        };
        algorithms.erase(std::remove_if(algorithms.begin(), algorithms.end(), isRefused),
                         algorithms.end());
        return algorithms;
    }

    /// @return the name of what NCCL chose
    static std::string NameChoice(NcclTuner::Algorithm algorithm, RankShape shape)
    {
        switch (algorithm)
        {
        case NcclTuner::Algorithm::TREE:
            return shape.perNode > 1 ? "node-tree" : "double-binary-tree";
        case NcclTuner::Algorithm::NVLS:
            return shape.nodes > 1 ? "nvls-tree" : "nvls";
        default:
            return shape.perNode > 1 ? "node-ring" : "ring";
        }
    }

    /// @return the protocol Simple if it may be used
    Ptr<CollectiveProtocol> FindSimple() const
    {
        for (const auto& [name, protocol] : m_protocols)
        {
            if (protocol->GetInstanceTypeId() == SimpleProtocol::GetTypeId())
            {
                return protocol;
            }
        }
        return nullptr;
    }

    /// @return what NCCL chooses for a collective  @param algorithms that may be used
    NcclTuner::Option Tune(const WorkloadNode& node,
                           const std::vector<NcclTuner::Algorithm>& algorithms) const
    {
        std::vector<NcclTuner::Option> options;
        for (const NcclTuner::Algorithm algorithm : algorithms)
        {
            if (algorithm == NcclTuner::Algorithm::NVLS)
            {
                options.push_back({algorithm, FindSimple()}); // no other one goes by switches
                continue;
            }
            for (const auto& entry : m_protocols)
            {
                options.push_back({algorithm, entry.second});
            }
        }
        return MakeTuner().Choose(node.collective, ShapeOf(node), node.bytes, options);
    }

    /// @return what a collective is
    CollectiveSpec Describe(const WorkloadNode& node) const
    {
        const CollectiveDefaults& defaults = m_scenario.collectives;
        return WorkloadExtent(*m_scenario.training, defaults, m_scenario.mtu).Describe(node);
    }

    /// @return nodes and ranks of a collective
    RankShape ShapeOf(const WorkloadNode& node) const
    {
        const CollectiveSpec spec = Describe(node);
        return RankNodes(static_cast<uint32_t>(spec.hosts.size()), spec.nodes).GetShape();
    }

    /// @return whether an algorithm can do a collective with the ranks and nodes that it has
    bool CanDo(TypeId algorithm, const WorkloadNode& node) const
    {
        if (!MakePolicy<CollectiveAlgorithm>(algorithm)->Supports(node.collective))
        {
            return false;
        }
        CollectiveSpec spec = Describe(node);
        spec.algorithm = algorithm;
        try
        {
            CollectiveLayout layout(spec);
        }
        catch (const std::invalid_argument&)
        {
            return false; // such as nodes with different numbers of ranks
        }
        return true;
    }

    /// Collectives that go alike: kind, communicator, size and algorithm.
    using WorkKey = std::tuple<CollectiveKind, uint32_t, uint64_t, std::string>;

    /// @return what a collective goes by
    static WorkKey KeyOf(const WorkloadNode& node)
    {
        return {node.collective, node.communicator, node.bytes, node.algorithm};
    }

    /// The protocols in question, by name.
    std::vector<std::pair<std::string, Ptr<CollectiveProtocol>>> m_protocols;
};

} // namespace

void
ReadAlgorithm(const OptionTable& table, FabricScenario& scenario, const std::string& blamed)
{
    AlgorithmOptions(table, scenario).ReadAlgorithm(blamed);
}

AlgorithmCheck
MakeAlgorithmCheck(const OptionTable& table, FabricScenario& scenario)
{
    return AlgorithmOptions(table, scenario).MakeAlgorithmCheck();
}

} // namespace aifabric
} // namespace ns3
