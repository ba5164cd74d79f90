/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pause-storm.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PauseStorm);

TypeId
PauseStorm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PauseStorm")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PauseStorm>()
                            .AddAttribute("Class",
                                          "The traffic class that is paused.",
                                          UintegerValue(3),
                                          MakeUintegerAccessor(&PauseStorm::m_class),
                                          MakeUintegerChecker<uint8_t>(0, 7))
                            .AddAttribute("PauseQuanta",
                                          "Pause time in a PFC frame (quanta: times of 512 bits).",
                                          UintegerValue(65535),
                                          MakeUintegerAccessor(&PauseStorm::m_quanta),
                                          MakeUintegerChecker<uint16_t>(1))
                            .AddAttribute("Start",
                                          "When the storm begins.",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&PauseStorm::m_start),
                                          MakeTimeChecker(Time(0)))
                            .AddAttribute("Stop",
                                          "When the storm ends; 0: never.",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&PauseStorm::m_stop),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

PauseStorm::PauseStorm()
{
}

PauseStorm::~PauseStorm()
{
}

void
PauseStorm::SetPort(Ptr<FabricPort> port)
{
    m_port = port;
}

void
PauseStorm::DoInitialize()
{
    NS_ABORT_MSG_IF(!m_port, "PauseStorm: SetPort() was not called");
    NS_ABORT_MSG_IF(!m_stop.IsZero() && m_stop <= m_start,
                    "PauseStorm::Stop is " << m_stop.As(Time::US) << ", not after Start, "
                                           << m_start.As(Time::US));
    m_sender.Install(1, m_quanta, "PauseStorm");
    m_sender.InstallPort(0, *m_port);
    m_startEvent = Simulator::Schedule(FabricClock::Until(m_start.GetPicoSeconds()),
                                       &PauseStorm::Toggle,
                                       this);
    if (!m_stop.IsZero())
    {
        m_stopEvent = Simulator::Schedule(FabricClock::Until(m_stop.GetPicoSeconds()),
                                          &PauseStorm::Toggle,
                                          this);
    }
    Object::DoInitialize();
}

void
PauseStorm::DoDispose()
{
    m_startEvent.Cancel();
    m_stopEvent.Cancel();
    m_sender.Dispose();
    m_port = nullptr;
    Object::DoDispose();
}

void
PauseStorm::Toggle()
{
    m_sender.Toggle(0, m_class);
    m_sender.SendChanges(0);
}

} // namespace aifabric
} // namespace ns3
