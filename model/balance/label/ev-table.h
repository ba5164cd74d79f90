/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EV_TABLE_H
#define EV_TABLE_H

#include "entropy-set.h"
#include "path-prober.h"

#include "ns3/path-choice.h"
#include "ns3/policy-counters.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <optional>
#include <set>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The entropy values (EV) that a queue pair of MRC uses, by the entropy of their packets: their
 * states (EntropySet), the probes of those that were retired (PathProber), and the denylist of the
 * operator, which may name EVs that the queue pair does not have. Times are in picoseconds.
 *
 * An entropy is PathChoice::FIRST_PORT + plane * paths + path. Before the first packet there are
 * no EVs.
 */
class EvTable
{
  public:
    /// An EV: its plane, and its number in the plane.
    using Entry = EntropySet::Entry;

    /// What is called when an EV has another state: its entropy, and the EntropySet::State.
    using StateTrace = TracedCallback<uint32_t, uint8_t>;

    /// Forget all but the counters.
    void Clear();

    /// @param paths of a plane, to the destination
    void SetPaths(uint32_t paths)
    {
        m_paths = paths;
    }

    /// @return paths of a plane, to the destination
    uint32_t GetPaths() const
    {
        return m_paths;
    }

    /// @return whether there are EVs
    bool IsFilled() const
    {
        return m_set.has_value();
    }

    /**
     * Set up the EVs. Those of the denylist are denied at once.
     *
     * @param parameters of the set; its paths are those of SetPaths()
     * @param uniform randomness
     * @param profile the EVs, which outlives the table; nullptr: random ones
     * @param trace called when an EV has another state; it outlives the table
     */
    void Fill(EntropySet::Parameters parameters,
              const UniformInteger& uniform,
              const EvProfile* profile,
              const StateTrace& trace);

    /// Choose the EV of a data packet.
    /// @param freePlanes bit p set: plane p can send the packet now
    /// @param alivePlanes bit p set: plane p has ports at both ends
    /// @return its path; none: no plane may send the packet now
    std::optional<PathChoice> Choose(uint32_t freePlanes,
                                     uint32_t alivePlanes,
                                     const UniformInteger& uniform);

    /// Choose the EV of a control packet (EntropySet::ChooseControl).
    /// @param alivePlanes bit p set: plane p has ports at both ends
    /// @return its path; none: no plane has ports and an EV in use
    std::optional<PathChoice> ChooseControl(uint32_t alivePlanes, const UniformInteger& uniform);

    /// @return the path of an EV  @param entry the EV
    PathChoice ToChoice(Entry entry) const
    {
        return {ToEntropy(entry), entry.plane};
    }

    /// @return the EV of an entropy; none: the queue pair does not have it
    std::optional<Entry> Find(uint32_t entropy) const;

    /// @return the plane of an entropy; none: the queue pair has no such plane
    std::optional<uint16_t> FindPlane(uint32_t entropy) const;

    /// @return EVs of a plane, by state; none before they are set up
    EntropySet::Counts Count(uint16_t plane) const
    {
        return m_set ? m_set->Count(plane) : EntropySet::Counts();
    }

    /// The path of an EV is congested.  @param entry the EV
    void Skip(Entry entry);

    /// The path of an EV has lost a packet: take the EV out of use and probe it.
    /// @param entry the EV
    void Retire(Entry entry, int64_t now, const PathProber::Parameters& probing);

    /// A plane loses all packets: take its EVs out of use and probe them, unless no other plane is
    /// left.  @param plane number of the plane  @param alivePlanes bit p set: plane p has ports at
    /// both ends
    void RetirePlane(uint16_t plane,
                     uint32_t alivePlanes,
                     int64_t now,
                     const PathProber::Parameters& probing);

    /// The packet for which an EV was retired has arrived after all: use the EV again, unless its
    /// plane was retired: then it is at least much slower than the others, and probes decide.
    /// @param entropy the EV  @param retiredAt when it was retired
    void Reinstate(uint32_t entropy, int64_t retiredAt);

    /// @return when the next probe is due; PathProber::NEVER: none is
    int64_t GetProbeDue() const
    {
        return m_prober.GetDue();
    }

    /// @return the path of a probe that is due; none: no probe is due
    std::optional<PathChoice> TakeProbe(int64_t now, const PathProber::Parameters& probing);

    /// A probe has come back.  @param entropy the EV that it probed
    /// @param isMarked whether the probe met congestion
    void ProbeAnswered(uint32_t entropy,
                       bool isMarked,
                       int64_t now,
                       const PathProber::Parameters& probing);

    /// The operator denies an EV.  @param entropy the EV
    void Deny(uint32_t entropy);

    /// The operator allows an EV again.  @param entropy the EV
    void Allow(uint32_t entropy);

    /// Add how often EVs were retired, denied and taken back.  @param counters where
    void Count(PolicyCounters& counters) const;

  private:
    using State = EntropySet::State;

    /// @return the entropy of an EV  @param entry the EV
    uint32_t ToEntropy(Entry entry) const;

    /// @return the number by which the prober knows an EV  @param entry the EV
    uint32_t ToNumber(Entry entry) const
    {
        return entry.plane * m_set->GetSlots() + entry.slot;
    }

    /// Take an EV out of use.  @param entry the EV
    void DenyEntry(Entry entry);

    /// Report the state of an EV to the trace, if it has changed.  @param entry the EV
    /// @param before its state before
    void TraceState(Entry entry, State before) const;

    std::optional<EntropySet> m_set;    //!< the EVs
    const StateTrace* m_trace{nullptr}; //!< an EV has another state
    PathProber m_prober;                //!< of EVs that are retired
    std::set<uint32_t> m_denied;        //!< EVs of the denylist
    uint32_t m_left{0};                 //!< bit p set: plane p was retired (RetirePlane)
    uint32_t m_paths{0};                //!< of a plane, to the destination
    uint32_t m_deniedCount{0};          //!< how often an EV was denied
    uint32_t m_retired{0};              //!< how often an EV was retired
    uint32_t m_returned{0};             //!< how often one has come back
    uint32_t m_reinstated{0};           //!< how often one was retired without reason
    uint32_t m_probes{0};               //!< sent on retired EVs
    uint32_t m_silent{0};               //!< how often a plane was retired
};

} // namespace aifabric
} // namespace ns3

#endif /* EV_TABLE_H */
