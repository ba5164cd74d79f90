/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "clos-builder.h"

#include "fabric-assembly.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace aifabric
{

namespace
{

/**
 * Refuse a parameter that is out of range.
 *
 * @param name name of the parameter
 * @param low lowest allowed
 * @param high highest allowed
 */
void
RequireRange(const std::string& name, int64_t value, int64_t low, int64_t high)
{
    if (value < low || value > high)
    {
        throw std::invalid_argument(name + ": " + std::to_string(value) + " is not in " +
                                    std::to_string(low) + ".." + std::to_string(high));
    }
}

/**
 * Refuse a parameter because of what follows from it.
 *
 * @param name name of the parameter
 * @param total what follows from it
 * @param unit what the total counts
 * @param most the highest allowed total
 */
void
RequireTotal(const std::string& name,
             int64_t value,
             int64_t total,
             const std::string& unit,
             int64_t most)
{
    if (total > most)
    {
        throw std::invalid_argument(name + ": " + std::to_string(value) + " gives " +
                                    std::to_string(total) + " " + unit + " (at most " +
                                    std::to_string(most) + ")");
    }
}

/// A checked leaf-spine configuration.
struct LeafSpineSize
{
    uint32_t leaves; //!< leaves a plane
    uint32_t spines; //!< spines a plane
    uint32_t hosts;  //!< hosts a leaf
    uint32_t bundle; //!< links between a leaf and a spine
    uint16_t planes; //!< planes
};

/// @return the checked size  @param config what was asked for
LeafSpineSize
Check(const LeafSpineConfig& config)
{
    RequireRange("leaves", config.leaves, 1, MAX_SWITCH_PORTS);
    RequireRange("spines", config.spines, 1, MAX_SWITCH_PORTS);
    RequireRange("hostsPerLeaf", config.hostsPerLeaf, 1, MAX_SWITCH_PORTS);
    RequireRange("linksPerSpine", config.linksPerSpine, 1, MAX_SWITCH_PORTS);
    RequireRange("planes", config.planes, 1, MAX_PLANES);
    RequireRange("hostsPerNic", config.hostsPerNic, 1, config.hostsPerLeaf);
    RequireRange("linksPerSpine", config.hostsPerNic > 1 ? config.linksPerSpine : 1, 1, 1);
    if (config.hostsPerLeaf % config.hostsPerNic != 0)
    {
        throw std::invalid_argument("hostsPerNic: " + std::to_string(config.hostsPerNic) +
                                    " does not divide hostsPerLeaf");
    }
    const auto nics = config.hostsPerNic > 1 ? config.hostsPerLeaf / config.hostsPerNic : 0;
    auto uplinks = config.spines * config.linksPerSpine;
    RequireTotal("linksPerSpine",
                 config.linksPerSpine,
                 config.leaves * config.linksPerSpine,
                 "ports a spine",
                 MAX_SWITCH_PORTS);
    RequireTotal("hostsPerLeaf",
                 config.hostsPerLeaf,
                 config.hostsPerLeaf + uplinks,
                 "ports a leaf",
                 MAX_SWITCH_PORTS);
    RequireTotal("hostsPerLeaf",
                 config.hostsPerLeaf,
                 config.leaves * config.hostsPerLeaf,
                 "hosts",
                 MAX_HOSTS);
    RequireTotal("leaves",
                 config.leaves,
                 config.leaves * (config.hostsPerLeaf + nics + uplinks) * config.planes,
                 "links",
                 MAX_LINKS);
    RequireTotal("spines",
                 config.spines,
                 (config.leaves * (nics + 1) + config.spines) * config.planes,
                 "switches",
                 MAX_SWITCHES);
    return {static_cast<uint32_t>(config.leaves),
            static_cast<uint32_t>(config.spines),
            static_cast<uint32_t>(config.hostsPerLeaf),
            static_cast<uint32_t>(config.linksPerSpine),
            static_cast<uint16_t>(config.planes)};
}

/// Add one plane.  @param assembly where to  @param size the fabric's size
void
AddLeafSpinePlane(FabricAssembly& assembly, const LeafSpineSize& size, uint16_t plane)
{
    auto firstLeaf = assembly.NextSwitch();
    auto firstSpine = firstLeaf + size.leaves;
    auto uplinks = size.spines * size.bundle;
    for (uint32_t leaf = 0; leaf < size.leaves; ++leaf)
    {
        auto firstHost = leaf * size.hosts;
        assembly.AddSwitch({0, plane, 0, leaf, 0, {}}, firstHost, 1, size.hosts, 1, uplinks);
        assembly.AttachHosts(firstLeaf + leaf, firstHost, size.hosts, plane);
    }
    for (uint32_t spine = 0; spine < size.spines; ++spine)
    {
        assembly.AddSwitch({1, plane, FabricSwitchSpec::NO_POD, spine, 0, {}},
                           0,
                           size.hosts,
                           size.leaves,
                           size.bundle,
                           0);
    }
    for (uint32_t leaf = 0; leaf < size.leaves; ++leaf)
    {
        for (uint32_t uplink = 0; uplink < uplinks; ++uplink)
        {
            assembly.Join(firstLeaf + leaf,
                          size.hosts + uplink,
                          firstSpine + uplink / size.bundle,
                          leaf * size.bundle + uplink % size.bundle);
        }
    }
}

/// A checked three-tier configuration.
struct ThreeTierSize
{
    uint32_t pods;   //!< pods
    uint32_t leaves; //!< leaves a pod
    uint32_t spines; //!< switches of tier 1 a pod
    uint32_t bundle; //!< cores above each switch of tier 1
    uint32_t hosts;  //!< hosts a leaf
    uint16_t planes; //!< planes

    /// @return links of one plane
    uint64_t LinksPerPlane() const
    {
        return uint64_t{pods} * (leaves * (uint64_t{hosts} + spines) + uint64_t{spines} * bundle);
    }

    /// @return switches of one plane
    uint64_t SwitchesPerPlane() const
    {
        return uint64_t{pods} * (leaves + spines) + uint64_t{spines} * bundle;
    }
};

/// @return the checked size  @param config what was asked for
ThreeTierSize
Check(const FatTreeConfig& config)
{
    if (config.k < 2 || config.k % 2 != 0 || config.k > MAX_SWITCH_PORTS)
    {
        throw std::invalid_argument("k: " + std::to_string(config.k) +
                                    " is not an even number of at least 2 and at most " +
                                    std::to_string(MAX_SWITCH_PORTS - 1));
    }
    auto half = config.k / 2;
    auto hosts = config.hostsPerEdge.value_or(half);
    auto edges = config.k * half;
    RequireRange("planes", config.planes, 1, MAX_PLANES);
    RequireRange("hostsPerEdge", hosts, 1, MAX_SWITCH_PORTS - half);
    const char* blamed = config.hostsPerEdge ? "hostsPerEdge" : "k";
    RequireTotal(blamed, config.hostsPerEdge.value_or(config.k), edges * hosts, "hosts", MAX_HOSTS);
    RequireTotal("k", config.k, edges * (hosts + config.k) * config.planes, "links", MAX_LINKS);
    return {static_cast<uint32_t>(config.k),
            static_cast<uint32_t>(half),
            static_cast<uint32_t>(half),
            static_cast<uint32_t>(half),
            static_cast<uint32_t>(hosts),
            static_cast<uint16_t>(config.planes)};
}

/// @return the checked size  @param config what was asked for
ThreeTierSize
Check(const ThreeTierConfig& config)
{
    RequireRange("pods", config.pods, 2, MAX_SWITCH_PORTS);
    RequireRange("leavesPerPod", config.leavesPerPod, 1, MAX_SWITCH_PORTS);
    RequireRange("spinesPerPod", config.spinesPerPod, 1, MAX_SWITCH_PORTS);
    RequireRange("cores", config.cores, 1, MAX_SWITCH_PORTS);
    RequireRange("hostsPerLeaf", config.hostsPerLeaf, 1, MAX_SWITCH_PORTS);
    RequireRange("planes", config.planes, 1, MAX_PLANES);
    if (config.cores % config.spinesPerPod != 0)
    {
        throw std::invalid_argument("cores: " + std::to_string(config.cores) +
                                    " is no multiple of spinesPerPod");
    }
    auto bundle = config.cores / config.spinesPerPod;
    auto leaves = config.pods * config.leavesPerPod;
    auto ports = config.hostsPerLeaf + config.spinesPerPod;
    RequireTotal("hostsPerLeaf", config.hostsPerLeaf, ports, "ports a leaf", MAX_SWITCH_PORTS);
    RequireTotal("leavesPerPod",
                 config.leavesPerPod,
                 config.leavesPerPod + bundle,
                 "ports a switch of tier 1",
                 MAX_SWITCH_PORTS);
    RequireTotal("leavesPerPod", config.leavesPerPod, leaves, "leaves", MAX_SWITCHES);
    RequireTotal("hostsPerLeaf",
                 config.hostsPerLeaf,
                 leaves * config.hostsPerLeaf,
                 "hosts",
                 MAX_HOSTS);
    RequireTotal("pods",
                 config.pods,
                 (leaves * ports + config.pods * config.cores) * config.planes,
                 "links",
                 MAX_LINKS);
    auto podSwitches = config.pods * (config.leavesPerPod + config.spinesPerPod);
    RequireTotal("pods",
                 config.pods,
                 (podSwitches + config.cores) * config.planes,
                 "switches",
                 MAX_SWITCHES);
    return {static_cast<uint32_t>(config.pods),
            static_cast<uint32_t>(config.leavesPerPod),
            static_cast<uint32_t>(config.spinesPerPod),
            static_cast<uint32_t>(bundle),
            static_cast<uint32_t>(config.hostsPerLeaf),
            static_cast<uint16_t>(config.planes)};
}

/**
 * Add the switches of one pod and the links below its core.
 *
 * @param assembly where to
 * @param size the fabric's size
 */
void
AddPod(FabricAssembly& assembly, const ThreeTierSize& size, uint16_t plane, uint32_t pod)
{
    auto firstLeaf = assembly.NextSwitch();
    auto firstSpine = firstLeaf + size.leaves;
    auto hostsPerPod = size.leaves * size.hosts;
    for (uint32_t leaf = 0; leaf < size.leaves; ++leaf)
    {
        auto firstHost = pod * hostsPerPod + leaf * size.hosts;
        assembly.AddSwitch({0, plane, pod, leaf, 0, {}}, firstHost, 1, size.hosts, 1, size.spines);
        assembly.AttachHosts(firstLeaf + leaf, firstHost, size.hosts, plane);
    }
    for (uint32_t spine = 0; spine < size.spines; ++spine)
    {
        assembly.AddSwitch({1, plane, pod, spine, 0, {}},
                           pod * hostsPerPod,
                           size.hosts,
                           size.leaves,
                           1,
                           size.bundle);
    }
    for (uint32_t leaf = 0; leaf < size.leaves; ++leaf)
    {
        for (uint32_t spine = 0; spine < size.spines; ++spine)
        {
            assembly.Join(firstLeaf + leaf, size.hosts + spine, firstSpine + spine, leaf);
        }
    }
}

/// Add one plane.  @param assembly where to  @param size the fabric's size
void
AddThreeTierPlane(FabricAssembly& assembly, const ThreeTierSize& size, uint16_t plane)
{
    auto firstSwitch = assembly.NextSwitch();
    auto podSwitches = size.leaves + size.spines;
    auto firstCore = firstSwitch + size.pods * podSwitches;
    auto cores = size.spines * size.bundle;
    for (uint32_t pod = 0; pod < size.pods; ++pod)
    {
        AddPod(assembly, size, plane, pod);
    }
    for (uint32_t c = 0; c < cores; ++c)
    {
        assembly.AddSwitch({2, plane, FabricSwitchSpec::NO_POD, c, 0, {}},
                           0,
                           size.leaves * size.hosts,
                           size.pods,
                           1,
                           0);
    }
    for (uint32_t pod = 0; pod < size.pods; ++pod)
    {
        auto firstSpine = firstSwitch + pod * podSwitches + size.leaves;
        for (uint32_t c = 0; c < cores; ++c)
        {
            assembly.Join(firstSpine + c / size.bundle,
                          size.leaves + c % size.bundle,
                          firstCore + c,
                          pod);
        }
    }
}

/// @return the fabric  @param sharesNics whether switches of tier 0 are NICs of several hosts
FabricGraph
MakeThreeTier(const ThreeTierSize& size, bool sharesNics = false)
{
    FabricAssembly assembly(size.planes * size.SwitchesPerPlane(),
                            size.planes * size.LinksPerPlane());
    for (uint16_t plane = 0; plane < size.planes; ++plane)
    {
        AddThreeTierPlane(assembly, size, plane);
    }
    return assembly.Finish(size.pods * size.leaves * size.hosts, size.planes, sharesNics);
}

/// @return a leaf-spine fabric whose hosts share NICs, as a three-tier one of a leaf a pod
/// @param hostsPerNic how many share one
ThreeTierSize
WithNics(const LeafSpineSize& size, uint32_t hostsPerNic)
{
    return {size.leaves, size.hosts / hostsPerNic, 1, size.spines, hostsPerNic, size.planes};
}

} // namespace

FabricGraph
MakeLeafSpine(const LeafSpineConfig& config)
{
    auto size = Check(config);
    if (config.hostsPerNic > 1)
    {
        return MakeThreeTier(WithNics(size, static_cast<uint32_t>(config.hostsPerNic)), true);
    }
    auto linksPerLeaf = size.hosts + size.spines * size.bundle;
    FabricAssembly assembly(static_cast<uint64_t>(size.planes) * (size.leaves + size.spines),
                            static_cast<uint64_t>(size.planes) * size.leaves * linksPerLeaf);
    for (uint16_t plane = 0; plane < size.planes; ++plane)
    {
        AddLeafSpinePlane(assembly, size, plane);
    }
    return assembly.Finish(size.leaves * size.hosts, size.planes);
}

FabricGraph
MakeFatTree(const FatTreeConfig& config)
{
    return MakeThreeTier(Check(config));
}

FabricGraph
MakeThreeTier(const ThreeTierConfig& config)
{
    return MakeThreeTier(Check(config));
}

} // namespace aifabric
} // namespace ns3
