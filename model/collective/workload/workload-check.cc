/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-check.h"

#include "host-streams.h"
#include "wait-graph.h"
#include "workload-values.h"

#include "ns3/message-text.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr std::size_t MAX_SHOWN = 6; //!< nodes of a circle that a message names

/// @return what a collective is, for a message  @param node the collective
std::string
CollectiveText(const WorkloadNode& node)
{
    return NameOf(node.collective) + " " + Quoted(node.name) + " of " + std::to_string(node.bytes) +
           " bytes" + (HasRoot(node.collective) ? " with root " + std::to_string(node.root) : "") +
           (node.parts ? " in parts of unequal sizes" : "") +
           (node.algorithm.empty() ? "" : " by " + node.algorithm) +
           (node.trafficClass == Flow::USUAL_CLASS
                ? ""
                : " in traffic class " + std::to_string(node.trafficClass));
}

/// @return whether two hosts' collectives have parts of the same sizes  @param b the other
bool
HaveSameParts(const WorkloadNode& a, const WorkloadNode& b)
{
    return a.parts == b.parts || (a.parts && b.parts && *a.parts == *b.parts);
}

/// @return whether two hosts' parts may be of one collective  @param b the other
bool
Match(const WorkloadNode& a, const WorkloadNode& b)
{
    return a.collective == b.collective && a.bytes == b.bytes && a.root == b.root &&
           a.algorithm == b.algorithm && a.trafficClass == b.trafficClass && HaveSameParts(a, b);
}

/// Checks one workload.
class Checker
{
  public:
    /// @param workload the workload; must outlive the checker
    Checker(const TrainingWorkload& workload, uint32_t hosts)
        : m_workload(workload),
          m_hosts(hosts),
          m_collectives(workload.programs.size())
    {
    }

    /// Check everything; what comes later relies on what comes before.
    void Check()
    {
        CheckValues(m_workload, m_hosts);
        ListCollectives();
        for (uint32_t i = 0; i < m_workload.communicators.size(); ++i)
        {
            CheckCollectives(i);
        }
        CheckMembership();
        CheckMessages();
        CheckCircles();
    }

  private:
    /// Indices of the collectives of a program, by communicator.
    using Collectives = std::map<uint32_t, std::vector<uint32_t>>;
    /// Hosts from and to, and tag, of messages.
    using Way = std::array<uint32_t, 3>;
    /// A node of a host.
    using Place = std::pair<uint32_t, uint32_t>;

    /// @return the program of a host, or nullptr
    const WorkloadProgram* ProgramOf(uint32_t host) const
    {
        const uint32_t program = m_workload.programOf[host];
        return program == TrainingWorkload::NO_PROGRAM ? nullptr : &m_workload.programs[program];
    }

    /// @return what a node of a host is called  @param place host and index of the node
    std::string PlaceText(const Place& place) const
    {
        return "host " + std::to_string(place.first) + ", " +
               NodeText(*ProgramOf(place.first), place.second);
    }

    /// List the collectives of each program.
    void ListCollectives()
    {
        for (uint32_t index = 0; index < m_workload.programs.size(); ++index)
        {
            const WorkloadProgram& program = m_workload.programs[index];
            for (uint32_t i = 0; i < program.size(); ++i)
            {
                if (program[i].kind == WorkloadNode::Kind::COLLECTIVE)
                {
                    m_collectives[index][program[i].communicator].push_back(i);
                }
            }
        }
    }

    /// @return the collectives that a host issues
    const Collectives& CollectivesOf(uint32_t host) const
    {
        const uint32_t program = m_workload.programOf[host];
        return program == TrainingWorkload::NO_PROGRAM ? m_idle : m_collectives[program];
    }

    /// @return those of a communicator
    const std::vector<uint32_t>& CollectivesOf(uint32_t host, uint32_t communicator) const
    {
        const Collectives& collectives = CollectivesOf(host);
        const auto found = collectives.find(communicator);
        return found == collectives.end() ? m_none : found->second;
    }

    /// Check that all hosts of a communicator issue the same.  @param index of the communicator
    void CheckCollectives(uint32_t index) const
    {
        const Communicator& communicator = m_workload.communicators[index];
        const uint32_t first = communicator.hosts[0];
        const auto& expected = CollectivesOf(first, index);
        const std::string name = "communicator " + Quoted(communicator.name) + ": ";
        for (const uint32_t host : communicator.hosts)
        {
            if (m_workload.programOf[host] == m_workload.programOf[first])
            {
                continue;
            }
            const auto& issued = CollectivesOf(host, index);
            for (std::size_t i = 0; i < std::min(issued.size(), expected.size()); ++i)
            {
                const WorkloadNode& a = (*ProgramOf(first))[expected[i]];
                const WorkloadNode& b = (*ProgramOf(host))[issued[i]];
                if (!Match(a, b))
                {
                    RefuseWorkload(name + "collective " + std::to_string(i) + " is " +
                                   CollectiveText(a) + " on host " + std::to_string(first) +
                                   " and " + CollectiveText(b) + " on host " +
                                   std::to_string(host));
                }
            }
            if (issued.size() != expected.size())
            {
                RefuseWorkload(name + "host " + std::to_string(first) + " issues " +
                               std::to_string(expected.size()) + " collectives and host " +
                               std::to_string(host) + " issues " + std::to_string(issued.size()));
            }
        }
    }

