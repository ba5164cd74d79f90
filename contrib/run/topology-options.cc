/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"
#include "policy-kinds.h"
#include "topology-file.h"

#include "ns3/clos-builder.h"
#include "ns3/config.h"
#include "ns3/congestion-control.h"
#include "ns3/csv-writer.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-net-device.h"
#include "ns3/frame-codec.h"
#include "ns3/nccl-tuner.h"
#include "ns3/network-builder.h"
#include "ns3/node-fabric.h"
#include "ns3/path-telemetry.h"
#include "ns3/switch-balancer.h"
#include "ns3/switch-forwarder.h"
#include "ns3/uinteger.h"
#include "ns3/workload-text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

const OptionWhen FAT_TREE = Only("topology", "fat-tree");
const OptionWhen LEAF_SPINE = Only("topology", "leaf-spine");
const OptionWhen THREE_TIER = Only("topology", "three-tier");
const OptionWhen TORUS = Only("topology", "torus");
const OptionWhen DRAGONFLY = Only("topology", "dragonfly");

/// @return whether the shape is one of some
bool
HasShape(const FabricScenario& scenario, const std::vector<std::string>& shapes)
{
    return std::count(shapes.begin(), shapes.end(), scenario.options.at("topology")) > 0;
}

const OptionWhen WITH_LEAVES = {
    "only with --topology=leaf-spine, three-tier, torus or dragonfly",
    [](const FabricScenario& scenario) {
        return HasShape(scenario, {"leaf-spine", "three-tier", "torus", "dragonfly"});
    }};
const OptionWhen CLOS = {"only with --topology=fat-tree, leaf-spine or three-tier",
                         [](const FabricScenario& scenario) {
                             return HasShape(scenario, {"fat-tree", "leaf-spine", "three-tier"});
                         }};
const OptionWhen NODES = Not("gpusPerNode", 1, "only with --gpusPerNode above 1");

const OptionWhen SHARED_NICS = {"only with --topology=leaf-spine and --gpusPerNode above 1",
                                [](const FabricScenario& scenario) {
                                    return HasShape(scenario, {"leaf-spine"}) &&
                                           scenario.options.at("gpusPerNode") != 1;
                                }};

/// Shapes that have a name.
const std::vector<std::string> SHAPES = {"fat-tree",
                                         "leaf-spine",
                                         "three-tier",
                                         "torus",
                                         "dragonfly"};

/// Options of the size of a fabric. Those of other shapes are refused.
const std::vector<std::string> SIZES = {"k",
                                        "leaves",
                                        "spines",
                                        "pods",
                                        "leavesPerPod",
                                        "spinesPerPod",
                                        "cores",
                                        "routers",
                                        "globalLinks"};

/// @return one of some names, or a file
OptionType
NameOrFile(const std::vector<std::string>& names)
{
    OptionType type = Choice(names);
    type.unit = "file";
    type.isWord = [](const std::string& text) { return !IsTopologyFile(text); };
    return type;
}

/// @return what is wrong with a parameter of a builder, without the parameter
/// @param message "name: value what"  @param [out] name the parameter
std::string
SplitMessage(const std::string& message, std::string& name)
{
    const std::size_t colon = message.find(": ");
    name = message.substr(0, colon);
    return message.substr(message.find(' ', colon + 2) + 1);
}

} // namespace

