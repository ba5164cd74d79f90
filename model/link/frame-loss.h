/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_LOSS_H
#define FRAME_LOSS_H

#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricFrame;

/**
 * @ingroup ai-fabric
 *
 * Loses frames of one direction of a cable: those of some kind, one by one or in bursts.
 *
 * Bursts follow the model of Gilbert and Elliott (E. N. Gilbert, Bell System Technical Journal 39,
 * 1960) in its simplest form: while the cable is in its bad state it loses each frame, while it is
 * in its good state it loses none. If bursts have a mean of B frames and a share P of all frames is
 * lost, the state changes at a frame from bad to good with probability 1 / B, and from good to bad
 * with P / (B (1 - P)). With B = 1 / (1 - P) all losses are independent. Frames of other kinds do
 * not change the state.
 */
class FrameLoss
{
  public:
    /// Which frames may be lost.
    enum Kind : uint8_t
    {
        ALL,    //!< all frames
        DATA,   //!< packets with payload of messages, and IP packets of other protocols
        CONTROL //!< all others: acknowledgements, credits, CNPs, probes, trimmed packets, PAUSE,
                //!< PFC
    };

    static constexpr int ANY_DSCP = -1; //!< frames of all DSCPs are lost alike

    /**
     * @param probability the share of frames that is lost, in [0, 1]
     * @param burst mean number of frames that are lost one after the other, at least 1 and so large
     * that GetMostProbability() is at least the probability; 0: each frame is lost independently
     * @param kind which frames may be lost
     * @param dscp the DSCP of frames that may be lost, or ANY_DSCP
     */
    FrameLoss(double probability, double burst, Kind kind, int dscp);

    /// @return whether a frame that has crossed the cable is lost
    /// @param random uniform in [0, 1); it is drawn from once if the frame may be lost
    bool Loses(const FabricFrame& frame, UniformRandomVariable& random);

    /// @return the share of frames that bursts of a mean length can lose at most
    /// @param burst the mean length
    static double GetMostProbability(double burst);

  private:
    /// @return whether a frame may be lost
    bool Concerns(const FabricFrame& frame) const;

    double m_enter;    //!< probability with which a frame is lost after one that was not
    double m_stay;     //!< probability with which a frame is lost after one that was
    Kind m_kind;       //!< which frames may be lost
    int m_dscp;        //!< their DSCP, or ANY_DSCP
    bool m_bad{false}; //!< the last one was lost
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_LOSS_H */
