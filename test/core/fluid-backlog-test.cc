/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/fluid-backlog.h"

#include <vector>

namespace
{

/// Queue pairs with a host each, whose ports have the rate 1, and share the last link.
class FluidBacklogTest : public ::testing::Test
{
  public:
    FluidBacklogTest()
        : m_solver({1, 1, 1.5})
    {
    }

    /// Have a queue pair send.  @param pair its number, and that of its host
    void Send(uint32_t pair, double bytes)
    {
        const uint32_t group = m_solver.AddGroup(GetWay(pair));
        m_solver.Join(group, 0);
        m_solver.Solve();
        m_backlog.Set(pair, GetWay(pair), bytes, m_solver.GetRate(group), 1);
    }

    /// @return what a queue pair takes of links
    std::vector<LinkShare> GetWay(uint32_t pair) const
    {
        return {{pair, 1}, {2, 1}};
    }

    FluidSolver m_solver;                //!< has the rates
    FluidBacklog m_backlog{m_solver, 3}; //!< what is tested
};

} // namespace

/// A host that is alone waits for nobody, whatever comes behind.
TEST_F(FluidBacklogTest, NothingWaitsBehindAFreeLink)
{
    Send(0, 1000);
    m_backlog.Add(0, 1000);
    EXPECT_EQ(m_backlog.GetMost(), 0);
}

/// Both have sent 1000 bytes after 1000, when 750 of each have passed. A message behind waits
/// whole.
TEST_F(FluidBacklogTest, WhatLinksDoNotLetThroughWaits)
{
    Send(0, 1000);
    Send(1, 1000);
    EXPECT_DOUBLE_EQ(m_backlog.GetMost(), 250);
    m_backlog.Set(0, GetWay(0), 1000, 0.75, 1);
    EXPECT_DOUBLE_EQ(m_backlog.GetMost(), 500);
    m_backlog.Add(0, 300);
    EXPECT_DOUBLE_EQ(m_backlog.GetMost(), 800);
    m_backlog.Next(0, 300);
    m_backlog.Next(1, 0);
    m_backlog.Set(0, GetWay(0), 300, 0.75, 1);
    m_backlog.Add(0, 400);
    EXPECT_DOUBLE_EQ(m_backlog.GetMost(), 800); // 75 and 400 now
    m_backlog.Add(0, 400);
    EXPECT_DOUBLE_EQ(m_backlog.GetMost(), 875);
}

/// Two queue pairs of a host at half its rate each hold nobody up behind it.
TEST_F(FluidBacklogTest, WhatWaitsInTheHostIsNotCounted)
{
    Send(0, 1000);
    Send(1, 1000);
    const double most = m_backlog.GetMost();
    m_backlog.Clear();
    m_backlog.Set(0, GetWay(0), 9000, 0.5, 2);
    EXPECT_EQ(m_backlog.GetMost(), most);
}
