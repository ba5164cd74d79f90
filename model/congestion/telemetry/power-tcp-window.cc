/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "power-tcp-window.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

PowerTcpWindow::PowerTcpWindow(const Parameters& parameters)
    : m_parameters(parameters),
      m_window(parameters.mostWindow),
      m_noted(parameters.mostWindow)
{
}

bool
PowerTcpWindow::Acked(const PathTelemetry& path, double sentAt, bool isNewRound)
{
    if (path.hops == 0)
    {
        return false; // no switch on the path
    }
    const auto busiest = m_paths.Compare(
        path,
        sentAt,
        [this](const HopTelemetry& now, const HopTelemetry& before, double time) {
            const double rate = now.GetRate();
            const double growth = static_cast<double>(now.GetQueueBytes()) - before.GetQueueBytes();
            const double current = (growth + now.GetBytesSince(before)) / time / rate;
            const double voltage = 1 + now.GetQueueBytes() / (rate * m_parameters.baseRtt);
            return std::max(current, m_parameters.leastCurrent) * voltage;
        });
    if (busiest)
    {
        Smooth(busiest->value, busiest->time);
        Update();
    }
    if (isNewRound)
    {
        m_noted = m_window;
    }
    return isNewRound || !busiest;
}

bool
PowerTcpWindow::Acked(double roundTrip, double now, bool isNewRound)
{
    const double time = now - m_measuredAt;
    if (m_roundTrip > 0 && time > 0)
    {
        const double current =
            std::max((roundTrip - m_roundTrip) / time + 1, m_parameters.leastCurrent);
        Smooth(current * roundTrip / m_parameters.baseRtt, time);
        if (isNewRound)
        {
            Update();
        }
    }
    m_roundTrip = roundTrip;
    m_measuredAt = now;
    if (isNewRound)
    {
        m_noted = m_window;
    }
    return isNewRound;
}

void
PowerTcpWindow::Smooth(double power, double time)
{
    const double weight = std::min(time, m_parameters.baseRtt) / m_parameters.baseRtt;
    m_power = (1 - weight) * m_power + weight * power;
}

void
PowerTcpWindow::Update()
{
    const double gain = m_parameters.gain;
    const double last = m_parameters.weighsNoted ? m_noted : m_window;
    const double scale = m_power / m_parameters.target;
    m_window = gain * (m_noted / scale + m_parameters.increase) + (1 - gain) * last;
    m_window = std::min(m_window, m_parameters.mostWindow);
}

void
PowerTcpWindow::SetMostWindow(double bytes)
{
    m_parameters.mostWindow = bytes;
    m_window = std::min(m_window, bytes);
    m_noted = std::min(m_noted, bytes);
}

} // namespace aifabric
} // namespace ns3
