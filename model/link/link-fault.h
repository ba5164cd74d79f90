/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_FAULT_H
#define LINK_FAULT_H

#include "fabric-channel.h"
#include "frame-loss.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What goes wrong with one cable, and when: it is cut, it is slow, or it loses frames. Both
 * directions suffer alike, or the attribute Direction says which one does. A degraded link, whose
 * rate and queues shrink alike, has a RateFactor and the same QueueFactor.
 *
 * A fault lasts from Start to Stop. If it has a Period it flaps: of each period from Start on it
 * lasts for the first part, Duty, until Stop, or for Count periods if that is shorter. So it lasts
 * for Count * Period * Duty altogether. It is one object and one event at a time however often it
 * flaps. A fault that flaps without Stop and Count does so until the simulation is stopped.
 *
 * Faults of one cable may overlap. Each direction is up as long as no fault cuts it; the fractions
 * of its rate and of its queues multiply; a frame survives if it survives each fault,
 * independently. When the last fault ends, the cable is as good as new. A script that has faults
 * should not call FabricChannel::SetUp(), SetRateFactor(), SetQueueFactor() or SetLossProbability()
 * itself: the next fault to begin or end overrides it.
 *
 * A fault schedules itself when it is initialized, and holds itself until it is over. The creator
 * must call Initialize(), as FailureHelper does.
 */
class LinkFault : public Object
{
  public:
    /// Which direction suffers.
    enum Direction : uint8_t
    {
        BOTH, //!< both do
        UP,   //!< what the channel's port 0 sends: in a FabricGraph the lower end
        DOWN  //!< what its port 1 sends
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LinkFault();
    ~LinkFault() override;

    /// @return the cable
    Ptr<FabricChannel> GetChannel() const;

    /// @return whether it has begun and not ended; one that flaps begins and ends in each period
    bool IsActive() const;

    /**
     * Signature of the Begin and End trace sources.
     */
    typedef void (*FaultTracedCallback)(Ptr<const LinkFault> fault);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// @return a type with the attributes of what the fault does
    static TypeId AddEffects(TypeId type);

    /// @return a type with the attributes of when it happens
    static TypeId AddTimes(TypeId type);

    /// @return a type with the attributes of lost frames
    static TypeId AddLosses(TypeId type);

    /// Abort if its attributes contradict each other.
    void Check() const;

    /// @return how long it lasts in each period
    Time GetLasting() const;

    /// @return whether it loses frames in bursts, or only some of them
    bool LosesSome() const;

    /// It begins, for the first time or again.
    void Begin();

    /// It ends.
    void End();

    /// Its part of a period is over.
    void EndPeriod();

    /// It ends for good.
    void Finish();

    Ptr<FabricChannel> m_channel;                 //!< the cable
    Time m_start;                                 //!< when it begins
    Time m_stop;                                  //!< when it ends; zero: never
    Time m_period;                                //!< from one begin to the next; zero: no flaps
    double m_duty{0.5};                           //!< part of the period for which it lasts
    uint64_t m_count{0};                          //!< periods; 0: until it ends
    bool m_down{false};                           //!< the cable is cut
    double m_rateFactor{1};                       //!< fraction of the nominal rate
    double m_queueFactor{1};                      //!< fraction of the limits of the queues
    double m_lossProbability{0};                  //!< of each frame
    double m_lossBurst{0};                        //!< mean length of bursts; 0: independent losses
    FrameLoss::Kind m_lossFrames{FrameLoss::ALL}; //!< which frames may be lost
    int m_lossDscp{FrameLoss::ANY_DSCP};          //!< their DSCP
    Direction m_direction{BOTH};                  //!< which direction suffers
    bool m_active{false};                         //!< it has begun and not ended
    bool m_finished{false};                       //!< it has ended for good
    uint64_t m_begins{0};                         //!< how often it has begun

    TracedCallback<Ptr<const LinkFault>> m_beginTrace; //!< it has begun
    TracedCallback<Ptr<const LinkFault>> m_endTrace;   //!< it has ended
};

} // namespace aifabric
} // namespace ns3

#endif /* LINK_FAULT_H */
