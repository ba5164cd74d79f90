/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENTROPY_SET_H
#define ENTROPY_SET_H

#include "ev-profile.h"
#include "label-permutation.h"

#include "ns3/uniform-integer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The entropy values (EV) of a queue pair of MRC and their states: random distinct paths, equally
 * many in each plane, some of them active and the others their backups (arXiv 2605.04333, section
 * 2.1; OCP MRC 1.0, section 11.2).
 *
 * | from        | event            | to                                                       |
 * | ----------- | ---------------- | -------------------------------------------------------- |
 * | GOOD        | Skip()           | SKIP                                                     |
 * | SKIP        | its turn comes   | GOOD, from its next turn on; one of them for each packet |
 * | GOOD, SKIP  | Retire()         | ASSUMED_BAD; a backup of the same plane takes its place  |
 * | ASSUMED_BAD | Restore()        | GOOD                                                     |
 * | any         | Deny()           | DENIED                                                   |
 * | DENIED      | Restore()        | GOOD                                                     |
 *
 * Planes carry equal load, whatever states their EVs have: a packet takes the plane that has sent
 * the least so far among those with a free port, and none may be ahead of the last one by more than
 * a few packets (section 4). In its plane it takes the next EV of a random order, which is drawn
 * anew for each rotation.
 *
 * **Conservation**: in each plane, active + others = total / planes.
 *
 * A set of 256 EVs takes at most 512 bytes with up to 8 planes (GetBytes()): 8 bits for its place
 * in the order and 2 bits for the state of each, and what it has for each plane. The path of an EV
 * is computed (LabelPermutation), or is that of a profile, which queue pairs share (EvProfile);
 * then the set has all EVs of the profile.
 */
class EntropySet
{
  public:
    /// What is known of an EV.
    enum class State : uint8_t
    {
        GOOD,        //!< nothing against it
        SKIP,        //!< its next turn is skipped: a mark, or a packet that was trimmed
        ASSUMED_BAD, //!< it has lost packets, and is out of use until probes have come back
        DENIED,      //!< the operator has taken it out of use
    };

    /// The most EVs of one plane.
    static constexpr uint32_t MOST = EvProfile::MOST;

    /// The parameters.
    struct Parameters
    {
        uint32_t planes{1};      //!< number of planes, at most 32
        uint32_t paths{1};       //!< of one plane, at most 2^16
        uint32_t total{256};     //!< EVs of all planes; no more than there are paths
        uint32_t active{128};    //!< EVs of all planes that are in use
        uint32_t leastActive{0}; //!< no EV is retired if fewer would be in use; 0: a fourth of all
        uint32_t planeLead{2};   //!< packets by which a plane may be ahead of another one
        bool swapsOnSkip{false}; //!< a backup takes the place of an EV that is skipped
    };

    /// How many EVs of a plane there are.
    struct Counts
    {
        std::array<uint32_t, 4> states{}; //!< by state
        uint32_t active{0};               //!< in use
    };

    /// An EV.
    struct Entry
    {
        uint16_t plane; //!< the plane
        uint16_t slot;  //!< its number in the plane, below GetSlots()
    };

    /// @param uniform randomness
    /// @param profile the EVs, which outlives the set; nullptr: random ones
    EntropySet(const Parameters& parameters,
               const UniformInteger& uniform,
               const EvProfile* profile = nullptr);

    /// @return EVs of each plane
    uint32_t GetSlots() const
    {
        return m_slots;
    }

    /// @return planes
    uint32_t GetPlanes() const
    {
        return m_parameters.planes;
    }

    /// @return memory that the set takes, in bytes
    std::size_t GetBytes() const;

    /// @return the path of an EV in its plane, below Parameters::paths  @param entry the EV
    uint32_t GetPath(Entry entry) const
    {
        return m_profile ? m_profile->GetPath(entry.plane, entry.slot)
                         : GetPermutation(entry.plane).Apply(entry.slot);
    }

    /// @return the EV with a path; none: no EV has it
    std::optional<Entry> Find(uint32_t plane, uint32_t path) const;

    /// @return the state of an EV  @param entry the EV
    State GetState(Entry entry) const;

    /// @return EVs of a plane that are in use
    uint32_t CountActive(uint32_t plane) const
    {
        return m_planes[plane].active;
    }

    /// @return EVs of a plane, by state
    Counts Count(uint16_t plane) const;

