/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "te-solver.h"

#include "te-floors.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr std::size_t LONGEST = 512; //!< changes of a chain, at most

} // namespace

TeSolver::TeSolver(const FabricGraph& graph, const TeSnapshot& snapshot, uint32_t sweeps)
    : m_graph(graph),
      m_snapshot(snapshot),
      m_sweeps(sweeps),
      m_live(graph, snapshot.alive),
      m_chosen(snapshot.demands.size(), UNPLACED),
      m_loads(2 * graph.Links().size()),
      m_users(2 * graph.Links().size()),
      m_floors(2 * graph.Links().size())
{
    if (!(snapshot.capacity > 0))
    {
        throw std::invalid_argument("TeSolver: the capacity of links is not above 0");
    }
    for (const TrafficDemand& demand : snapshot.demands)
    {
        if (demand.source >= graph.HostCount() || demand.destination >= graph.HostCount() ||
            !(demand.rate > 0))
        {
            throw std::invalid_argument("TeSolver: a demand names a host that is not there, or its "
                                        "rate is not above 0");
        }
    }
}

TeSolution
TeSolver::Solve(const std::vector<std::vector<PathHop>>& previous)
{
    FindChoices();
    if (previous.size() == m_chosen.size())
    {
        KeepPrevious(previous);
    }
    PlaceRest();
    TeSolution solution;
    solution.greedyMaxLoad = MaxLoad();
    Refine();
    solution.maxLoad = MaxLoad();
    solution.loads = m_loads;
    solution.refinements = m_refinements;
    solution.paths.resize(m_chosen.size());
    solution.isPlaced.resize(m_chosen.size());
    for (uint32_t demand = 0; demand < m_chosen.size(); ++demand)
    {
        if (m_chosen[demand] != UNPLACED)
        {
            solution.isPlaced[demand] = true;
            solution.paths[demand] = PathOf(demand).hops;
        }
    }
    return solution;
}

void
TeSolver::FindChoices()
{
    for (const TrafficDemand& demand : m_snapshot.demands)
    {
        m_choices.push_back(&m_live.Between(demand.source, demand.destination, m_snapshot.plane));
    }
}

void
TeSolver::KeepPrevious(const std::vector<std::vector<PathHop>>& previous)
{
    for (uint32_t demand = 0; demand < m_chosen.size(); ++demand)
    {
        const auto& paths = PathsOf(demand);
        const auto kept = std::find_if(paths.begin(), paths.end(), [&](const LivePath& path) {
            return path.hops == previous[demand];
        });
        if (kept != paths.end())
        {
            Assign(demand, kept - paths.begin());
        }
    }
}

void
TeSolver::PlaceRest()
{
    const auto& demands = m_snapshot.demands;
    std::vector<uint32_t> order(demands.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&demands](uint32_t a, uint32_t b) {
        return std::make_tuple(-demands[a].rate, demands[a].source, demands[a].destination) <
               std::make_tuple(-demands[b].rate, demands[b].source, demands[b].destination);
    });
    for (const uint32_t demand : order)
    {
        if (m_chosen[demand] == UNPLACED && !PathsOf(demand).empty())
        {
            Assign(demand, FindBest(demand));
        }
    }
}

uint32_t
TeSolver::FindBest(uint32_t demand) const
{
    // A path with room has a largest load of at most 1, so that the least one has room if any has.
    const double rate = m_snapshot.demands[demand].rate;
    const auto& paths = PathsOf(demand);
    uint32_t best = 0;
    std::pair<double, double> least;
    for (uint32_t i = 0; i < paths.size(); ++i)
    {
        double squares = 0;
        for (const uint32_t link : paths[i].links)
        {
            squares += m_loads[link] * m_loads[link];
        }
        const std::pair<double, double> cost{LoadWith(paths[i], rate), squares};
        if (i == 0 || cost < least)
        {
            best = i;
            least = cost;
        }
    }
    return best;
}

double
TeSolver::LoadWith(const LivePath& path, double more) const
{
    double most = 0;
    for (const uint32_t link : path.links)
    {
        most = std::max(most, m_loads[link] + more / m_snapshot.capacity);
    }
    return most;
}

void
TeSolver::Assign(uint32_t demand, uint32_t path)
{
    const double share = m_snapshot.demands[demand].rate / m_snapshot.capacity;
    if (m_chosen[demand] != UNPLACED)
    {
        for (const uint32_t link : PathOf(demand).links)
        {
            auto& users = m_users[link];
            users.erase(std::find(users.begin(), users.end(), demand));
            m_loads[link] = users.empty() ? 0 : m_loads[link] - share;
        }
    }
    m_chosen[demand] = path;
    if (path != UNPLACED)
    {
        for (const uint32_t link : PathOf(demand).links)
        {
            m_users[link].push_back(demand);
            m_loads[link] += share;
        }
    }
}

double
TeSolver::MaxLoad() const
{
    return m_loads.empty() ? 0 : *std::max_element(m_loads.begin(), m_loads.end());
}

