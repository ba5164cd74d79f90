/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROBE_JUDGE_H
#define PROBE_JUDGE_H

#include "fabric-element.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Finds out from probes which elements of a fabric have failed (MRC: arXiv 2605.04333, sections 2.4
 * and 3). In each round every port of a NIC sends a probe to its switch of tier 0 (T0) and back,
 * and every link between T0 and T1 is crossed by a probe that some host below the T0 sends to the
 * T1 and back.
 *
 * | element  | it is bad if                                                                   |
 * | -------- | ------------------------------------------------------------------------------ |
 * | NIC port | its probes to T0 are lost, and the T0 is not bad                               |
 * | T0       | the probes of all its hosts are lost, which are two at least                   |
 * | link     | its probes are lost, those to T0 are not, and the T1 is not bad                |
 * | T1       | the probes over all its links are lost, of two T0 at least that are not bad    |
 *
 * A probe counts as lost after some losses in a row, and as answered after some answers in a row. A
 * probe over a link says nothing if the probe to T0 of the same host was lost in the same round. A
 * switch that fails within a round loses some probes a round earlier than others. So while all
 * members of a group are bad or on the way there, nothing changes for the group.
 */
class ProbeJudge
{
  public:
    /// How many probes in a row change the state of an element.
    struct Limits
    {
        uint32_t losses{3};  //!< until it is bad
        uint32_t answers{3}; //!< until it is good again
    };

    /// The state of an element has changed.
    struct Change
    {
        FabricElement element; //!< the element
        bool isBad;            //!< it has failed; false: it works again
    };

    /// @param graph the fabric; must outlive this
    ProbeJudge(const FabricGraph& graph, const Limits& limits);

    /// A probe of a NIC to T0 has ended.  @param isAnswered whether it came back
    void TakeLeafProbe(uint32_t host, uint16_t plane, bool isAnswered);

    /// A probe over a link has ended; to be called after TakeLeafProbe() of the same round.
    /// @param host the host that sent it  @param isAnswered whether it came back
    void TakeSpineProbe(uint32_t link, uint32_t host, bool isAnswered);

    /// @return what has changed, at the end of a round
    std::vector<Change> Judge();

    /// @return the elements that are bad
    const std::set<FabricElement>& GetBad() const
    {
        return m_bad;
    }

  private:
    /// What became of the last probes of a port or a link.
    struct Streak
    {
        uint32_t lost{0};     //!< in a row
        uint32_t answered{0}; //!< in a row
        bool isBad{false};    //!< probes are lost
    };

    /// What the members of a group say of the group.
    enum class Verdict : uint8_t
    {
        EACH,  //!< each member stands for itself
        WHOLE, //!< the group is bad
        WAIT,  //!< that is not clear yet
    };

    using Elements = std::set<FabricElement>; //!< elements that are bad

    /// Count a probe.  @param streak of its port or link  @param isAnswered whether it came back
    void Count(Streak& streak, bool isAnswered) const;

    /// @return what is known of a port
    Streak& GetPort(uint32_t host, uint16_t plane);

    /// @return the verdict on a group  @param wasBad whether it was bad
    static Verdict JudgeGroup(const std::vector<const Streak*>& members, bool wasBad);

    /// Judge a T0 and the ports of its hosts.  @param id the switch  @param [in,out] bad where the
    /// bad ones are added
    void JudgeLeaf(uint32_t id, Elements& bad);

    /// Judge a T1 and its links.  @param id the switch  @param [in,out] bad where the bad ones are
    /// added, with all T0 that are bad
    void JudgeSpine(uint32_t id, Elements& bad) const;

    /// An element stays what it was.  @param [in,out] bad where it is added if it was bad
    void Keep(const FabricElement& element, Elements& bad) const;

    const FabricGraph& m_graph;     //!< the fabric
    Limits m_limits;                //!< the limits
    std::vector<Streak> m_ports;    //!< of NICs, by host and plane
    std::vector<Streak> m_links;    //!< by link; those of NICs are not used
    std::vector<bool> m_isAnswered; //!< the last probe to T0 came back, by host and plane
    Elements m_bad;                 //!< the elements that are bad
};

} // namespace aifabric
} // namespace ns3

#endif /* PROBE_JUDGE_H */
