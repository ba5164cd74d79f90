/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "swift-window.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

SwiftWindow::SwiftWindow(const Parameters& parameters, double window)
    : m_parameters(parameters),
      m_scale(parameters.scalingRange /
              (1 / std::sqrt(parameters.scalingLeast) - 1 / std::sqrt(parameters.scalingMost))),
      m_window(std::clamp(window, parameters.leastWindow, parameters.mostWindow)),
      m_roundTrip(static_cast<int64_t>(GetTarget(m_window)))
{
}

double
SwiftWindow::GetTarget(double window) const
{
    const double scaling =
        m_scale * (1 / std::sqrt(window) - 1 / std::sqrt(m_parameters.scalingMost));
    return m_parameters.baseTarget + m_parameters.hops * m_parameters.hopTarget +
           std::clamp(scaling, 0.0, m_parameters.scalingRange);
}

void
SwiftWindow::Acked(double packets, int64_t delay, int64_t roundTrip, int64_t now)
{
    m_timeoutsInRow = 0;
    m_roundTrip = roundTrip;
    const double target = GetTarget(m_window);
    const auto measured = static_cast<double>(delay);
    if (measured < target)
    {
        m_window += m_parameters.increase * packets / std::max(m_window, 1.0);
        m_window = std::min(m_window, m_parameters.mostWindow);
        return;
    }
    const double excess = (measured - target) / measured;
    Shrink(std::max(1 - m_parameters.decrease * excess, 1 - m_parameters.mostDecrease), now);
}

void
SwiftWindow::Lost(int64_t now)
{
    m_timeoutsInRow = 0;
    Shrink(1 - m_parameters.mostDecrease, now);
}

void
SwiftWindow::TimedOut(int64_t now)
{
    if (++m_timeoutsInRow >= m_parameters.resetTimeouts)
    {
        m_window = m_parameters.leastWindow;
        return;
    }
    Shrink(1 - m_parameters.mostDecrease, now);
}

void
SwiftWindow::Shrink(double factor, int64_t now)
{
    if (m_hasShrunk && now - m_shrunkAt < m_roundTrip)
    {
        return;
    }
    m_hasShrunk = true;
    m_shrunkAt = now;
    m_window = std::max(m_window * factor, m_parameters.leastWindow);
}

} // namespace aifabric
} // namespace ns3