    /// @return the communicators of each host, ascending
    std::vector<std::vector<uint32_t>> ListMemberships() const
    {
        std::vector<std::vector<uint32_t>> memberships(m_hosts);
        for (uint32_t index = 0; index < m_workload.communicators.size(); ++index)
        {
            for (const uint32_t host : m_workload.communicators[index].hosts)
            {
                memberships[host].push_back(index);
            }
        }
        return memberships;
    }

    /// Check that no host issues a collective of a communicator that it is not in.
    void CheckMembership() const
    {
        const std::vector<std::vector<uint32_t>> memberships = ListMemberships();
        std::optional<Place> first; // communicator and host
        for (uint32_t host = 0; host < m_hosts; ++host)
        {
            const auto& in = memberships[host];
            for (const auto& [index, issued] : CollectivesOf(host))
            {
                const Place place(index, host);
                const bool isIn = std::binary_search(in.begin(), in.end(), index);
                first = isIn ? first : std::min(first.value_or(place), place);
            }
        }
        if (first)
        {
            const auto [index, host] = *first;
            RefuseWorkload(PlaceText({host, CollectivesOf(host, index)[0]}) +
                           ": is not in communicator " +
                           Quoted(m_workload.communicators[index].name));
        }
    }

    /// Pair sends and receives.
    void CheckMessages()
    {
        std::map<Way, std::pair<std::vector<Place>, std::vector<Place>>> messages;
        for (uint32_t host = 0; host < m_hosts; ++host)
        {
            const WorkloadProgram* program = ProgramOf(host);
            for (uint32_t i = 0; program && i < program->size(); ++i)
            {
                const WorkloadNode& node = (*program)[i];
                if (node.kind == WorkloadNode::Kind::SEND)
                {
                    messages[{host, node.peer, node.tag}].first.emplace_back(host, i);
                }
                if (node.kind == WorkloadNode::Kind::RECEIVE)
                {
                    messages[{node.peer, host, node.tag}].second.emplace_back(host, i);
                }
            }
        }
        for (const auto& [way, ends] : messages)
        {
            Pair(way, ends.first, ends.second);
        }
    }

    /// Pair the messages of one way.
    void Pair(const Way& way, const std::vector<Place>& sends, const std::vector<Place>& receives)
    {
        const std::string name = "messages from host " + std::to_string(way[0]) + " to host " +
                                 std::to_string(way[1]) + " with tag " + std::to_string(way[2]) +
                                 ": ";
        if (way[0] == way[1])
        {
            RefuseWorkload(name + "a host sends none to itself");
        }
        if (sends.size() != receives.size())
        {
            const std::size_t paired = std::min(sends.size(), receives.size());
            RefuseWorkload(name + std::to_string(sends.size()) + " are sent and " +
                           std::to_string(receives.size()) + " received; " +
                           PlaceText(sends.size() > paired ? sends[paired] : receives[paired]) +
                           " has no partner");
        }
        for (std::size_t i = 0; i < sends.size(); ++i)
        {
            const uint64_t sent = (*ProgramOf(way[0]))[sends[i].second].bytes;
            const uint64_t received = (*ProgramOf(way[1]))[receives[i].second].bytes;
            if (sent != received)
            {
                RefuseWorkload(name + std::to_string(sent) + " bytes are sent and " +
                               std::to_string(received) + " received");
            }
            m_messages.emplace_back(receives[i], sends[i]);
        }
    }

    /// Check that no nodes wait for each other in a circle.
    void CheckCircles() const
    {
        std::vector<uint32_t> begin; // by host: number of its first node
        std::vector<Place> places;   // by number
        for (uint32_t host = 0; host < m_hosts; ++host)
        {
            const WorkloadProgram* program = ProgramOf(host);
            begin.push_back(static_cast<uint32_t>(places.size()));
            for (uint32_t i = 0; program && i < program->size(); ++i)
            {
                places.emplace_back(host, i);
            }
        }
        const std::vector<uint32_t> begins = AddBegins(begin, places);
        WaitGraph graph = MakeGraph(begin, places, begins);
        for (const auto& [receive, send] : m_messages)
        {
            graph.Add(begin[receive.first] + receive.second, begin[send.first] + send.second);
        }
        std::vector<Place> cycle;
        for (const uint32_t node : graph.FindCycle())
        {
            cycle.push_back(places[node]);
        }
        cycle.erase(std::unique(cycle.begin(), cycle.end()), cycle.end()); // a begin and its node
        cycle.resize(cycle.size() - (cycle.size() > 1 && cycle.front() == cycle.back()));
        std::string names;
        for (std::size_t i = 0; i < std::min(cycle.size(), MAX_SHOWN); ++i)
        {
            names += (names.empty() ? "" : "; ") + PlaceText(cycle[i]);
        }
        if (!cycle.empty())
        {
            RefuseWorkload(std::to_string(cycle.size()) + " nodes wait for each other: " + names +
                           (cycle.size() > MAX_SHOWN ? "; ..." : ""));
        }
    }