/// The options of the shape of the fabric, and of its links, packets and nodes.
// clang-format off
const OptionGroup TOPOLOGY_ROWS = {"Shape of the fabric", {
    {"topology", "fat-tree", NameOrFile(SHAPES),
     "shape of the fabric: fat-tree, leaf-spine, three-tier, torus or dragonfly, or a TOML or CSV "
     "file with its switches, hosts and links"},
    {"k", AUTO, Whole(2, MAX_SWITCH_PORTS, 8),
     "fat-tree: ports of each switch, an even number; the fabric has k^3/4 hosts (auto: 8)",
     {}, FAT_TREE},
    {"leaves", AUTO, Whole(1, MAX_SWITCH_PORTS, 8),
     "leaf-spine: leaf switches of each plane (auto: 8)", {}, LEAF_SPINE},
    {"spines", AUTO, Whole(1, MAX_SWITCH_PORTS, 8),
     "leaf-spine: spine switches of each plane (auto: 8)", {}, LEAF_SPINE},
    {"pods", AUTO, Whole(2, MAX_SWITCH_PORTS, 8), "three-tier: pods (auto: 8)", {}, THREE_TIER},
    {"leavesPerPod", AUTO, Whole(1, MAX_SWITCH_PORTS, 4),
     "three-tier: leaf switches of each pod and plane (auto: 4)", {}, THREE_TIER},
    {"spinesPerPod", AUTO, Whole(1, MAX_SWITCH_PORTS, 4),
     "three-tier: switches of tier 1 of each pod and plane (auto: 4)", {}, THREE_TIER},
    {"cores", AUTO, Whole(1, MAX_SWITCH_PORTS, 16),
     "three-tier: core switches of each plane, a multiple of spinesPerPod (auto: 16)",
     {}, THREE_TIER},
    {"lengths", AUTO, Plain("list"),
     "torus: switches in each dimension, with commas between them (auto: 4,4)", {}, TORUS},
    {"routers", AUTO, Whole(1, MAX_SWITCH_PORTS, 4),
     "dragonfly: routers of each group, all joined with each other (auto: 4)", {}, DRAGONFLY},
    {"globalLinks", AUTO, Whole(1, MAX_SWITCH_PORTS, 2),
     "dragonfly: links of each router to other groups, of which there are as many as a group has "
     "such links, and one (auto: 2)", {}, DRAGONFLY},
    {"hostsPerLeaf", AUTO, Whole(1, MAX_SWITCH_PORTS),
     "leaf-spine, three-tier, torus, dragonfly: hosts at each switch of the lowest tier (auto: 8; "
     "three-tier 16; torus 1; dragonfly 2)", {}, WITH_LEAVES},
    {"planes", "1", Whole(1, MAX_PLANES),
     "planes of the fabric; each NIC has one port in each plane", {}, CLOS},
}};

const OptionGroup LINK_ROWS = {"Links, packets and nodes", {
    {"rate", "800Gb/s", Plain("rate"),
     "rate of each link", {}, {}, {"ns3::aifabric::FabricPort::DataRate"}},
    {"nicRate", AUTO, Plain("rate"),
     "rate of each NIC, that of its ports in all planes together; unless the rate of links is "
     "given, too, links between switches are as fast as a port (auto: each port as --rate)"},
    {"fabricRate", AUTO, Plain("rate"),
     "rate of each link between switches (auto: as --rate, or as a port with --nicRate alone)"},
    {"delay", "500ns", Duration(0),
     "propagation delay of each link",
     To(&FabricScenario::delayPs), {},
     {"ns3::aifabric::FabricChannel::Delay", "ns3::aifabric::AckBypass::HopTime"}},
    {"buffer", "800kB", Bytes(0),
     "buffer for waiting frames, in bytes for each switch port (default with the transport mrc "
     "and trimming: one bandwidth-delay product of a port)"},
    {"spineBuffer", AUTO, Bytes(0),
     "the same for the ports of the switches above the leaves (auto: as --buffer)"},
    {"mtu", "4096", Bytes(0), "payload of a full packet (bytes)"},
    {"ip", "4", Whole(4, 6),
     "IP version of what queue pairs send: 4 or 6",
     {}, {}, {"ns3::aifabric::RoceNetDevice::IpVersion"}},
    {"gpusPerNode", "1", Whole(1, 0),
     "hosts that are the GPUs of one node, each with its own NIC: messages between them go by the "
     "private fabric of the node (ns3::aifabric::NodeFabric), not by the network"},
    {"nicsPerNode", AUTO, Whole(1, 0),
     "leaf-spine: NICs of a node, each shared by equally many GPUs: a switch with a link to each "
     "of them, and one to its leaf that is as fast as those between switches (auto: each GPU has "
     "its own NIC)",
     {}, SHARED_NICS},
    {"nodeMapping", AUTO, Choice({"rack", "rail"}),
     "where the GPUs of a node hang: rack (all at one leaf) or rail (GPU g at leaf g of a group "
     "of leaves, of which there are as many as a node has GPUs, or NICs) (auto: rack)", {}, NODES},
    {"nvlink", AUTO, Choice({"raw", "v100", "a100", "h100", "b200"}),
     "rate of a GPU in its node: ns3::aifabric::NodeFabric::Rate (raw), or what NCCL reckons that "
     "the NVLinks of a GPU carry: 120 (v100), 240 (a100), 370.8 (h100) or 721.8 GB/s (b200), and "
     "NodeFabric::SwitchShare of h100 or b200 (auto: raw)", {}, NODES},
}};
// clang-format on

