/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCHML_MEMORY_H
#define SWITCHML_MEMORY_H

#include "fragment.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The slots of SwitchML (Sapio et al., NSDI 2021; p4app-switchML): each job has a pool of its own
 * while it runs. A slot has two sets, which the workers use in turn. The sum of one set stays while
 * the other one fills, as a shadow copy: a worker whose result was lost sends its packet again, and
 * gets the sum. A worker's packet in one set shows that it has the sum of the other one; so a set
 * begins anew with the first packet of a larger fragment number.
 *
 * The public code has a bit of each worker instead, which its packet in the other set clears. It
 * counts a duplicate that comes after that twice; here it has a smaller number, or comes when the
 * sum is complete, and is dropped.
 *
 * A switch below another one (two racks) sends its sum up as one worker's packet, and stores the
 * sum of all workers when it comes down. Until then, a packet that is sent again makes it send its
 * own sum up again.
 *
 * **Conservation**: slots free + held by pools = all slots.
 */
class SwitchMlMemory
{
  public:
    /// What becomes of a packet.
    enum class Verdict : uint8_t
    {
        HELD,      //!< it was added; nothing leaves
        DUPLICATE, //!< its values are in the slot; nothing leaves
        COMPLETES, //!< the sum of this switch leaves
        REPEATS,   //!< the sender gets the final sum once more
        UNKNOWN,   //!< its slot is not one of its job's
        VERDICTS   //!< how many verdicts there are
    };

    /// @param slots how many slots there are, with two sets each
    explicit SwitchMlMemory(uint32_t slots);

    /**
     * Give a job the first range of slots that is free and large enough.
     *
     * @param job its number, which has no pool
     * @param count slots
     * @return whether there was such a range
     */
    bool AddJob(uint16_t job, uint32_t count);

    /// A job has ended: free its pool.  @param job its number
    void EndJob(uint16_t job);

    /**
     * Process a packet.
     *
     * @param [in,out] fragment the packet: its slot is a number in the job's pool, its bitmap has
     *        the bit of the sender; then, what leaves: the sum
     * @param set 0 or 1
     * @param isRoot whether the sum of this switch is that of all workers of the job
     * @return what became of it
     */
    Verdict Receive(Fragment& fragment, uint8_t set, bool isRoot);

    /// The final sum of a slot has come from the switch above.  @param sum the sum, with its slot
    /// @param set 0 or 1  @return whether it is new
    bool StoreFinal(const Fragment& sum, uint8_t set);

    /// @return all slots
    uint32_t GetSlots() const;

    /// @return slots that no job has
    uint32_t GetFree() const;

    /// @return sets whose sum has begun and is not complete, at most two a slot
    uint32_t GetFilling() const;

    /// @return slots of a job's pool; 0: it has none  @param job its number
    uint32_t GetPool(uint16_t job) const;

    /// @return packets that became something  @param verdict what
    uint64_t GetCount(Verdict verdict) const;

  private:
    /// One of the two sums of a slot.
    struct Copy
    {
        bool isUsed{false};     //!< whether a packet has come
        uint32_t sequence{0};   //!< number of its fragment
        uint32_t seen{0};       //!< bitmap of the senders whose packets have come
        bool isComplete{false}; //!< whether the sum of this switch is complete
        bool isFinal{false};    //!< whether it is the sum of all workers
        GradientVector sum;     //!< the values

        /// @return whether a sum has begun and is not complete  @param copy the sum
        static bool IsFilling(const Copy& copy)
        {
            return copy.isUsed && !copy.isComplete;
        }
    };

    /// The slots of a job.
    struct Pool
    {
        uint32_t first{0}; //!< the first slot
        uint32_t count{0}; //!< how many
    };

    using Slot = std::array<Copy, 2>; //!< both sets

    /// @return the slot of a packet, or nullptr  @param fragment the packet
    Slot* Find(const Fragment& fragment);

    /// @return what becomes of a packet  @param [in,out] fragment the packet; then, what leaves
    /// @param set 0 or 1  @param isRoot as above
    Verdict Process(Fragment& fragment, uint8_t set, bool isRoot);

    std::vector<Slot> m_slots;                                        //!< all slots
    uint32_t m_free;                                                  //!< slots of no job
    uint32_t m_filling{0};                                            //!< sets not complete
    std::map<uint16_t, Pool> m_pools;                                 //!< by job
    uint64_t m_counts[static_cast<std::size_t>(Verdict::VERDICTS)]{}; //!< packets by verdict
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCHML_MEMORY_H */