    /// Number the begins of nodes, where others wait for these: a node waits for its begin, and
    /// the begin for what the node depends on.  @param begin by host, number of its first node
    /// @param [in,out] places by number, the node; the begins are appended
    /// @return by node, the number of its begin, or its own
    std::vector<uint32_t> AddBegins(const std::vector<uint32_t>& begin,
                                    std::vector<Place>& places) const
    {
        std::vector<uint32_t> begins(places.size());
        std::iota(begins.begin(), begins.end(), 0);
        for (uint32_t i = 0; i < begins.size(); ++i)
        {
            const auto [host, index] = places[i];
            for (const uint32_t other : (*ProgramOf(host))[index].startDependencies)
            {
                uint32_t& number = begins[begin[host] + other];
                if (number == begin[host] + other)
                {
                    number = static_cast<uint32_t>(places.size());
                    places.emplace_back(host, other);
                }
            }
        }
        return begins;
    }

    /// @return who waits for whom in the programs  @param begin by host, number of its first node
    /// @param places by number, the node  @param begins by node, number of its begin
    WaitGraph MakeGraph(const std::vector<uint32_t>& begin,
                        const std::vector<Place>& places,
                        const std::vector<uint32_t>& begins) const
    {
        const std::vector<uint32_t> numbers = Numbers(begin, begins.size());
        const std::vector<StreamTable> streams(m_workload.programs.begin(),
                                               m_workload.programs.end());
        WaitGraph graph(static_cast<uint32_t>(places.size()));
        for (uint32_t i = 0; i < begins.size(); ++i)
        {
            const uint32_t host = places[i].first;
            const uint32_t index = places[i].second;
            const uint32_t waiting = begins[i] == i ? numbers[i] : begins[i];
            const auto add = [&](const std::vector<uint32_t>& others, const auto& numbersOf) {
                for (const uint32_t other : others)
                {
                    graph.Add(waiting, numbersOf[begin[host] + other]);
                }
            };
            const WorkloadNode& node = (*ProgramOf(host))[index];
            add(node.dependencies, numbers);
            add(streams[m_workload.programOf[host]].PredecessorsOf(index), numbers);
            add(node.startDependencies, begins);
            if (waiting != numbers[i])
            {
                graph.Add(numbers[i], waiting);
            }
        }
        return graph;
    }

    /// @return by node, its number, where a collective has that of its part of rank 0
    /// @param begin by host, number of its first node  @param nodes how many there are
    std::vector<uint32_t> Numbers(const std::vector<uint32_t>& begin, std::size_t nodes) const
    {
        std::vector<uint32_t> numbers(nodes);
        std::iota(numbers.begin(), numbers.end(), 0);
        for (uint32_t index = 0; index < m_workload.communicators.size(); ++index)
        {
            const auto& members = m_workload.communicators[index].hosts;
            const auto& first = CollectivesOf(members[0], index);
            for (const uint32_t host : members)
            {
                const auto& issued = CollectivesOf(host, index);
                for (std::size_t i = 0; i < issued.size(); ++i)
                {
                    numbers[begin[host] + issued[i]] = begin[members[0]] + first[i];
                }
            }
        }
        return numbers;
    }

    const TrainingWorkload& m_workload;              //!< the workload
    uint32_t m_hosts;                                //!< number of hosts
    std::vector<Collectives> m_collectives;          //!< by program
    Collectives m_idle;                              //!< those of a host without a program
    std::vector<uint32_t> m_none;                    //!< no collectives
    std::vector<std::pair<Place, Place>> m_messages; //!< receives and their sends
};

} // namespace

void
CheckWorkload(const TrainingWorkload& workload, uint32_t hosts)
{
    Checker(workload, hosts).Check();
}

std::vector<uint32_t>
FindCycle(const WorkloadProgram& program)
{
    WaitGraph graph(static_cast<uint32_t>(program.size()));
    for (uint32_t i = 0; i < program.size(); ++i)
    {
        for (const uint32_t other : program[i].dependencies)
        {
            graph.Add(i, other);
        }
    }
    return graph.FindCycle();
}

} // namespace aifabric
} // namespace ns3
