/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_BACKLOG_H
#define FLUID_BACKLOG_H

#include "fluid-solver.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How many bytes wait at ports, where a FluidSolver has the rates: it has no queues.
 *
 * Hosts send at line rate, whatever rate the links behind have for them. A host that could send B
 * bytes at rate u has sent them after B / u. If the links let them through at rate r, B (1 - r / u)
 * of them wait then, at the first full link, and so do all bytes of the messages that the queue
 * pair sends next. A link has at most the sum of that over the queue pairs that wait there; it is
 * less if they did not begin together.
 */
class FluidBacklog
{
  public:
    /// @param solver has the rates; must outlive this  @param links how many links it has
    FluidBacklog(const FluidSolver& solver, std::size_t links)
        : m_solver(solver),
          m_waiting(links)
    {
    }

    /**
     * The message that a queue pair sends has another rate, as the solver has it.
     *
     * @param pair number of the queue pair
     * @param way what it takes of links, in order, first of that of its host
     * @param bytes of the message
     * @param rate of the message
     * @param active queue pairs of its host that send
     */
    void Set(uint32_t pair,
             const std::vector<LinkShare>& way,
             double bytes,
             double rate,
             uint32_t active);

    /// A message waits behind that of its queue pair, and leaves with Next().
    void Add(uint32_t pair, double bytes);

    /// The message of a queue pair has left, and another one of some bytes is sent, if one waits.
    void Next(uint32_t pair, double bytes);

    /// Forget all queue pairs.
    void Clear();

    /// @return the most bytes that have waited at a link at any time
    double GetMost() const
    {
        return m_most;
    }

  private:
    /// Where a queue pair waits.
    struct Place
    {
        LinkShare link{}; //!< what it takes of the link
        double sent{0};   //!< bytes of its first message that wait there
        double behind{0}; //!< bytes of the other ones
    };

    /// @return what waits of a pair, no longer counted  @param pair its number
    Place& Take(uint32_t pair);

    /// Count what a queue pair has at its link.  @param sign 1: it comes; -1: it goes
    void Count(const Place& place, double sign);

    const FluidSolver& m_solver;   //!< has the rates
    std::vector<double> m_waiting; //!< bytes, by link
    std::vector<Place> m_places;   //!< by queue pair
    double m_most{0};              //!< the most bytes of a link at any time
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_BACKLOG_H */
