/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CNP_LISTENER_H
#define CNP_LISTENER_H

#include "ns3/nstime.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A CongestionControl that needs congestion notification packets (CNPs) of the receiver is a
 * subclass of this class, too. The transport has to send them (TransportTraits::sendsCnps).
 */
class CnpListener
{
  public:
    virtual ~CnpListener() = default;

    /// @return the least time between two CNPs of a queue pair, if the transport does not say
    /// otherwise; it may be called before CongestionControl::Start()
    virtual Time GetCnpGap() const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* CNP_LISTENER_H */