void
TeSolver::Refine()
{
    double least = 0; // no link of a demand can have less than the demand
    for (uint32_t demand = 0; demand < m_chosen.size(); ++demand)
    {
        if (m_chosen[demand] != UNPLACED && !PathOf(demand).links.empty())
        {
            least = std::max(least, m_snapshot.demands[demand].rate / m_snapshot.capacity);
        }
    }
    m_floors = FindFloors(m_graph, m_snapshot, m_loads, m_users);
    for (uint32_t sweep = 0; sweep < m_sweeps; ++sweep)
    {
        const double limit = FindWorst() - LOAD_EPSILON;
        if (limit <= least)
        {
            return;
        }
        if (!Sweep(limit))
        {
            MarkStuck(limit);
        }
    }
}

double
TeSolver::FindWorst() const
{
    double most = 0;
    for (uint32_t link = 0; link < m_loads.size(); ++link)
    {
        most = m_loads[link] >= m_floors[link] ? std::max(most, m_loads[link]) : most;
    }
    return most;
}

void
TeSolver::MarkStuck(double limit)
{
    for (uint32_t link = 0; link < m_loads.size(); ++link)
    {
        if (m_loads[link] >= limit)
        {
            m_floors[link] = std::numeric_limits<double>::infinity();
        }
    }
}

bool
TeSolver::Sweep(double limit)
{
    bool hasImproved = false;
    for (uint32_t link = 0; link < m_loads.size(); ++link)
    {
        bool isStuck = false;
        while (m_loads[link] >= std::max(limit, m_floors[link]) && !isStuck)
        {
            isStuck = true;
            std::vector<uint32_t> users = m_users[link];
            std::sort(users.begin(), users.end(), [this](uint32_t a, uint32_t b) {
                return std::make_pair(m_snapshot.demands[a].rate, a) <
                       std::make_pair(m_snapshot.demands[b].rate, b);
            });
            for (std::size_t i = 0; i < users.size() && isStuck; ++i)
            {
                isStuck = !Improve(users[i], limit);
            }
            hasImproved |= !isStuck;
        }
    }
    return hasImproved;
}

bool
TeSolver::Improve(uint32_t demand, double limit)
{
    const uint32_t old = m_chosen[demand];
    Assign(demand, UNPLACED);
    const uint32_t best = FindBest(demand);
    const bool isBetter = LoadWith(PathsOf(demand)[best], m_snapshot.demands[demand].rate) < limit;
    Assign(demand, isBetter ? best : old);
    if (isBetter)
    {
        ++m_refinements;
        return true;
    }
    const auto& paths = PathsOf(demand);
    std::set<uint32_t> middles{paths[old].middle};
    for (const LivePath& path : paths)
    {
        middles.insert(path.middle);
    }
    for (uint32_t first = 0; first < paths.size(); ++first)
    {
        if (first == old)
        {
            continue;
        }
        for (const uint32_t back : middles)
        {
            if (back != paths[first].middle && TryChain(demand, first, back, limit))
            {
                return true;
            }
        }
    }
    return false;
}

bool
TeSolver::TryChain(uint32_t demand, uint32_t first, uint32_t back, double limit)
{
    std::vector<Move> moves{{demand, m_chosen[demand]}};
    const uint32_t forth = PathsOf(demand)[first].middle;
    Assign(demand, first);
    std::vector<uint32_t> full = FindFull(PathOf(demand), limit);
    bool isBack = true; // where the next demand goes
    while (full.size() == 1 && moves.size() < LONGEST)
    {
        const uint32_t victim = FindVictim(full[0], limit, moves);
        const uint32_t path =
            victim == UNPLACED ? UNPLACED : FindVia(victim, isBack ? back : forth);
        if (path == UNPLACED)
        {
            break;
        }
        moves.push_back({victim, m_chosen[victim]});
        Assign(victim, path);
        full = FindFull(PathOf(victim), limit);
        isBack = !isBack;
    }
    if (full.empty())
    {
        m_refinements += moves.size();
        return true;
    }
    for (auto move = moves.rbegin(); move != moves.rend(); ++move)
    {
        Assign(move->demand, move->path);
    }
    return false;
}

uint32_t
TeSolver::FindVictim(uint32_t link, double limit, const std::vector<Move>& moves) const
{
    uint32_t victim = UNPLACED;
    for (const uint32_t user : m_users[link])
    {
        const double rate = m_snapshot.demands[user].rate;
        const bool isMoved = std::any_of(moves.begin(), moves.end(), [user](const Move& move) {
            return move.demand == user;
        });
        if (!isMoved && m_loads[link] - rate / m_snapshot.capacity < limit &&
            (victim == UNPLACED || rate < m_snapshot.demands[victim].rate))
        {
            victim = user;
        }
    }
    return victim;
}

uint32_t
TeSolver::FindVia(uint32_t demand, uint32_t middle) const
{
    const auto& paths = PathsOf(demand);
    uint32_t best = UNPLACED;
    double least = 0;
    for (uint32_t i = 0; i < paths.size(); ++i)
    {
        const double load = LoadWith(paths[i], 0);
        if (paths[i].middle == middle && i != m_chosen[demand] &&
            (best == UNPLACED || load < least))
        {
            best = i;
            least = load;
        }
    }
    return best;
}

std::vector<uint32_t>
TeSolver::FindFull(const LivePath& path, double limit) const
{
    std::vector<uint32_t> full;
    std::copy_if(path.links.begin(),
                 path.links.end(),
                 std::back_inserter(full),
                 [&](uint32_t link) { return m_loads[link] >= limit; });
    return full;
}

} // namespace aifabric
} // namespace ns3
