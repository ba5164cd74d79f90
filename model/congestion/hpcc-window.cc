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
    const bool isKnown = path.Follows(m_last, sentAt - m_lastSentAt);
    if (isKnown)
    {
        MeasureInflight(path);
        ComputeWindow(isNewRound);
    }
    m_last = path;
    m_lastSentAt = sentAt;
    return isNewRound || !isKnown;
}

void
HpccWindow::MeasureInflight(const PathTelemetry& path)
{
    double most = 0;
    double since = 0;
    for (uint32_t i = 0; i < path.hops; ++i)
    {
        const HopTelemetry& now = path.hop[i];
        const HopTelemetry& before = m_last.hop[i];
        const double time = now.GetTimeSince(before);
        if (time == 0)
        {
            continue; // the same packet, acknowledged again
        }
        const double queue = std::min(now.GetQueueBytes(), before.GetQueueBytes());
        const double sent = now.GetBytesSince(before);
        const double share = (queue / m_parameters.baseRtt + sent / time) / now.GetRate();
        if (share > most)
        {
            most = share;
            since = time;
        }
    }
    const double weight = std::min(since, m_parameters.baseRtt) / m_parameters.baseRtt;
    m_utilization = (1 - weight) * m_utilization + weight * most;
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
