/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-options.h"

#include "option-value.h"
#include "policy-kinds.h"
#include "scenario-extent.h"

#include "ns3/clos-builder.h"
#include "ns3/fabric-net-device.h"
#include "ns3/frame-codec.h"
#include "ns3/uinteger.h"
#include "ns3/workload-text.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

const char* const THREE_TIER_ONLY = "only with --topology=three-tier"; //!< of its options

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

void
TopologyOptions::Declare(OptionTable& table)
{
    table.Add("topology", "fat-tree", "shape of the fabric: fat-tree, leaf-spine or three-tier");
    table.AddAuto("k",
                  "fat-tree: ports of each switch, an even number; the fabric has k^3/4 hosts "
                  "(auto: 8)");
    table.AddAuto("leaves", "leaf-spine: leaf switches of each plane (auto: 8)");
    table.AddAuto("spines", "leaf-spine: spine switches of each plane (auto: 8)");
    table.AddAuto("pods", "three-tier: pods (auto: 8)");
    table.AddAuto("leavesPerPod", "three-tier: leaf switches of each pod and plane (auto: 4)");
    table.AddAuto("spinesPerPod", "three-tier: switches of tier 1 of each pod and plane (auto: 4)");
    table.AddAuto("cores",
                  "three-tier: core switches of each plane, a multiple of spinesPerPod (auto: 16)");
    table.AddAuto("hostsPerLeaf",
                  "leaf-spine, three-tier: hosts at each leaf (auto: 8; three-tier 16)");
    table.Add("planes", "1", "planes of the fabric; each NIC has one port in each plane");
    table.Add("rate", "800Gb/s", "rate of each link");
    table.AddAuto("fabricRate", "rate of each link between switches (auto: as --rate)");
    table.Add("delay", "500ns", "propagation delay of each link");
    table.Add(
        "buffer",
        "800kB",
        "buffer for waiting frames, in bytes for each switch port (default with the transport "
        "mrc and trimming: one bandwidth-delay product of a port)");
    table.AddAuto("spineBuffer",
                  "the same for the ports of the switches above the leaves (auto: as --buffer)");
    table.Add("mtu", "4096", "payload of a full packet (bytes)");
    table.Add("ip", "4", "IP version of what queue pairs send: 4 or 6");
    table.Reserve("ns3::aifabric::FabricPort::DataRate", "rate");
    table.Reserve("ns3::aifabric::FabricChannel::Delay", "delay");
    const PolicyRegistry transports = Registry("transport");
    for (const auto& entry : transports.GetTypes())
    {
        table.Reserve(entry.second.GetName() + "::Mtu", "mtu");
    }
    table.Reserve("ns3::aifabric::RoceNetDevice::IpVersion", "ip");
    table.Reserve("ns3::aifabric::AckBypass::HopTime", "delay");
}