/// How switches forward.
// clang-format off
const OptionGroup FORWARDING_ROWS = {"Forwarding", {
    {"forwarding", "clos", Plain("policy"),
     "how switches forward, or help: as --balancer says (clos), by parts of the UDP source port "
     "that the sender chooses (stev), by a route in an outer IPv6 header (srv6), or in a dragonfly "
     "by way of a third group (valiant)"},
    {"stage", NONE, Plain("policy"),
     "what each switch does with a frame before it forwards it, or help: an IngressStage of a "
     "library of your own (--library)"},
}};

// clang-format on

namespace
{

/// Reads the shape, links and packets of the fabric, and which hosts are the GPUs of one node.
class TopologyOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    void ReadShape()
    {
        const std::string topology = m_table.Get("topology");
        const bool isFile = IsTopologyFile(topology);
        const OptionRow& row = m_table.At("topology").row;
        RefuseIf(!isFile && row.type.parse(topology).is_null(),
                 row.name,
                 OptionError::OneOf(topology, row.type.choices, "a file .toml or .csv"));
        RefuseUnmeant(SIZES);
        RefuseUnmeant({"lengths", "hostsPerLeaf", "planes"}); // whose defaults depend on the shape
        ReadAll(SIZES);
        if (isFile || !IsMeant("planes"))
        {
            ReadAnyShape(topology);
        }
        else
        {
            ReadNamed([&]() {
                return topology == "fat-tree"     ? ReadFatTree()
                       : topology == "leaf-spine" ? ReadLeafSpine()
                                                  : ReadThreeTier();
            });
        }
        m_scenario.options["hosts"] = m_scenario.graph->HostCount();
        RefuseIf(m_scenario.graph->HostCount() < 2,
                 isFile                   ? "topology"
                 : topology == "fat-tree" ? "k"
                                          : "hostsPerLeaf",
                 "makes a fabric of less than 2 hosts");
        ReadNodes();
    }

    /// Read a fabric that is no Clos network.  @param topology its shape, or a file
    void ReadAnyShape(const std::string& topology)
    {
        Read("delay");
        ReadRates(1);
        const NetworkCables usual{{m_scenario.rate, m_scenario.delayPs},
                                  {m_scenario.fabricRate, m_scenario.delayPs}};
        if (IsTopologyFile(topology))
        {
            m_scenario.graph =
                ReadFile("topology", [&]() { return ReadTopologyFile(topology, usual); });
            RefuseRatesOf(topology, usual);
        }
        else
        {
            ReadNamed(
                [&]() { return topology == "torus" ? ReadTorus(usual) : ReadDragonfly(usual); });
        }
        RefuseMemory(m_table,
                     m_scenario,
                     m_scenario.graph->HostCount(),
                     m_scenario.graph->Links().size());
    }