    /**
     * Choose the EV of a packet.
     *
     * @param freePlanes bit p set: plane p can send the packet now
     * @param alivePlanes bit p set: plane p has ports at both ends
     * @param uniform randomness
     * @return the EV; none: no plane may send the packet now
     */
    std::optional<Entry> Choose(uint32_t freePlanes,
                                uint32_t alivePlanes,
                                const UniformInteger& uniform);

    /**
     * Choose the EV of a control packet: planes in turn, whatever they have sent. It does not count
     * as sent.
     *
     * @param alivePlanes as in Choose()
     * @param uniform randomness
     * @return the EV; none: no plane has ports and an EV in use
     */
    std::optional<Entry> ChooseControl(uint32_t alivePlanes, const UniformInteger& uniform);

    /**
     * Choose the EV of a packet where none is in use in any plane that has ports: all are denied,
     * and there is nothing to wait for.
     *
     * @param freePlanes as in Choose()
     * @param alivePlanes as in Choose()
     * @return the EV; none: some are in use, or no plane may send the packet now
     */
    std::optional<Entry> ChooseDenied(uint32_t freePlanes, uint32_t alivePlanes);

    /// The path is congested.  @param entry its EV
    void Skip(Entry entry);

    /// @return EVs of a plane that stay in use, whatever single paths lose
    uint32_t GetLeast() const
    {
        return m_least;
    }

    /// @return whether another plane has EVs in use  @param alivePlanes as in Choose()
    bool HasOther(uint32_t plane, uint32_t alivePlanes) const;

    /// The path has lost a packet.  @param entry its EV
    /// @param least EVs of its plane that stay in use
    /// @return whether the EV is out of use from now on: it was in use, and enough others are
    bool Retire(Entry entry, uint32_t least);

    /// The path is fit again.  @param entry its EV  @return whether it was out of use
    bool Restore(Entry entry);

    /// The operator takes an EV out of use, however few are left.  @param entry the EV
    void Deny(Entry entry);

  private:
    /// What a plane has.
    struct Plane
    {
        uint16_t active; //!< EVs in use: the first of its order
        uint16_t turn;   //!< of the order, how many had their turns in this rotation
        uint32_t sent;   //!< packets, relative to those of other planes
    };

    /// @return the paths of a plane by slot
    LabelPermutation GetPermutation(uint32_t plane) const
    {
        return {m_parameters.paths, m_seed + plane * 0x85EBCA6BU};
    }

    /// @return the order of a plane: slots in use, then the others
    uint8_t* GetOrder(uint32_t plane)
    {
        return &m_order[plane * m_slots];
    }

    /// Change a state.  @param entry an EV  @param state its state from now on
    void SetState(Entry entry, State state);

    /// @return the place of an EV in the order of its plane  @param entry the EV
    uint32_t FindPlace(Entry entry);

    /// @return where a plane has a backup that is good; nullptr: it has none
    uint8_t* FindBackup(uint16_t plane);

    /// Take an EV out of use.  @param entry the EV  @param state of it from now on
    /// @param least EVs of its plane that stay in use
    /// @return whether it is out of use: a backup has its place, or enough others are in use
    bool Withdraw(Entry entry, State state, uint32_t least);

    /// @return the next EV of a plane in its rotation that is good  @param uniform randomness
    std::optional<Entry> Rotate(uint16_t plane, const UniformInteger& uniform);

    /// A plane has sent a packet.  @param alivePlanes as in Choose()
    void CountSent(uint32_t plane, uint32_t alivePlanes);

    Parameters m_parameters;       //!< the parameters
    uint32_t m_slots;              //!< EVs of each plane
    uint32_t m_target;             //!< of these, those that are in use if all are fit
    uint32_t m_least;              //!< no EV is retired if fewer of its plane would be in use
    uint32_t m_seed;               //!< of the paths
    uint16_t m_last{0};            //!< the plane of the last packet
    uint16_t m_lastControl{0};     //!< the plane of the last control packet
    const EvProfile* m_profile;    //!< the EVs; nullptr: random ones
    std::vector<Plane> m_planes;   //!< by plane
    std::vector<uint8_t> m_order;  //!< slots by plane: those in use, then the others
    std::vector<uint8_t> m_states; //!< of EVs, four in a byte, by plane and slot
};

} // namespace aifabric
} // namespace ns3

#endif /* ENTROPY_SET_H */
