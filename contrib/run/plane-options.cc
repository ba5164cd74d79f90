/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plane-options.h"

#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/fabric-graph.h"
#include "ns3/host-balancer.h"
#include "ns3/link-finder.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

namespace
{

const char* const SERIES = "planeSeries"; //!< option: the interval of planes.csv
const char* const PROBER = "prober";      //!< option: the interval of probes
const char* const DENYLIST = "denylist";  //!< option: links that MRC's paths avoid
const char* const HOSTS = "planeHosts";   //!< option: hosts that have rows of their own

} // namespace

void
PlaneOptions::Declare(OptionTable& table)
{
    table.AddNone(
        PROBER,
        "time between two probes over each link between tiers 0 and 1, such as 10us; they "
        "find what has failed, and deny entropy values that cross it (with MRC)");
    table.Reserve("ns3::aifabric::FabricProber::Interval", PROBER);
    table.AddNone(DENYLIST,
                  "links, switches or hosts, separated by commas and named as in --fail, whose "
                  "links no entropy value may cross (with MRC)");
    table.AddNone(
        SERIES,
        "interval of planes.csv, such as 5us, which has the bytes that NICs send into each "
        "plane and, with MRC, the states of entropy values (changes in evs.csv); a long "
        "run doubles it when there are too many");
    table.AddNone(HOSTS,
                  "hosts of plane-hosts.csv, such as 0-3,8, or all, which has the bytes that their "
                  "NICs send into each plane (with --planeSeries)");
}

void
PlaneOptions::RefuseWithoutEvs(const std::string& option) const
{
    const bool hasEvs = AskPolicy(m_scenario.balancer, &HostBalancer::HasEvStates);
    RefuseIf(!hasEvs || m_scenario.upgrade,
             option,
             "only with --balancer=mrc, and without --upgrade");
}

void
PlaneOptions::ReadProber()
{
    if (IsNone(PROBER))
    {
        return;
    }
    const FabricGraph& graph = *m_scenario.graph;
    RefuseWithoutEvs(PROBER);
    RefuseIf(m_scenario.convergencePs || m_scenario.detectionPs,
             PROBER,
             "only with static routes: --convergence=never or --forwarding=srv6");
    RefuseIf(graph.Tiers() < 2 || graph.Switches()[0].forwarding.hostCount == graph.HostCount(),
             PROBER,
             "only with several leaves");
    RefuseIf(!m_scenario.acksInFabric, PROBER, "only with --acks=fabric");
    m_scenario.proberPs = ReadProbeInterval(PROBER);
}

void
PlaneOptions::ReadDenylist()
{
    if (IsNone(DENYLIST))
    {
        return;
    }
    RefuseWithoutEvs(DENYLIST);
    RefuseIf(m_scenario.proberPs > 0, DENYLIST, "not with --prober, which has its own");
    const LinkFinder finder(*m_scenario.graph, m_scenario.opticPorts);
    for (const std::string& item : ReadList(DENYLIST))
    {
        const std::vector<uint32_t> links = finder.Find(item);
        RefuseIf(links.empty(), DENYLIST, "there is no such link, port or node: " + item);
        m_scenario.denied.insert(links.begin(), links.end());
    }
}

void
PlaneOptions::Read()
{
    ReadProber();
    ReadDenylist();
    if (IsNone(SERIES))
    {
        RefuseGiven({HOSTS}, "only with --planeSeries");
        return;
    }
    m_scenario.planeSeriesPs = ReadTime(SERIES, 1);
    if (!IsNone(HOSTS))
    {
        const std::set<uint32_t> hosts = ReadHosts();
        m_scenario.planeHosts.assign(hosts.begin(), hosts.end());
    }
}

std::set<uint32_t>
PlaneOptions::ReadHosts() const
{
    std::set<uint32_t> hosts;
    if (m_table.Get(HOSTS) == "all")
    {
        for (uint32_t host = 0; host < m_scenario.graph->HostCount(); ++host)
        {
            hosts.insert(hosts.end(), host);
        }
        return hosts;
    }
    for (const std::string& item : ReadList(HOSTS))
    {
        AddHosts(item, hosts);
    }
    return hosts;
}

void
PlaneOptions::AddHosts(const std::string& item, std::set<uint32_t>& hosts) const
{
    const int64_t count = m_scenario.graph->HostCount();
    const std::size_t dash = item.find('-');
    const std::optional<int64_t> first = ParseInteger(item.substr(0, dash));
    const std::optional<int64_t> last =
        dash == std::string::npos ? first : ParseInteger(item.substr(dash + 1));
    RefuseIf(!first || !last || *first < 0 || *last >= count || *first > *last,
             HOSTS,
             "all, or hosts from 0 to " + std::to_string(count - 1) + ", such as 0-3,8");
    for (int64_t host = *first; host <= *last; ++host)
    {
        hosts.insert(host);
    }
}

} // namespace aifabric
} // namespace ns3
