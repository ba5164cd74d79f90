/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-prober.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

PathProber::Probed*
PathProber::Find(uint32_t path)
{
    const auto found = std::find_if(m_paths.begin(), m_paths.end(), [path](const Probed& probed) {
        return probed.path == path;
    });
    return found == m_paths.end() ? nullptr : &*found;
}

void
PathProber::Start(uint32_t path, int64_t now, const Parameters& parameters)
{
    const auto isForgotten = [&](const Probed& probed) {
        return !probed.isProbed && now - probed.due > parameters.relapseInterval;
    };
    m_paths.erase(std::remove_if(m_paths.begin(), m_paths.end(), isForgotten), m_paths.end());
    Probed* probed = Find(path);
    if (!probed)
    {
        m_paths.push_back({path, parameters.answers, 0, false, false, 0, 0, 0});
        probed = &m_paths.back();
    }
    else if (probed->isProbed)
    {
        return;
    }
    else
    {
        probed->needed = std::min(2 * probed->needed, parameters.mostAnswers);
    }
    probed->isProbed = true;
    probed->isWaiting = false;
    probed->answered = 0;
    probed->start = now;
    probed->interval = parameters.firstInterval;
    probed->due = now + probed->interval;
}

void
PathProber::Stop(uint32_t path)
{
    const auto isIt = [path](const Probed& probed) { return probed.path == path; };
    m_paths.erase(std::remove_if(m_paths.begin(), m_paths.end(), isIt), m_paths.end());
}

bool
PathProber::Cancel(uint32_t path, int64_t start)
{
    const Probed* probed = Find(path);
    if (!probed || !probed->isProbed || probed->start != start)
    {
        return false;
    }
    Stop(path);
    return true;
}

int64_t
PathProber::GetDue() const
{
    int64_t due = NEVER;
    for (const Probed& probed : m_paths)
    {
        due = probed.isProbed ? std::min(due, probed.due) : due;
    }
    return due;
}

std::optional<uint32_t>
PathProber::Take(int64_t now, const Parameters& parameters)
{
    for (Probed& probed : m_paths)
    {
        if (probed.isProbed && probed.due <= now)
        {
            if (probed.isWaiting)
            {
                probed.answered = 0;
                probed.interval = std::min(2 * probed.interval, parameters.mostInterval);
            }
            probed.isWaiting = true;
            probed.due = now + probed.interval;
            return probed.path;
        }
    }
    return std::nullopt;
}

bool
PathProber::Answered(uint32_t path, int64_t now, const Parameters& parameters)
{
    Probed* probed = Find(path);
    if (!probed || !probed->isWaiting)
    {
        return false; // an answer that comes too late, or twice
    }
    probed->isWaiting = false;
    probed->interval = parameters.firstInterval;
    if (++probed->answered < probed->needed)
    {
        probed->due = std::min(probed->due, now + probed->interval);
        return false;
    }
    probed->isProbed = false;
    probed->due = now;
    return true;
}

uint32_t
PathProber::CountPaths() const
{
    return std::count_if(m_paths.begin(), m_paths.end(), [](const Probed& probed) {
        return probed.isProbed;
    });
}

} // namespace aifabric
} // namespace ns3
