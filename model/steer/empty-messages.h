/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EMPTY_MESSAGES_H
#define EMPTY_MESSAGES_H

#include "flow.h"

#include "ns3/callback.h"
#include "ns3/roce-net-device.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Carries messages without a byte. They need no packet and occupy no link, but keep the order of
 * what their two hosts do: the receiver has such a message one delay of the sender's link after the
 * sender has sent it, and the sender has the acknowledgement a second such delay later. Hosts may
 * run on several threads (WindowSimulator), as no window is longer than that delay.
 */
class EmptyMessages : public std::enable_shared_from_this<EmptyMessages>
{
  public:
    /// Called with the number of a message.
    using MessageCallback = Callback<void, uint32_t>;

    /// @param nics the NICs, by host
    /// @param received called at the receiver  @param completed called at the sender
    EmptyMessages(const std::vector<Ptr<RoceNetDevice>>& nics,
                  const MessageCallback& received,
                  const MessageCallback& completed);

    EmptyMessages(const EmptyMessages&) = delete;
    EmptyMessages& operator=(const EmptyMessages&) = delete;

    /// Send a message now. Where several ranks share a run, all call this.  @param flow the message
    /// @param message its number
    void Send(const Flow& flow, uint32_t message);

    /// Forget all messages that are under way.
    void Abort();

    /// Take it down: events that are scheduled do nothing.
    void Dispose();

  private:
    /// What a host will learn: when, in picoseconds, of which message, and whether as its sender.
    using Report = std::tuple<int64_t, uint32_t, bool>;

    /// Where a host is.
    struct Place
    {
        uint32_t node; //!< number of its node
        bool isHere;   //!< whether this rank simulates it
    };

    /// Have a host learn something.
    void Post(uint32_t host, const Report& report);

    /// Report what a host learns now, in the order of messages, however it was scheduled.
    /// @param self keeps them until then
    static void Deliver(std::shared_ptr<EmptyMessages> self, uint32_t host);

    std::vector<Ptr<RoceNetDevice>> m_nics;  //!< by host
    std::vector<Place> m_places;             //!< by host
    MessageCallback m_received;              //!< called at the receiver
    MessageCallback m_completed;             //!< called at the sender
    std::vector<std::set<Report>> m_pending; //!< by host
    std::mutex m_mutex;                      //!< of m_pending
};

} // namespace aifabric
} // namespace ns3

#endif /* EMPTY_MESSAGES_H */
