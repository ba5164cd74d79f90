/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NIC_CHANGE_H
#define NIC_CHANGE_H

#include "endpoint-nic.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * Brackets a change of what an endpoint sends: EndpointNic::BeginChange() at its begin, EndChange()
 * at its end.
 */
class NicChange
{
  public:
    /// The change begins.  @param endpoint what changes; must outlive the bracket
    /// @param now the current time, in picoseconds
    NicChange(EndpointNic& nic, Endpoint* endpoint, int64_t now)
        : m_nic(nic),
          m_endpoint(endpoint),
          m_now(now)
    {
        nic.BeginChange(now);
    }

    /// The change is complete.
    ~NicChange()
    {
        m_nic.EndChange(m_endpoint, m_now);
    }

    NicChange(const NicChange&) = delete;
    NicChange& operator=(const NicChange&) = delete;

  private:
    EndpointNic& m_nic;   //!< the NIC
    Endpoint* m_endpoint; //!< what changes
    int64_t m_now;        //!< the time
};

} // namespace aifabric
} // namespace ns3

#endif /* NIC_CHANGE_H */