    /// Refuse options of links that no link of a file takes, as the file itself says it.
    /// @param file of the fabric  @param usual what links are like of which it does not
    void RefuseRatesOf(const std::string& file, const NetworkCables& usual) const
    {
        constexpr uint64_t GBPS = 1'000'000'000;
        const auto change = [](const NetworkAssembly::Cable& cable) {
            return NetworkAssembly::Cable{cable.rate == GBPS ? 2 * GBPS : GBPS, cable.delayPs + 1};
        };
        const NetworkCables other{change(usual.host), change(usual.fabric)};
        const std::vector<FabricLinkSpec> changed = ReadTopologyFile(file, other).Links();
        bool areHosts = false;
        bool areOthers = false;
        bool areDelays = false;
        for (std::size_t i = 0; i < changed.size(); ++i)
        {
            const FabricLinkSpec& link = m_scenario.graph->Links()[i];
            (link.a.isHost ? areHosts : areOthers) |= link.rate != changed[i].rate;
            areDelays |= link.delayPs != changed[i].delayPs;
        }
        const std::string why = "left out, as " + file + " says it of each such link";
        RefuseIf(IsGiven("nicRate") && !areHosts, "nicRate", why);
        RefuseIf(IsGiven("rate") && !areHosts && (!areOthers || IsSet("fabricRate")), "rate", why);
        RefuseIf(IsGiven("fabricRate") && !areOthers, "fabricRate", why);
        RefuseIf(IsGiven("delay") && !areDelays, "delay", why);
    }

    /// @return the torus that was asked for
    FabricGraph ReadTorus(const NetworkCables& cables)
    {
        TorusConfig config{{4, 4}, Read("hostsPerLeaf", 1), cables};
        if (IsSet("lengths"))
        {
            config.lengths.clear();
            for (const std::string& length : ReadList("lengths"))
            {
                const std::optional<int64_t> number = ParseWhole(length);
                RefuseIf(!number, "lengths", "whole numbers with commas between them, or auto");
                config.lengths.push_back(*number);
            }
        }
        else
        {
            m_scenario.options["lengths"] = "4,4";
        }
        return MakeTorus(config);
    }

    /// @return the dragonfly that was asked for
    FabricGraph ReadDragonfly(const NetworkCables& cables)
    {
        return MakeDragonfly({m_scenario.options["routers"],
                              m_scenario.options["globalLinks"],
                              Read("hostsPerLeaf", 2),
                              cables});
    }

    /// Make a fabric of a named shape, and blame the option of what that refuses.
    template <typename F>
    void ReadNamed(F make)
    {
        try
        {
            m_scenario.graph = make();
        }
        catch (const OptionError&)
        {
            throw;
        }
        catch (const std::invalid_argument& error)
        {
            std::string name;
            const std::string what = SplitMessage(error.what(), name);
            Refuse(name, what);
        }
    }

    /// @return the fat-tree that was asked for
    FabricGraph ReadFatTree()
    {
        FatTreeConfig config;
        config.k = m_scenario.options["k"];
        RefuseIf(config.k % 2 != 0,
                 "k",
                 "an even number from 2 to " + std::to_string(MAX_SWITCH_PORTS - 1) + ", or auto");
        config.planes = Read("planes");
        const auto hosts = static_cast<uint64_t>(config.k * config.k * config.k / 4);
        RefuseMemory(m_table,
                     m_scenario,
                     hosts,
                     hosts * 3 * config.planes); // a link of each tier for each host
        return MakeFatTree(config);
    }

    /// @return the leaf-spine fabric that was asked for
    FabricGraph ReadLeafSpine()
    {
        LeafSpineConfig config;
        config.leaves = m_scenario.options["leaves"];
        config.spines = m_scenario.options["spines"];
        config.hostsPerLeaf = Read("hostsPerLeaf", 8);
        config.planes = Read("planes");
        config.hostsPerNic = ReadGpusPerNic(config.leaves, config.hostsPerLeaf);
        const auto leaves = static_cast<uint64_t>(config.leaves);
        RefuseMemory(m_table,
                     m_scenario,
                     leaves * config.hostsPerLeaf,
                     leaves * (config.hostsPerLeaf + config.spines) * config.planes);
        return MakeLeafSpine(config);
    }

