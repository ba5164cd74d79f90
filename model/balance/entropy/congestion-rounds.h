/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONGESTION_ROUNDS_H
#define CONGESTION_ROUNDS_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * When PLB (Qureshi et al., SIGCOMM 2022) changes a path: acknowledgements are counted in rounds,
 * and a round is congested if the share of those that report a mark reaches a threshold. After so
 * many congested rounds in a row the path is to be changed; after fewer, if nothing is on the way
 * so that nothing can be reordered.
 */
class CongestionRounds
{
  public:
    /// The parameters.
    struct Parameters
    {
        double threshold{0.4};  //!< share of marks that makes a round congested
        uint32_t rounds{1};     //!< congested rounds in a row after which the path is changed
        uint32_t idleRounds{1}; //!< the same if nothing is on the way
        int64_t roundSteps{0};  //!< length of a round; 0: until a packet that was sent in the
                                //!< round is acknowledged
    };

    /// Create rounds with thresholds.  @param parameters thresholds and lengths
    explicit CongestionRounds(const Parameters& parameters);

    /**
     * A packet was acknowledged. The first round begins with the first one.
     *
     * @param now the time, in the same unit
     * @param isIdle whether no other packet is on the way
     * @return whether the path is to be changed now
     */
    bool Acked(bool marked, int64_t sentAt, int64_t now, bool isIdle);

  private:
    Parameters m_parameters; //!< the parameters
    bool m_hasBegun{false};  //!< whether there is a round
    int64_t m_roundStart{0}; //!< when it began
    uint32_t m_acks{0};      //!< acknowledgements in it
    uint32_t m_marks{0};     //!< of these, with a mark
    uint32_t m_congested{0}; //!< rounds before it in a row that were congested
};

} // namespace aifabric
} // namespace ns3

#endif /* CONGESTION_ROUNDS_H */
