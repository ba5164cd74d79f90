/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "opening-order.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

OpeningOrder::OpeningOrder(std::size_t hosts)
    : m_windows(WindowSimulator::Get()),
      m_openedAt(hosts)
{
}

uint64_t
OpeningOrder::Open(uint32_t a, uint32_t b)
{
    if (!m_windows || !m_windows->Worker().IsInWindow())
    {
        return 0; // nothing runs at the same time
    }
    const uint64_t since = std::max(m_openedAt[a], m_openedAt[b]);
    Use(m_windows->GetThreads() > 1 ? UINT64_MAX : since);
    m_openedAt[a] = m_windows->Worker().GetTs();
    m_openedAt[b] = m_openedAt[a];
    return since;
}

void
OpeningOrder::Use(uint64_t since) const
{
    NS_ABORT_MSG_IF(since > 0 && m_windows->Worker().IsInWindow() &&
                        m_windows->Worker().GetTs() <= since,
                    "hosts open connections to the same host within "
                        << "a window of ns3::aifabric::WindowSimulator, in which their order is "
                           "not known; another simulator can run this scenario");
}

} // namespace aifabric
} // namespace ns3