    /// @return GPUs that share a NIC  @param leaves of a plane  @param hostsPerLeaf GPUs at a leaf
    int64_t ReadGpusPerNic(int64_t leaves, int64_t hostsPerLeaf)
    {
        const std::string option = "nicsPerNode";
        const int64_t gpus = Read("gpusPerNode", Whole(1, leaves * hostsPerLeaf));
        if (!IsSet(option) || !IsMeant(option))
        {
            return 1;
        }
        const int64_t nics = Read(option, Whole(1, gpus * MAX_PLANES));
        RefuseIf(nics > gpus && nics % gpus == 0,
                 option,
                 "at most the " + std::to_string(gpus) + " GPUs of a node; " +
                     std::to_string(nics / gpus) + " NICs a GPU are --planes=" +
                     std::to_string(nics / gpus) + " without this option");
        RefuseIf(nics > gpus || gpus % nics != 0,
                 option,
                 "a number that divides the " + std::to_string(gpus) + " GPUs of a node");
        RefuseIf(hostsPerLeaf % (gpus / nics) != 0,
                 option,
                 "so many that the GPUs of a NIC, " + std::to_string(gpus / nics) +
                     ", divide the " + std::to_string(hostsPerLeaf) + " hosts of a leaf");
        return gpus / nics;
    }

    /// @return the three-tier fabric that was asked for
    FabricGraph ReadThreeTier()
    {
        ThreeTierConfig config;
        config.pods = m_scenario.options["pods"];
        config.leavesPerPod = m_scenario.options["leavesPerPod"];
        config.spinesPerPod = m_scenario.options["spinesPerPod"];
        config.cores = m_scenario.options["cores"];
        config.hostsPerLeaf = Read("hostsPerLeaf", 16);
        config.planes = Read("planes");
        const auto leaves = static_cast<uint64_t>(config.pods * config.leavesPerPod);
        RefuseMemory(m_table,
                     m_scenario,
                     leaves * config.hostsPerLeaf,
                     (leaves * (config.hostsPerLeaf + config.spinesPerPod) +
                      static_cast<uint64_t>(config.pods * config.cores)) *
                         config.planes);
        return MakeThreeTier(config);
    }

    /// @return a rate, in bit/s
    uint64_t ReadRate(const std::string& option) const
    {
        const std::optional<uint64_t> rate = ParseRate(m_table.Get(option));
        RefuseIf(!rate || !IsLinkRate(*rate),
                 option,
                 LINK_RATES + std::string(m_table.At(option).row.usual == AUTO ? ", or auto" : ""));
        return *rate;
    }

    /// Read the rates of links.  @param planes ports of each NIC
    void ReadRates(uint32_t planes)
    {
        const std::string fabricRate = m_table.Get("fabricRate") == AUTO ? "rate" : "fabricRate";
        const bool isOfNics = IsSet("nicRate");
        m_scenario.rate = isOfNics ? ReadNicRate(planes) / planes : ReadRate("rate");
        m_scenario.fabricRate =
            isOfNics && !IsGiven(fabricRate) ? m_scenario.rate : ReadRate(fabricRate);
        const auto write = [](uint64_t rate) { return FormatNumber(rate / 1e9) + "Gb/s"; };
        m_scenario.options["nicRate"] = write(m_scenario.rate * planes);
        m_scenario.options["rate"] = isOfNics ? write(m_scenario.rate) : m_table.Get("rate");
        m_scenario.options["fabricRate"] =
            isOfNics ? write(m_scenario.fabricRate) : m_table.Get(fabricRate);
    }

    /// @return the rate of all ports of a NIC, in bit/s  @param planes how many there are
    uint64_t ReadNicRate(uint32_t planes) const
    {
        const std::optional<uint64_t> rate = ParseRate(m_table.Get("nicRate"));
        RefuseIf(!rate || *rate % planes != 0 || !IsLinkRate(*rate / planes),
                 "nicRate",
                 (planes > 1 ? "of " + std::to_string(planes) + " ports together, each of " : "") +
                     std::string(LINK_RATES) + ", or auto");
        return *rate;
    }

    /// Note the rates and the least delay of links that are not all alike.
    void NoteLinks()
    {
        const std::vector<FabricLinkSpec>& links = m_scenario.graph->Links();
        m_scenario.rate = 0;
        m_scenario.fabricRate = 0;
        m_scenario.slowestRate = links.front().rate;
        m_scenario.delayPs = *links.front().delayPs;
        for (const FabricLinkSpec& link : links)
        {
            uint64_t& fastest = link.a.isHost ? m_scenario.rate : m_scenario.fabricRate;
            fastest = std::max(fastest, link.rate);
            m_scenario.slowestRate = std::min(m_scenario.slowestRate, link.rate);
            m_scenario.delayPs = std::min(m_scenario.delayPs, *link.delayPs);
        }
        if (m_scenario.fabricRate == 0)
        {
            m_scenario.fabricRate = m_scenario.rate; // there is one switch
        }
    }

