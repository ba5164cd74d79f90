/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_STATUS_H
#define PORT_STATUS_H

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Which ports of the two NICs of an MRC connection have links, as this end knows, and whether the
 * other end has been notified: a Port Status Update is sent until it is answered, or too often
 * (MrcQueuePair).
 */
class PortStatus
{
  public:
    static constexpr uint32_t ALL = UINT32_MAX; //!< every port has a link

    /// Ports of this NIC have failed or work again: an update is due.
    /// @param ports bit p set: port p has a link
    void SetLocal(uint32_t ports)
    {
        m_local = ports;
        m_id = m_id == UINT16_MAX ? 1 : m_id + 1;
        m_tries = 0;
        m_isAnswered = false;
    }

    /// The other end says which of its ports have links.  @param id of its update
    /// @param ports what it says
    /// @return the ports that have come back, as far as this end knows: if an update is missing,
    /// any may have been down; none: a later update has come before
    std::optional<uint32_t> SetPeer(uint16_t id, uint32_t ports)
    {
        const uint16_t step = id - m_peerId;
        if (m_peerId != 0 && static_cast<int16_t>(step) < 0)
        {
            return std::nullopt;
        }
        const uint32_t returned = step > 1 ? ports : ports & ~m_peer;
        m_peerId = id;
        m_peer = ports;
        return returned;
    }

    /// @return ports of this NIC that have links
    uint32_t GetLocal() const
    {
        return m_local;
    }

    /// @return ports of the other NIC that have links
    uint32_t GetPeer() const
    {
        return m_peer;
    }

    /// @return whether the update is to be sent, or sent again  @param most how often at most
    bool IsDue(uint32_t most) const
    {
        return !m_isAnswered && m_tries < most;
    }

    /// The update is sent.  @return its id
    uint16_t Take()
    {
        ++m_tries;
        return m_id;
    }

    /// An answer has come.  @param id of the update that it answers
    void Answered(uint16_t id)
    {
        m_isAnswered = m_isAnswered || id == m_id;
    }

  private:
    uint32_t m_local{ALL};   //!< ports of this NIC
    uint32_t m_peer{ALL};    //!< ports of the other one
    uint32_t m_tries{0};     //!< how often the update was sent
    uint16_t m_id{0};        //!< of the update
    uint16_t m_peerId{0};    //!< of the last update of the other end; 0: none has come
    bool m_isAnswered{true}; //!< the other end knows
};

} // namespace aifabric
} // namespace ns3

#endif /* PORT_STATUS_H */
