/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-application.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <limits>

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("MessageApplication");
NS_OBJECT_ENSURE_REGISTERED(MessageApplication);

TypeId
MessageApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::MessageApplication")
            .SetParent<Application>()
            .SetGroupName("AiFabric")
            .AddConstructor<MessageApplication>()
            .AddAttribute("MessageBytes",
                          "Length of a message (bytes; 0 to 2^32 - 1), drawn for each.",
                          StringValue("ns3::ConstantRandomVariable[Constant=1048576]"),
                          MakePointerAccessor(&MessageApplication::m_bytes),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("OnTime",
                          "Length of a period of activity (seconds), drawn for each.",
                          StringValue("ns3::ConstantRandomVariable[Constant=1]"),
                          MakePointerAccessor(&MessageApplication::m_onTime),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("OffTime",
                          "Time from a period of activity to the next one (seconds), drawn for "
                          "each; the default is no pause.",
                          StringValue("ns3::ConstantRandomVariable[Constant=0]"),
                          MakePointerAccessor(&MessageApplication::m_offTime),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Interval",
                          "Time from the post of a message to the next post (seconds, above 0), "
                          "drawn for each; null: a message is posted when the one before it is "
                          "acknowledged.",
                          PointerValue(),
                          MakePointerAccessor(&MessageApplication::m_interval),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("MaxMessages",
                          "Messages to post (0: no limit).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MessageApplication::m_maxMessages),
                          MakeUintegerChecker<uint64_t>())
            .AddTraceSource("Posted",
                            "A message was posted.",
                            MakeTraceSourceAccessor(&MessageApplication::m_postedTrace),
                            "ns3::aifabric::MessageApplication::PostedTracedCallback")
            .AddTraceSource("Completed",
                            "A message was acknowledged whole.",
                            MakeTraceSourceAccessor(&MessageApplication::m_completedTrace),
                            "ns3::aifabric::MessageApplication::CompletedTracedCallback");
    return tid;
}

MessageApplication::MessageApplication()
{
}

MessageApplication::~MessageApplication()
{
}

void
MessageApplication::SetQueuePair(Ptr<QueuePair> queuePair)
{
    m_queuePair = queuePair;
}

Ptr<QueuePair>
MessageApplication::GetQueuePair() const
{
    return m_queuePair;
}

uint32_t
MessageApplication::GetDestination() const
{
    NS_ABORT_MSG_IF(!m_queuePair, "MessageApplication::GetDestination: there is no queue pair");
    return m_queuePair->GetPeerHost();
}

uint64_t
MessageApplication::GetPosted() const
{
    return m_posted;
}

uint64_t
MessageApplication::GetCompleted() const
{
    return m_completed;
}

int64_t
MessageApplication::AssignStreams(int64_t stream)
{
    m_bytes->SetStream(stream);
    m_onTime->SetStream(stream + 1);
    m_offTime->SetStream(stream + 2);
    if (m_interval)
    {
        m_interval->SetStream(stream + 3);
    }
    return 4;
}

void
MessageApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(!m_queuePair,
                    "MessageApplication: there is no queue pair to send over; "
                    "MessageApplicationHelper::Install opens one");
    TurnOn();
}

void
MessageApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_isOn = false;
    m_turn.Cancel();
    m_post.Cancel();
}

void
MessageApplication::TurnOn()
{
    NS_LOG_FUNCTION(this);
    m_isOn = true;
    m_turn = Simulator::Schedule(Seconds(m_onTime->GetValue()), &MessageApplication::TurnOff, this);
    Post();
}

void
MessageApplication::TurnOff()
{
    NS_LOG_FUNCTION(this);
    const Time pause = Seconds(m_offTime->GetValue());
    if (pause.IsZero())
    {
        const Time more = Seconds(m_onTime->GetValue());
        NS_ABORT_MSG_IF(more.IsZero(), "MessageApplication: OnTime and OffTime are both 0");
        m_turn = Simulator::Schedule(more, &MessageApplication::TurnOff, this);
        return;
    }
    m_isOn = false;
    m_post.Cancel();
    m_turn = Simulator::Schedule(pause, &MessageApplication::TurnOn, this);
}

void
MessageApplication::Post()
{
    const bool waits = !m_interval && !m_pending.empty();
    if (!m_isOn || waits || (m_maxMessages > 0 && m_posted >= m_maxMessages))
    {
        return;
    }
    const double drawn = m_bytes->GetValue();
    NS_ABORT_MSG_IF(!(drawn >= 0 && drawn <= std::numeric_limits<uint32_t>::max()),
                    "MessageApplication::MessageBytes: " << drawn
                                                         << " bytes; a message has 0 to 2^32 - 1");
    const auto bytes = static_cast<uint64_t>(drawn);
    NS_LOG_LOGIC("message " << m_posted << " of " << bytes << " bytes to host "
                            << GetDestination());
    ++m_posted;
    m_pending.push_back(Simulator::Now());
    m_postedTrace(bytes);
    m_queuePair->PostWrite(bytes, MakeCallback(&MessageApplication::MessageCompleted, this));
    if (m_interval)
    {
        const Time wait = Seconds(m_interval->GetValue());
        NS_ABORT_MSG_IF(!wait.IsStrictlyPositive(),
                        "MessageApplication::Interval: " << wait.As(Time::S) << "; it is above 0");
        m_post = Simulator::Schedule(wait, &MessageApplication::Post, this);
    }
}

void
MessageApplication::MessageCompleted(Ptr<QueuePair>, uint64_t bytes)
{
    const Time duration = Simulator::Now() - m_pending.front();
    m_pending.pop_front();
    ++m_completed;
    m_completedTrace(bytes, duration);
    if (!m_interval)
    {
        // Not at once: the queue pair is not done with this acknowledgement.
        m_post = Simulator::ScheduleNow(&MessageApplication::Post, this);
    }
}

void
MessageApplication::DoDispose()
{
    m_turn.Cancel();
    m_post.Cancel();
    m_queuePair = nullptr;
    Application::DoDispose();
}

} // namespace aifabric
} // namespace ns3