    /// Read what links, ports and packets are like.
    void ReadLinks()
    {
        m_scenario.forwarding = ReadPolicy("forwarding");
        const auto forwarder = MakePolicy<SwitchForwarder>(m_scenario.forwarding);
        const std::string obstacle = forwarder->FindObstacle(*m_scenario.graph);
        RefuseIf(!obstacle.empty(), "forwarding", "another one for a fabric with " + obstacle);
        if (!IsNone("stage"))
        {
            m_scenario.stage = ReadPolicy("stage");
        }
        m_scenario.outerBytes = forwarder->GetOuterBytes();
        ReadRates(m_scenario.graph->Planes());
        m_scenario.slowestRate = std::min(m_scenario.rate, m_scenario.fabricRate);
        Read("delay");
        if (!m_scenario.graph->IsClos())
        {
            NoteLinks();
        }
        const bool needsIpv6 = m_scenario.outerBytes > 0;
        ReadTelemetry();
        const int64_t version =
            needsIpv6 && !m_table.At("ip").IsSet() ? 6 : Read("ip").get<int64_t>();
        RefuseIf(version == 5, "ip", "4 or 6");
        RefuseIf(needsIpv6 && version == 4,
                 "ip",
                 "6 with --forwarding=" + m_table.Get("forwarding") + ", which is IPv6 in IPv6");
        m_scenario.ipv6 = version == 6;
        m_scenario.options["ip"] = version;
        ReadMtu();
        const uint32_t frame =
            FrameCodec::RoceWireBytes(RC_WRITE_ONLY, m_scenario.mtu, m_scenario.ipv6) +
            m_scenario.outerBytes;
        m_scenario.bufferBytes = Read("buffer", Bytes(frame));
        m_scenario.spineBufferBytes = Read("spineBuffer", Bytes(frame, m_scenario.bufferBytes));
        for (const auto& [option, bytes] : {std::pair("buffer", m_scenario.bufferBytes),
                                            std::pair("spineBuffer", m_scenario.spineBufferBytes)})
        {
            RefuseIf(bytes > std::numeric_limits<uint32_t>::max(), option, "less than 4 GiB");
        }
        m_scenario.options["mtu"] = m_scenario.mtu;
    }

    /// Have switches write telemetry if the congestion control needs it.
    void ReadTelemetry()
    {
        const std::string option = "rateControl";
        m_scenario.telemetry = MakePolicy<CongestionControl>(ReadPolicy(option))->NeedsTelemetry();
        if (!m_scenario.telemetry)
        {
            return;
        }
        m_scenario.outerBytes += PathTelemetry::BYTES;
        const uint64_t switches = m_scenario.graph->LongestPathLinks() - 1;
        RefuseIf(switches > PathTelemetry::HOPS,
                 option,
                 "another one where the longest path has " + std::to_string(switches) +
                     " switches: the telemetry (INT) has room for " +
                     std::to_string(PathTelemetry::HOPS));
        RefuseIf(MakePolicy<SwitchForwarder>(m_scenario.forwarding)->HasDetours(),
                 option,
                 "another one with --forwarding=" + m_table.Get("forwarding") +
                     ", which takes detours: telemetry (INT) is of one path");
    }

