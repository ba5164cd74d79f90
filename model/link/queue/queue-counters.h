/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_COUNTERS_H
#define QUEUE_COUNTERS_H

#include "ns3/queue.h"
#include "ns3/traced-value.h"

#include <cstdint>

/**
 * @file
 *
 * Access to the counters of QueueBase, which are protected since ns-3.36 and private before. An
 * explicit instantiation may name a private member (ISO C++17, 17.7.2 paragraph 12), so this works
 * with every release. The instantiations stand in fabric-queue.cc, the only user.
 */

namespace ns3
{
namespace aifabric
{

/**
 * Defines the function Of(Counter) that a counter declares.
 *
 * @tparam Counter names the counter
 * @tparam MEMBER the member of QueueBase
 */
template <typename Counter, typename Counter::Member MEMBER>
struct QueueCounterAccess
{
    /// @return the member of QueueBase
    friend constexpr typename Counter::Member Of(Counter)
    {
        return MEMBER;
    }
};

/// Names QueueBase::m_nPackets.
struct QueuedPackets
{
    using Member = TracedValue<uint32_t> QueueBase::*; //!< type of the member
    friend constexpr Member Of(QueuedPackets);         //!< the member
};

/// Names QueueBase::m_nBytes.
struct QueuedBytes
{
    using Member = TracedValue<uint32_t> QueueBase::*; //!< type of the member
    friend constexpr Member Of(QueuedBytes);           //!< the member
};

/// Names QueueBase::m_nTotalReceivedPackets.
struct ReceivedPackets
{
    using Member = uint32_t QueueBase::*;        //!< type of the member
    friend constexpr Member Of(ReceivedPackets); //!< the member
};

/// Names QueueBase::m_nTotalReceivedBytes.
struct ReceivedBytes
{
    using Member = uint32_t QueueBase::*;      //!< type of the member
    friend constexpr Member Of(ReceivedBytes); //!< the member
};

/**
 * @tparam Counter names the counter
 * @return its counter
 */
template <typename Counter>
auto&
GetCounter(QueueBase& queue)
{
    return queue.*Of(Counter());
}

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_COUNTERS_H */
