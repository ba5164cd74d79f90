/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef READ_SLOTS_H
#define READ_SLOTS_H

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The reads of a host that have not ended, by connection. A connection has at most so many that are
 * asked for (max_rd_atomic of the verbs API); more wait here, in the order in which they came.
 */
class ReadSlots
{
  public:
    /// @param most reads of a connection that are asked for, at least 1
    explicit ReadSlots(uint32_t most);

    /// @return whether a read may be asked for now; else it waits
    /// @param read its number
    bool Take(uint64_t connection, uint32_t read);

    /// A read that was asked for has ended.
    /// @return the number of the one to be asked for next, if any waits
    std::optional<uint32_t> Release(uint64_t connection);

  private:
    /// The reads of a connection.
    struct Reads
    {
        uint32_t asked{0};            //!< how many are asked for
        std::deque<uint32_t> waiting; //!< numbers of the others
    };

    uint32_t m_most;                             //!< reads of a connection that are asked for
    std::unordered_map<uint64_t, Reads> m_reads; //!< by connection
};

} // namespace aifabric
} // namespace ns3

#endif /* READ_SLOTS_H */