    /// Read how long packets are.
    void ReadMtu()
    {
        constexpr uint64_t MIN_MTU = 64;
        constexpr uint64_t MAX_MTU = 32768;
        const std::optional<uint64_t> size = ParseBytes(m_table.Get("mtu"));
        RefuseIf(!size || *size < MIN_MTU || *size > MAX_MTU, "mtu", "64 to 32768 bytes");
        const uint64_t mtu = *size;
        m_scenario.mtu = mtu;
        const std::string attribute = "Mtu";
        const TypeId device = FabricNetDevice::GetTypeId();
        const uint64_t usual = *FindDefault<UintegerValue>(device, attribute);
        const uint8_t longest =
            m_table.Get("transport") == "mrc" ? MRC_WRITE_ONLY_IMM : RC_WRITE_ONLY;
        const uint32_t packet = FrameCodec::RoceWireBytes(longest, mtu, m_scenario.ipv6) +
                                m_scenario.outerBytes - FrameCodec::ETHERNET_SIZE -
                                FrameCodec::FCS_SIZE;
        RefuseIf(packet > usual && IsAttributeGiven(device.GetName() + "::" + attribute),
                 "mtu",
                 "packets of " + std::to_string(usual) + " bytes (" + device.GetName() +
                     "::" + attribute + "), and this makes packets of " + std::to_string(packet));
        m_scenario.deviceMtu = std::max<uint64_t>(usual, packet);
    }

    /// Read which hosts are the GPUs of one node.
    void ReadNodes()
    {
        const uint32_t gpus = Read("gpusPerNode", Whole(1, m_scenario.graph->HostCount()));
        ReadAll({"nodeMapping", "nvlink"});
        RefuseUnmeant({"nicsPerNode"});
        if (IsMeant("nicsPerNode"))
        {
            m_scenario.options["nicsPerNode"] = gpus / m_scenario.graph->HostsPerNic();
        }
        if (gpus == 1)
        {
            RefuseAttributes("ns3::aifabric::NodeFabric", NODES.words);
            return;
        }
        const std::string mapping = m_scenario.options["nodeMapping"];
        RefuseIf(
            mapping == "rail" && !m_scenario.graph->IsClos(),
            "nodeMapping",
            "rack in a fabric that has no tiers: hosts with consecutive numbers are the GPUs of "
            "a node, wherever they are attached");
        try
        {
            m_scenario.nodes =
                GpuNodes(*m_scenario.graph,
                         gpus,
                         mapping == "rail" ? GpuNodes::Mapping::RAIL : GpuNodes::Mapping::RACK);
        }
        catch (const std::invalid_argument& error)
        {
            const bool isOfNics = mapping == "rail" && m_scenario.graph->HostsPerNic() > 1;
            Refuse(isOfNics ? "nicsPerNode" : "gpusPerNode",
                   error.what() + (" with --nodeMapping=" + mapping));
        }
        m_scenario.collectives.nodes = m_scenario.nodes;
        ReadNodeRate();
    }

    /// Read the rate of a GPU in its node.
    void ReadNodeRate()
    {
        const std::string rate = "ns3::aifabric::NodeFabric::Rate";
        const std::string gpu = m_scenario.options["nvlink"];
        if (gpu != "raw")
        {
            RefuseIf(IsAttributeGiven(rate), "nvlink", "raw with --" + rate);
            // Links of a GPU times SM70, SM80, SM90 and SM100_NVLINK_BW of src/graph/topo.h of
            // NCCL 2.30, in Mb/s.
            static const std::map<std::string, uint64_t> RATES = {{"v100", 6 * 160000},
                                                                  {"a100", 12 * 160000},
                                                                  {"h100", 18 * 164800},
                                                                  {"b200", 18 * 320800}};
            Config::SetDefault(rate, DataRateValue(DataRate(RATES.at(gpu) * 1000000)));
            const std::string share = "ns3::aifabric::NodeFabric::SwitchShare";
            const auto switches = NcclTuner::FindSwitches(gpu);
            if (switches && !IsAttributeGiven(share))
            {
                Config::SetDefault(share, DoubleValue(switches->share));
            }
        }
        if (IsAttributeGiven(rate))
        {
            OptionError::ThrowIf(CreateObject<NodeFabric>()->GetRate() < NodeFabric::LEAST_RATE,
                                 rate,
                                 m_scenario.attributes.at(rate),
                                 "at least 1Mb/s");
        }
    }
};

} // namespace

void
ReadShape(const OptionTable& table, FabricScenario& scenario)
{
    TopologyOptions(table, scenario).ReadShape();
}

void
ReadLinks(const OptionTable& table, FabricScenario& scenario)
{
    TopologyOptions(table, scenario).ReadLinks();
}

} // namespace aifabric
} // namespace ns3
