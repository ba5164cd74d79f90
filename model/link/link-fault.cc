/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-fault.h"

#include "link-fault-set.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/integer.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <memory>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(LinkFault);

TypeId
LinkFault::GetTypeId()
{
    static TypeId tid =
        AddLosses(AddEffects(AddTimes(TypeId("ns3::aifabric::LinkFault")
                                          .SetParent<Object>()
                                          .SetGroupName("AiFabric")
                                          .AddConstructor<LinkFault>()
                                          .AddAttribute("Channel",
                                                        "The cable.",
                                                        PointerValue(),
                                                        MakePointerAccessor(&LinkFault::m_channel),
                                                        MakePointerChecker<FabricChannel>()))))
            .AddTraceSource("Begin",
                            "The fault has begun, for the first time or again.",
                            MakeTraceSourceAccessor(&LinkFault::m_beginTrace),
                            "ns3::aifabric::LinkFault::FaultTracedCallback")
            .AddTraceSource("End",
                            "The fault has ended, for good or until it begins again.",
                            MakeTraceSourceAccessor(&LinkFault::m_endTrace),
                            "ns3::aifabric::LinkFault::FaultTracedCallback");
    return tid;
}

TypeId
LinkFault::AddTimes(TypeId type)
{
    return type
        .AddAttribute("Start",
                      "Simulation time at which the fault begins; if it is not in the future, the "
                      "fault begins as it is initialized.",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&LinkFault::m_start),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("Stop",
                      "Simulation time at which the fault ends (0: never).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&LinkFault::m_stop),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("Period",
                      "Time from one begin of a fault that flaps to the next one (0: it does not "
                      "flap).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&LinkFault::m_period),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("Duty",
                      "Fraction of each period for which a fault that flaps lasts, rounded to "
                      "picoseconds.",
                      DoubleValue(0.5),
                      MakeDoubleAccessor(&LinkFault::m_duty),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("Count",
                      "Number of periods of a fault that flaps (0: until Stop).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&LinkFault::m_count),
                      MakeUintegerChecker<uint64_t>());
}

TypeId
LinkFault::AddLosses(TypeId type)
{
    return type
        .AddAttribute("LossProbability",
                      "Share of frames that are lost.",
                      DoubleValue(0),
                      MakeDoubleAccessor(&LinkFault::m_lossProbability),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("LossBurst",
                      "Mean number of frames that are lost one after the other, at least 1 "
                      "(FrameLoss; 0: each frame is lost independently of the others).",
                      DoubleValue(0),
                      MakeDoubleAccessor(&LinkFault::m_lossBurst),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("LossFrames",
                      "Which frames are lost: All, Data (packets with payload), Control (all "
                      "others, trimmed packets and flow control of links among them).",
                      EnumValue(FrameLoss::ALL),
                      MakeEnumMemberAccessor<FrameLoss::Kind>(&LinkFault::m_lossFrames),
                      MakeEnumChecker(FrameLoss::ALL,
                                      "All",
                                      FrameLoss::DATA,
                                      "Data",
                                      FrameLoss::CONTROL,
                                      "Control"))
        .AddAttribute("LossDscp",
                      "DSCP of the frames that are lost (-1: any).",
                      IntegerValue(FrameLoss::ANY_DSCP),
                      MakeIntegerAccessor(&LinkFault::m_lossDscp),
                      MakeIntegerChecker<int>(FrameLoss::ANY_DSCP, 63));
}

TypeId
LinkFault::AddEffects(TypeId type)
{
    return type
        .AddAttribute("Down",
                      "The cable is cut: what is in flight and what is sent is lost. Both "
                      "ends know of it alike, even if it is cut in one direction only.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&LinkFault::m_down),
                      MakeBooleanChecker())
        .AddAttribute("RateFactor",
                      "Fraction of their rate at which both ends send.",
                      DoubleValue(1),
                      MakeDoubleAccessor(&LinkFault::m_rateFactor),
                      MakeDoubleChecker<double>(1e-6, 1))
        .AddAttribute("QueueFactor",
                      "Fraction that is left of the room and of the marking thresholds of the "
                      "queues of switches in front of the cable.",
                      DoubleValue(1),
                      MakeDoubleAccessor(&LinkFault::m_queueFactor),
                      MakeDoubleChecker<double>(1e-6, 1))
        .AddAttribute("Direction",
                      "Which direction suffers: Both, Up (what the lower end sends), Down.",
                      EnumValue(BOTH),
                      MakeEnumMemberAccessor<Direction>(&LinkFault::m_direction),
                      MakeEnumChecker(BOTH, "Both", UP, "Up", DOWN, "Down"));
}

LinkFault::LinkFault()
{
}

LinkFault::~LinkFault()
{
}

void
LinkFault::DoInitialize()
{
    Check();
    const Time now = Simulator::Now();
    if (m_stop.IsZero() || m_stop > now)
    {
        const Ptr<LinkFault> self = this; // the events keep it alive
        if (m_start > now)
        {
            Simulator::Schedule(m_start - now, &LinkFault::Begin, self);
        }
        else
        {
            Begin();
        }
        if (!m_stop.IsZero())
        {
            Simulator::Schedule(m_stop - now, &LinkFault::Finish, self);
        }
    }
    Object::DoInitialize();
}

void
LinkFault::Check() const
{
    NS_ABORT_MSG_IF(!m_channel, "LinkFault::Channel is not set");
    NS_ABORT_MSG_IF(!m_stop.IsZero() && m_stop <= m_start,
                    "LinkFault::Stop " << m_stop.As() << ": it must be after Start " << m_start.As()
                                       << ", or zero");
    const Time lasting = GetLasting();
    NS_ABORT_MSG_IF(!m_period.IsZero() && (lasting.IsZero() || lasting >= m_period),
                    "LinkFault::Duty " << m_duty << ": a fault that flaps must begin and end in "
                                       << "each period of " << m_period.As(Time::NS));
    NS_ABORT_MSG_IF(m_period.IsZero() && m_count > 0,
                    "LinkFault::Count " << m_count << ": without Period it must be 0");
    NS_ABORT_MSG_IF(
        m_lossBurst != 0 &&
            (m_lossBurst < 1 || m_lossProbability > FrameLoss::GetMostProbability(m_lossBurst)),
        "LinkFault::LossBurst " << m_lossBurst
                                << ": it must be 0, or at least 1 and such that "
                                   "LossProbability is at most B / (B + 1)");
}

Time
LinkFault::GetLasting() const
{
    return PicoSeconds(std::llround(m_period.GetPicoSeconds() * m_duty));
}

bool
LinkFault::LosesSome() const
{
    return m_lossProbability > 0 && (m_lossBurst != 0 || m_lossFrames != FrameLoss::ALL ||
                                     m_lossDscp != FrameLoss::ANY_DSCP);
}

void
LinkFault::DoDispose()
{
    m_channel = nullptr;
    Object::DoDispose();
}

Ptr<FabricChannel>
LinkFault::GetChannel() const
{
    return m_channel;
}

bool
LinkFault::IsActive() const
{
    return m_active;
}

void
LinkFault::Begin()
{
    if (!m_channel || m_finished)
    {
        return; // disposed of, or over
    }
    m_active = true;
    ++m_begins;
    if (!m_period.IsZero())
    {
        Simulator::Schedule(GetLasting(), &LinkFault::EndPeriod, Ptr<LinkFault>(this));
    }
    FaultEffect effect{this,
                       m_down,
                       m_rateFactor,
                       m_queueFactor,
                       LosesSome() ? 0 : m_lossProbability,
                       {m_direction != DOWN, m_direction != UP},
                       {}};
    for (std::shared_ptr<FrameLoss>& loss : effect.losses)
    {
        loss = LosesSome() ? std::make_shared<FrameLoss>(m_lossProbability,
                                                         m_lossBurst,
                                                         m_lossFrames,
                                                         m_lossDscp)
                           : nullptr;
    }
    const Ptr<LinkFaultSet> set = LinkFaultSet::Of(m_channel);
    set->Add(effect);
    set->Apply(*m_channel);
    m_beginTrace(this);
}

void
LinkFault::End()
{
    if (!m_channel || !m_active)
    {
        return; // disposed of, or over
    }
    m_active = false;
    const Ptr<LinkFaultSet> set = LinkFaultSet::Of(m_channel);
    set->Remove(this);
    set->Apply(*m_channel);
    m_endTrace(this);
}

void
LinkFault::EndPeriod()
{
    if (!m_finished && (m_count == 0 || m_begins < m_count))
    {
        Simulator::Schedule(m_period - GetLasting(), &LinkFault::Begin, Ptr<LinkFault>(this));
    }
    End();
}

void
LinkFault::Finish()
{
    m_finished = true;
    End();
}

} // namespace aifabric
} // namespace ns3
