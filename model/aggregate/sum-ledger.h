/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUM_LEDGER_H
#define SUM_LEDGER_H

#include "fragment.h"

#include <cstdint>
#include <unordered_map>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What a parameter server adds up: for each fragment of its jobs the sum, and whose values are in
 * it. A packet is added if none of its workers is in the sum, and otherwise not at all, because
 * a partial sum cannot be divided: workers that are then missing have to send again. So each
 * worker's values are in the sum at most once.
 *
 * Complete sums stay, to answer packets that are sent again, until Forget() is called.
 */
class SumLedger
{
  public:
    /// What becomes of a packet.
    enum class Verdict : uint8_t
    {
        ADDED,     //!< it was added
        COMPLETES, //!< it was added, and the sum is complete
        REPEATS,   //!< the sum was complete before
        OVERLAPS,  //!< some of its workers are in the sum: it was not added
    };

    /// The sum of a fragment.
    struct Entry
    {
        Fragment sum;         //!< expected: all workers of the job
        uint32_t overlaps{0}; //!< packets that were not added
    };

    /**
     * Process a packet.
     *
     * @param fragment the packet; its values may be moved from
     * @param all bitmap of all workers of the job
     * @return what became of it
     */
    Verdict Receive(Fragment& fragment, uint32_t all);

    /// @return the sum of a fragment, or nullptr  @param key the fragment
    Entry* Find(uint64_t key);

    /// Remove the sum of a fragment.  @param key the fragment
    void Forget(uint64_t key);

    /// @return how many sums there are, complete or not
    std::size_t GetSize() const;

  private:
    std::unordered_map<uint64_t, Entry> m_entries; //!< by key
};

} // namespace aifabric
} // namespace ns3

#endif /* SUM_LEDGER_H */
