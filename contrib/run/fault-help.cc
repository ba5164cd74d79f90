/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// What a fault may be.
const char* const GRAMMAR =
    R"(# A fault is WHERE[/DIRECTION][CHANGE]@START[-STOP][FLAPS], and faults are separated by
# commas.
# WHERE:     LINK, by its name or its number, which counts from 0
#            NODE:PORT, the link there, such as leaf-0:4
#            NODE--NODE, all links between two nodes, such as leaf-0--spine-1
#            NODE, all links of a switch or a host, such as spine-1 or host-5
#            plane-N, all links of a plane
#            optic-NODE:PORT, all links whose optic is that of the port
#            A+B, all links of several places
#            cables:N, so many links between switches, drawn at random; cables:0.05 is a
#            share of them. If they are cut from time 0 for good, all hosts stay
#            connected
#            switches:N, so many switches above the leaves, with all of their links
#            optics:N, so many optics of switches
# DIRECTION: up, what the lower end sends, or down. Without it, both
# CHANGE:    *F, a fraction F of the rate is left
#            ~F, the link is degraded: a fraction F of its rate, of the room of its
#            queues, and of their marking thresholds is left
#            %P, a share P of the frames is lost. Behind it :burst=B, the mean number of
#            frames that are lost one after the other, and :data, :control or :dscp=N, if
#            only these frames are lost
#            Without it, the link is cut
# START:     a time, such as 10us. With STOP, the fault ends then
# FLAPS:     :period=TIME:duty=F:count=N, from START on the fault lasts for the fraction F
#            (0.5) of each period, N times, or until STOP
)";

/// @return a range as people write it
std::string
Range(const std::string& first, const std::string& last)
{
    return first == last ? first : first + " to " + last;
}

/// Print the links; of a large fabric the first and the last of each tier.
void
PrintLinks(const FabricGraph& graph, std::ostream& os)
{
    constexpr std::size_t MOST_LINES = 4096;
    const uint32_t count = graph.Links().size();
    const bool isLarge = count > MOST_LINES;
    os << "# " << count << " links, with the numbers " << Range("0", std::to_string(count - 1))
       << (isLarge ? "; the first and the last of each tier:\n" : ":\n");
    std::map<uint8_t, std::pair<uint32_t, uint32_t>> ends; // the first and the last, by tier
    for (uint32_t link = 0; link < count; ++link)
    {
        ends.try_emplace(graph.Links()[link].tier, link, link).first->second.second = link;
        if (!isLarge)
        {
            os << graph.LinkName(link) << "\n";
        }
    }
    for (const auto& [tier, pair] : ends)
    {
        if (isLarge)
        {
            os << graph.LinkName(pair.first) << "\n" << graph.LinkName(pair.second) << "\n";
        }
    }
}

/// Print hosts, switches and planes with their ports, a line for each tier.
void
PrintNodes(const FabricGraph& graph, std::ostream& os)
{
    const std::string lastPlane = std::to_string(graph.Planes() - 1);
    os << "# Hosts: " << Range("host-0", "host-" + std::to_string(graph.HostCount() - 1))
       << ", ports " << Range("0", lastPlane) << ", one in each plane\n";
    for (uint8_t tier = 0; tier < graph.Tiers(); ++tier)
    {
        std::vector<uint32_t> ids;
        for (uint32_t id = 0; id < graph.Switches().size(); ++id)
        {
            if (graph.Switches()[id].tier == tier)
            {
                ids.push_back(id);
            }
        }
        const FabricSwitchSpec& first = graph.Switches()[ids.front()];
        os << "# Switches: " << ids.size() << " of tier " << int{tier} << ", "
           << Range(graph.SwitchName(ids.front()), graph.SwitchName(ids.back())) << ", ports 0 to "
           << first.portCount - 1;
        if (graph.IsClos() && first.forwarding.up.count > 0)
        {
            os << ", upward from " << first.forwarding.up.first;
        }
        os << "\n";
    }
    os << "# Planes: " << Range("plane-0", "plane-" + lastPlane) << "\n";
}

} // namespace

void
PrintFaultHelp(const FabricScenario& scenario, std::ostream& os)
{
    PrintLinks(*scenario.graph, os);
    PrintNodes(*scenario.graph, os);
    os << "# Optics: each serves " << scenario.opticPorts
       << " consecutive ports of a node (--opticPorts)\n"
       << GRAMMAR;
}

} // namespace aifabric
} // namespace ns3
