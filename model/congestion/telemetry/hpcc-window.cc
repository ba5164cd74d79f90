/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hpcc-window.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

HpccWindow::HpccWindow(const Parameters& parameters)
    : m_parameters(parameters),
      m_window(parameters.mostWindow),
      m_reference(parameters.mostWindow)
{
}

bool
HpccWindow::Acked(const PathTelemetry& path, double sentAt, bool isNewRound)
{
    if (path.hops == 0)
    {
        return false; // no switch on the path
    }
    const auto busiest =
        m_paths.Compare(path,
                        sentAt,
                        [this](const HopTelemetry& now, const HopTelemetry& before, double time) {
                            const double queue =
                                std::min(now.GetQueueBytes(), before.GetQueueBytes());
                            const double sent = now.GetBytesSince(before);
                            return (queue / m_parameters.baseRtt + sent / time) / now.GetRate();
                        });
    if (busiest)
    {
        Smooth(*busiest);
        ComputeWindow(isNewRound);
    }
    return isNewRound || !busiest;
}

void
HpccWindow::Smooth(const PathComparison::Busiest& busiest)
{
    const double weight = std::min(busiest.time, m_parameters.baseRtt) / m_parameters.baseRtt;
    m_utilization = (1 - weight) * m_utilization + weight * busiest.value;
}

void
HpccWindow::ComputeWindow(bool isNewRound)
{
    const bool isFull = m_utilization >= m_parameters.target;
    const bool divides = isFull || m_stage >= m_parameters.mostStage;
    const double scale = divides ? m_utilization / m_parameters.target : 1;
    m_window = std::min(m_reference / scale + m_parameters.increase, m_parameters.mostWindow);
    if (isNewRound)
    {
        m_stage = divides ? 0 : m_stage + 1;
        m_reference = m_window;
    }
}

void
HpccWindow::SetMostWindow(double bytes)
{
    m_parameters.mostWindow = bytes;
    m_window = std::min(m_window, bytes);
    m_reference = std::min(m_reference, bytes);
}

} // namespace aifabric
} // namespace ns3
