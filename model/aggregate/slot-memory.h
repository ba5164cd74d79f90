/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_MEMORY_H
#define SLOT_MEMORY_H

#include "fragment.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Slots of a switch that all jobs share, as in ATP and ESA: the first packet of a fragment claims
 * the slot that its header names, the next packets of the fragment are added up there, and the
 * complete sum leaves for the parameter server. What happens to a packet whose slot belongs to
 * another fragment is what a subclass decides.
 *
 * A packet that is resent never claims a slot. If its fragment has the slot, it takes the sum along
 * and frees the slot, complete or not; so a partial sum that would never be complete reaches the
 * server.
 *
 * A packet with more than one worker's values (of a switch below) is added like any other. If its
 * workers overlap those of the slot, it cannot be added and passes.
 *
 * A slot counts for the port of the packet that claimed it. With a limit of slots per port, a
 * packet whose port has as many slots passes, unless its fragment has a slot; it preempts only a
 * fragment of its own port.
 *
 * **Conservation**: slots free + held = all slots; held = the sum over ports of what each holds. A
 * worker's values leave the slot once, but for copies of a complete sum that stays until it is
 * acknowledged.
 */
class SlotMemory
{
  public:
    /// What becomes of a packet.
    enum class Verdict : uint8_t
    {
        HELD,      //!< it was added; nothing leaves
        DUPLICATE, //!< its values are in the slot; nothing leaves
        PASSES,    //!< it leaves as it is
        COLLIDES,  //!< the same, because the slot belongs to another fragment
        PORT_FULL, //!< the same, because its port has all slots that it may have
        FLUSHES,   //!< it leaves as the partial sum of its fragment
        COMPLETES, //!< it leaves as the complete sum of its fragment
        PREEMPTS,  //!< it has the slot, and the partial sum of another fragment leaves
        VERDICTS   //!< how many verdicts there are
    };

    /// @param freesAtCompletion whether a slot is free when its sum is complete; otherwise, when
    /// the sum is acknowledged
    SlotMemory(uint32_t slots, bool freesAtCompletion);

    virtual ~SlotMemory() = default;

    /// Limit the slots of each port, before packets come.  @param slots the most; 0: no limit
    void SetPortSlots(uint32_t slots)
    {
        m_portSlots = slots;
    }

    /**
     * Process a packet.
     *
     * @param [in,out] fragment the packet; then, what leaves instead, unless the packet leaves
     * as it is
     * @return what became of it
     */
    Verdict Receive(Fragment& fragment);

    /// The parameter server has acknowledged a fragment: free its slot.
    void Acknowledge(uint64_t key, uint16_t slot);

    /**
     * Take out what a slot holds of a fragment: the parameter server asks for it (a reminder).
     *
     * @param key the fragment's key
     * @param [out] sum what the slot held
     * @return whether the slot held something of the fragment
     */
    bool Flush(uint64_t key, uint16_t slot, Fragment& sum);

    /// A job has ended: free its slots.  @param job its number  @return how many it had
    uint32_t EndJob(uint16_t job);

    /// @return all slots
    uint32_t GetSlots() const
    {
        return m_slots.size();
    }

    /// @return slots that no fragment has
    uint32_t GetFree() const
    {
        return m_free;
    }

    /// @return slots that a fragment has, counted one by one
    uint32_t CountHeld() const;

    /// @return of these, the slots of a port, counted one by one  @param port its number
    uint32_t CountHeld(uint16_t port) const;

    /// @return slots that packets of a port have claimed  @param port its number
    uint32_t GetHeld(uint16_t port) const;

    /// @return slots whose sum is not complete
    uint32_t GetFilling() const
    {
        return m_filling;
    }

    /// @return packets that became something  @param verdict what
    uint64_t GetCount(Verdict verdict) const;

    /// @return sums, partial or complete, that a reminder has taken out
    uint64_t GetFlushed() const;

  protected:
    /// A slot.
    struct Slot
    {
        bool isHeld{false}; //!< whether a fragment has it
        Fragment sum;       //!< of this fragment
    };

    /**
     * A packet finds its slot taken.
     *
     * @param [in,out] slot the slot, of another fragment
     * @param [in,out] fragment the packet; then, what leaves instead
     * @return COLLIDES or PREEMPTS
     */
    virtual Verdict Contend(Slot& slot, Fragment& fragment) = 0;

    /// A packet was added to its slot.  @param fragment the packet
    virtual void Added(Slot& slot, const Fragment& fragment);

  private:
    /// @return what becomes of a packet  @param [in,out] fragment the packet; then, what leaves
    Verdict Process(Fragment& fragment);

    /// Add a packet to the slot of its fragment.
    /// @param [in,out] fragment the packet; then, what leaves  @return what becomes of it
    Verdict Merge(Slot& slot, Fragment& fragment);

    /// A packet that is resent takes the sum of its fragment along.
    /// @param [in,out] fragment the packet; then, what leaves  @return what becomes of it
    Verdict TakeAlong(Slot& slot, Fragment& fragment);

    /// @return what becomes of a packet whose slot another fragment has
    /// @param [in,out] fragment the packet; then, what leaves
    Verdict Compete(Slot& slot, Fragment& fragment);

    /// @return whether a port may have one more slot  @param port its number
    bool HasRoom(uint16_t port);

    /// @return what a slot held, which is free then
    Fragment Release(Slot& slot);

    /// @return the slot if it belongs to a fragment, or nullptr  @param key the fragment
    /// @param slot number of the slot
    Slot* FindOwned(uint64_t key, uint16_t slot);

    std::vector<Slot> m_slots;    //!< all slots
    std::vector<uint32_t> m_held; //!< slots that a fragment has, by port
    bool m_freesAtCompletion;     //!< otherwise at the acknowledgement
    uint32_t m_portSlots{0};      //!< the most slots of a port; 0: no limit
    uint32_t m_free;              //!< slots that no fragment has
    uint32_t m_filling{0};        //!< slots whose sum is not complete
    uint64_t m_flushed{0};        //!< by reminders
    uint64_t m_counts[static_cast<std::size_t>(Verdict::VERDICTS)]{}; //!< packets by verdict
};

} // namespace aifabric
} // namespace ns3

#endif /* SLOT_MEMORY_H */
