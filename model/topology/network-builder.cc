/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-builder.h"

#include "shortest-paths.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr int64_t MOST_SWITCHES = 4096; //!< a search begins at each
constexpr int64_t MOST_HOSTS = 65536;   //!< each switch has a route to each
constexpr int64_t MOST_AT_SWITCH = 256; //!< hosts at a switch

/// Refuse a parameter that is out of range.  @param name of the parameter  @param unit what it
/// counts
void
RequireRange(const std::string& name, int64_t value, int64_t high, const std::string& unit)
{
    if (value < 1 || value > high)
    {
        throw std::invalid_argument(name + ": " + std::to_string(value) + " is not in 1.." +
                                    std::to_string(high) + " " + unit);
    }
}

/// Refuse a parameter because of what follows from it.  @param name of the parameter
/// @param unit what the total counts
void
RequireTotal(const std::string& name,
             int64_t value,
             int64_t total,
             int64_t most,
             const std::string& unit)
{
    if (total > most)
    {
        throw std::invalid_argument(name + ": " + std::to_string(value) + " gives " +
                                    std::to_string(total) + " " + unit + " (at most " +
                                    std::to_string(most) + ")");
    }
}

/// Attach the same number of hosts to each switch, in the order of switches.
void
AttachHosts(NetworkAssembly& network,
            uint32_t switches,
            uint32_t hosts,
            const NetworkAssembly::Cable& cable)
{
    for (uint32_t host = 0; host < switches * hosts; ++host)
    {
        network.Attach(host, host / hosts, cable);
    }
}

/// @return the number of switches of a torus
uint32_t
CountSwitches(const TorusConfig& config)
{
    constexpr int64_t MANY = int64_t{1} << 40; // switches; no product is larger
    int64_t switches = 1;
    int64_t links = 2; // of a longest path: those of the hosts, and half of each dimension
    for (const int64_t length : config.lengths)
    {
        RequireRange("lengths", length, MOST_SWITCHES, "switches in a dimension");
        switches = std::min(MANY, switches * length);
        links += length / 2;
    }
    const int64_t last = config.lengths.empty() ? 0 : config.lengths.back();
    RequireTotal("lengths", last, switches, MOST_SWITCHES, "switches");
    RequireTotal("lengths", last, links, ShortestPaths::MOST_LINKS, "links on a path");
    return static_cast<uint32_t>(switches);
}

} // namespace

FabricGraph
MakeTorus(const TorusConfig& config)
{
    const uint32_t switches = CountSwitches(config);
    RequireRange("hostsPerLeaf", config.hosts, MOST_AT_SWITCH, "hosts at a switch");
    RequireTotal("hostsPerLeaf", config.hosts, switches * config.hosts, MOST_HOSTS, "hosts");
    NetworkAssembly network;
    for (uint32_t id = 0; id < switches; ++id)
    {
        std::string name = "torus";
        uint32_t rest = id;
        for (const int64_t length : config.lengths)
        {
            name += "-" + std::to_string(rest % length);
            rest /= length;
        }
        network.AddSwitch(name);
    }
    AttachHosts(network, switches, config.hosts, config.cables.host);
    uint32_t stride = 1;
    for (const int64_t length : config.lengths)
    {
        for (uint32_t id = 0; id < switches; ++id)
        {
            const uint32_t place = id / stride % length;
            const uint32_t next = (place + 1) % length;
            if (next > place || length > 2)
            {
                network.Join(id, id + next * stride - place * stride, config.cables.fabric);
            }
        }
        stride *= length;
    }
    return network.Finish();
}

FabricGraph
MakeDragonfly(const DragonflyConfig& config)
{
    RequireRange("routers", config.routers, MOST_SWITCHES, "routers of a group");
    RequireRange("globalLinks", config.globalLinks, MOST_SWITCHES, "links of a router");
    RequireRange("hostsPerLeaf", config.hosts, MOST_AT_SWITCH, "hosts at a router");
    const int64_t groups = config.routers * config.globalLinks + 1;
    const int64_t all = groups * config.routers;
    RequireTotal("routers", config.routers, all, MOST_SWITCHES, "routers");
    RequireTotal("hostsPerLeaf", config.hosts, all * config.hosts, MOST_HOSTS, "hosts");
    const auto routers = static_cast<uint32_t>(config.routers);
    NetworkAssembly network;
    for (uint32_t id = 0; id < groups * routers; ++id)
    {
        const uint32_t group = id / routers;
        network.AddSwitch("group-" + std::to_string(group) + "-router-" +
                              std::to_string(id % routers),
                          group);
    }
    AttachHosts(network, groups * routers, config.hosts, config.cables.host);
    for (uint32_t group = 0; group < groups; ++group)
    {
        for (uint32_t a = 0; a < routers; ++a)
        {
            for (uint32_t b = a + 1; b < routers; ++b)
            {
                network.Join(group * routers + a, group * routers + b, config.cables.fabric);
            }
        }
    }
    for (uint32_t group = 0; group < groups; ++group)
    {
        for (uint32_t link = 0; link + 1 < groups; ++link)
        {
            const uint32_t other = (group + link + 1) % groups;
            const auto back = static_cast<uint32_t>(groups) - 2 - link; // its number there
            if (group < other)
            {
                network.Join(group * routers + link / config.globalLinks,
                             other * routers + back / config.globalLinks,
                             config.cables.fabric);
            }
        }
    }
    return network.Finish();
}

} // namespace aifabric
} // namespace ns3