void
TopologyOptions::ReadShape()
{
    const std::string topology = m_table.Get("topology");
    try
    {
        if (topology == "fat-tree")
        {
            m_scenario.graph = ReadFatTree();
        }
        else if (topology == "leaf-spine")
        {
            m_scenario.graph = ReadLeafSpine();
        }
        else if (topology == "three-tier")
        {
            m_scenario.graph = ReadThreeTier();
        }
        else
        {
            ReadChoice("topology", {"fat-tree", "leaf-spine", "three-tier"});
        }
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
    m_scenario.options["hosts"] = m_scenario.graph->HostCount();
    RefuseIf(m_scenario.graph->HostCount() < 2,
             topology == "fat-tree" ? "k" : "hostsPerLeaf",
             "makes a fabric of less than 2 hosts");
}

FabricGraph
TopologyOptions::ReadFatTree()
{
    constexpr int64_t K = 8;
    RefuseGiven({"leaves", "spines"}, "only with --topology=leaf-spine");
    RefuseGiven({"pods", "leavesPerPod", "spinesPerPod", "cores"}, THREE_TIER_ONLY);
    RefuseGiven({"hostsPerLeaf"}, "not with --topology=fat-tree");
    FatTreeConfig config;
    config.k = ReadCount("k", 2, MAX_SWITCH_PORTS, K);
    RefuseIf(config.k % 2 != 0,
             "k",
             "an even number from 2 to " + std::to_string(MAX_SWITCH_PORTS - 1) + OrAuto("k"));
    config.planes = ReadCount("planes", 1, MAX_PLANES);
    const auto hosts = static_cast<uint64_t>(config.k * config.k * config.k / 4);
    ScenarioExtent(m_table, m_scenario)
        .RefuseMemory(hosts, hosts * 3 * config.planes); // a link of each tier for each host
    return MakeFatTree(config);
}

FabricGraph
TopologyOptions::ReadLeafSpine()
{
    constexpr int64_t SIZE = 8;
    RefuseGiven({"k"}, "only with --topology=fat-tree");
    RefuseGiven({"pods", "leavesPerPod", "spinesPerPod", "cores"}, THREE_TIER_ONLY);
    LeafSpineConfig config;
    config.leaves = ReadCount("leaves", 1, MAX_SWITCH_PORTS, SIZE);
    config.spines = ReadCount("spines", 1, MAX_SWITCH_PORTS, SIZE);
    config.hostsPerLeaf = ReadCount("hostsPerLeaf", 1, MAX_SWITCH_PORTS, SIZE);
    config.planes = ReadCount("planes", 1, MAX_PLANES);
    const auto leaves = static_cast<uint64_t>(config.leaves);
    ScenarioExtent(m_table, m_scenario)
        .RefuseMemory(leaves * config.hostsPerLeaf,
                      leaves * (config.hostsPerLeaf + config.spines) * config.planes);
    return MakeLeafSpine(config);
}

FabricGraph
TopologyOptions::ReadThreeTier()
{
    constexpr int64_t PODS = 8;
    constexpr int64_t SWITCHES = 4; // of each kind, a pod
    constexpr int64_t CORES = 16;
    constexpr int64_t HOSTS = 16;
    RefuseGiven({"k"}, "only with --topology=fat-tree");
    RefuseGiven({"leaves", "spines"}, "only with --topology=leaf-spine");
    ThreeTierConfig config;
    config.pods = ReadCount("pods", 2, MAX_SWITCH_PORTS, PODS);
    config.leavesPerPod = ReadCount("leavesPerPod", 1, MAX_SWITCH_PORTS, SWITCHES);
    config.spinesPerPod = ReadCount("spinesPerPod", 1, MAX_SWITCH_PORTS, SWITCHES);
    config.cores = ReadCount("cores", 1, MAX_SWITCH_PORTS, CORES);
    config.hostsPerLeaf = ReadCount("hostsPerLeaf", 1, MAX_SWITCH_PORTS, HOSTS);
    config.planes = ReadCount("planes", 1, MAX_PLANES);
    const auto leaves = static_cast<uint64_t>(config.pods * config.leavesPerPod);
    ScenarioExtent(m_table, m_scenario)
        .RefuseMemory(leaves * config.hostsPerLeaf,
                      (leaves * (config.hostsPerLeaf + config.spinesPerPod) +
                       static_cast<uint64_t>(config.pods * config.cores)) *
                          config.planes);
    return MakeThreeTier(config);
}

int64_t
TopologyOptions::ReadCount(const std::string& name,
                           int64_t low,
                           int64_t high,
                           std::optional<int64_t> automatic) const
{
    const int64_t count = ReadInteger(name, low, high, automatic);
    m_scenario.options[name] = count;
    return count;
}

uint64_t
TopologyOptions::ReadRate(const std::string& option) const
{
    constexpr uint64_t MIN_RATE = 1'000'000;                // bit/s
    constexpr uint64_t PS_BIT_PER_BYTE = 8'000'000'000'000; // divided by bit/s: ps a byte
    const std::optional<uint64_t> rate = ParseRate(m_table.Get(option));
    RefuseIf(!rate || *rate < MIN_RATE || PS_BIT_PER_BYTE % *rate != 0,
             option,
             "a rate with its unit, of at least 1 Mb/s, at which a byte takes a whole number of "
             "picoseconds: 10, 25, 40, 50, 100, 200, 400, 800 Gb/s and others" +
                 OrAuto(option));
    return *rate;
}

void
TopologyOptions::ReadLinks()
{
    m_scenario.rate = ReadRate("rate");
    const char* const fabricRate = m_table.Get("fabricRate") == AUTO ? "rate" : "fabricRate";
    m_scenario.fabricRate = ReadRate(fabricRate);
    m_scenario.options["fabricRate"] = m_table.Get(fabricRate);
    m_scenario.delayPs = ReadTime("delay", 0);
    ReadIpVersion();
    ReadMtu();
    const uint32_t frame =
        FrameCodec::RoceWireBytes(RC_WRITE_ONLY, m_scenario.mtu, m_scenario.ipv6) +
        m_scenario.outerBytes;
    m_scenario.bufferBytes = ReadSize("buffer", frame);
    m_scenario.spineBufferBytes = ReadSize("spineBuffer", frame, m_scenario.bufferBytes);
    for (const auto& [option, bytes] : {std::pair("buffer", m_scenario.bufferBytes),
                                        std::pair("spineBuffer", m_scenario.spineBufferBytes)})
    {
        RefuseIf(bytes > std::numeric_limits<uint32_t>::max(), option, "less than 4 GiB");
        m_scenario.options[option] = bytes;
    }
    m_scenario.options["mtu"] = m_scenario.mtu;
}

void
TopologyOptions::ReadIpVersion()
{
    const bool needsIpv6 = m_scenario.outerBytes > 0;
    const int64_t version = needsIpv6 && !m_table.IsSet("ip") ? 6 : ReadInteger("ip", 4, 6);
    RefuseIf(version == 5, "ip", "4 or 6");
    RefuseIf(needsIpv6 && version == 4,
             "ip",
             "6 with --forwarding=" + m_table.Get("forwarding") + ", which is IPv6 in IPv6");
    m_scenario.ipv6 = version == 6;
    m_scenario.options["ip"] = version;
}

void
TopologyOptions::ReadMtu()
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
    const uint8_t longest = m_table.Get("transport") == "mrc" ? MRC_WRITE_ONLY_IMM : RC_WRITE_ONLY;
    const uint32_t packet = FrameCodec::RoceWireBytes(longest, mtu, m_scenario.ipv6) +
                            m_scenario.outerBytes - FrameCodec::ETHERNET_SIZE -
                            FrameCodec::FCS_SIZE;
    RefuseIf(packet > usual && IsAttributeGiven(device.GetName() + "::" + attribute),
             "mtu",
             "packets of " + std::to_string(usual) + " bytes (" + device.GetName() +
                 "::" + attribute + "), and this makes packets of " + std::to_string(packet));
    m_scenario.deviceMtu = std::max<uint64_t>(usual, packet);
}

} // namespace aifabric
} // namespace ns3
