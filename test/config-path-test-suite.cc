/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include <cstddef>

static Suite g_configPath("ai-fabric-config-path", TestSuite::Type::SYSTEM);

/// Config paths reach all parts of a fabric: those of the manual (doc/write-a-scenario.rst), each
/// with the number of objects that it matches in a small fabric.
struct ConfigPathTestCase : FabricTestCase
{
    static constexpr std::size_t HOSTS = 4;         //!< two below each leaf
    static constexpr std::size_t SWITCHES = 4;      //!< two leaves, two spines
    static constexpr std::size_t SWITCH_PORTS = 12; //!< four a leaf, two a spine
    static constexpr std::size_t LINKS = 8;         //!< four of hosts, four between switches

    /// @return the paths, and how many objects have what they end with
    static std::map<std::string, std::size_t> GetPaths()
    {
        const std::string fabricSwitch = "/NodeList/*/$ns3::aifabric::FabricSwitch/";
        const std::string nic = "/NodeList/*/DeviceList/*/$ns3::aifabric::RoceNetDevice/";
        return {
            {fabricSwitch + "Drop", SWITCHES},
            {fabricSwitch + "DetectionDelay", SWITCHES},
            {fabricSwitch + "Balancer", SWITCHES},
            {fabricSwitch + "Admission/$ns3::aifabric::SharedBuffer/Pause", SWITCHES},
            {fabricSwitch + "Marker/$ns3::aifabric::StepMarker/Threshold", SWITCHES},
            {fabricSwitch + "PortList/*/Send", SWITCH_PORTS},
            {fabricSwitch + "PortList/*/Loss", SWITCH_PORTS},
            {fabricSwitch + "PortList/*/QueueList/1/PacketsInQueue", SWITCH_PORTS},
            {nic + "QueuePairTimeout", HOSTS},
            {nic + "PortList/*/Pause", HOSTS},
            {nic + "QueuePairList/*/Retransmission", 2},
            {"/NodeList/*/DeviceList/*/$ns3::aifabric::FabricNetDevice/PhyTxBegin",
             HOSTS + SWITCH_PORTS},
            {"/ChannelList/*/$ns3::aifabric::FabricChannel/LinkState", LINKS},
        };
    }

    /// @param path ends with an attribute or a trace source
    void CheckPath(const std::string& path, std::size_t count)
    {
        const std::size_t slash = path.rfind('/');
        const Config::MatchContainer matches = Config::LookupMatches(path.substr(0, slash));
        NS_TEST_EXPECT_MSG_EQ(matches.GetN(), count, path);
        for (std::size_t i = 0; i < matches.GetN(); ++i)
        {
            const Ptr<Object> object = matches.Get(i);
            TypeId::AttributeInformation attribute;
            const TypeId type = object->GetInstanceTypeId();
            const std::string name = path.substr(slash + 1);
            const bool isThere =
                type.LookupTraceSourceByName(name) || type.LookupAttributeByName(name, &attribute);
            NS_TEST_EXPECT_MSG_EQ(isThere, true, path << " of " << type.GetName());
        }
    }

    /// The nodes of hosts come first, by index, and then those of switches.
    void CheckNodes(const Fabric& fabric)
    {
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric.GetHosts().Get(host)->GetId(), host, "a host");
        }
        for (uint32_t id = 0; id < SWITCHES; ++id)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitchNodes().Get(id)->GetId(), HOSTS + id, "a switch");
        }
    }
};

FABRIC_TEST_F(ConfigPathTestCase,
              g_configPath,
              "config paths reach switches, ports, queues, NICs, queue pairs and links")
{
    LeafSpineConfig config;
    config.leaves = config.spines = config.hostsPerLeaf = 2;
    ClosHelper clos;
    clos.SetAdmission(FactoryOf("SharedBuffer"));
    clos.SetMarker(FactoryOf("StepMarker"));
    Ptr<Fabric> fabric = clos.Install(MakeLeafSpine(config));
    RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(3));
    for (const auto& [path, count] : GetPaths())
    {
        CheckPath(path, count);
    }
    CheckNodes(*fabric);
    fabric->Dispose();
}
