/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-port.h"

#include "fabric-channel.h"
#include "fabric-net-device.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/make-object.h"
#include "ns3/node.h"
#include "ns3/object-vector.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/strict-egress-scheduler.h"
#include "ns3/time-units.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <bitset>
#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FabricPort);

namespace
{

/// The most picoseconds that a byte may take: 2^17 bytes, in picoseconds times 2^16, fit in 63
/// bits.
constexpr double MOST_STEPS = 1e9;

} // namespace

TypeId
FabricPort::GetTypeId()
{
    static TypeId tid =
        AddQueueAttributes(
            TypeId("ns3::aifabric::FabricPort")
                .SetParent<Object>()
                .SetGroupName("AiFabric")
                .AddConstructor<FabricPort>()
                .AddAttribute(
                    "DataRate",
                    "Rate of the serializer. It may change later, but not once a switch at "
                    "either end has computed headrooms (PFC) from it.",
                    DataRateValue(DataRate("800Gb/s")),
                    MakeDataRateAccessor(&FabricPort::SetDataRate, &FabricPort::GetDataRate),
                    MakeDataRateChecker())
                .AddAttribute("InterframeGap",
                              "Preamble, start delimiter and gap that precede each frame (bytes).",
                              TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                              UintegerValue(20),
                              MakeUintegerAccessor(&FabricPort::m_gap),
                              MakeUintegerChecker<uint32_t>()))
            .AddTraceSource("Send",
                            "The transmission of a frame begins.",
                            MakeTraceSourceAccessor(&FabricPort::m_sendTrace),
                            "ns3::aifabric::FabricPort::FrameTracedCallback")
            .AddTraceSource("Receive",
                            "A frame has arrived whole.",
                            MakeTraceSourceAccessor(&FabricPort::m_receiveTrace),
                            "ns3::aifabric::FabricPort::FrameTracedCallback")
            .AddTraceSource("Loss",
                            "A frame sent by this port was lost on the link.",
                            MakeTraceSourceAccessor(&FabricPort::m_lossTrace),
                            "ns3::aifabric::FabricPort::LossTracedCallback")
            .AddTraceSource("Pause",
                            "The peer paused or resumed classes of this port.",
                            MakeTraceSourceAccessor(&FabricPort::m_pauseTrace),
                            "ns3::aifabric::FabricPort::PauseTracedCallback");
    return tid;
}

TypeId
FabricPort::AddQueueAttributes(TypeId type)
{
    return type
        .AddAttribute("Classes",
                      "Traffic classes with a queue of their own (bit c set: class c). A class "
                      "without one shares the queue of the next lower class that has one. The "
                      "default is best effort (0), RoCE (3) and congestion notification (6).",
                      TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                      UintegerValue(USUAL_CLASSES),
                      MakeUintegerAccessor(&FabricPort::m_classes),
                      MakeUintegerChecker<uint8_t>(1))
        .AddAttribute("DscpTable",
                      "The traffic classes of DSCPs; null: the port makes a table of its own, "
                      "with the default of DscpTable::Classes.",
                      TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                      PointerValue(),
                      MakePointerAccessor(&FabricPort::m_dscpTable),
                      MakePointerChecker<DscpTable>())
        .AddAttribute("EgressSchedulerType",
                      "Which queue sends the next frame: a subclass of EgressScheduler.",
                      TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                      TypeIdValue(StrictEgressScheduler::GetTypeId()),
                      MakeTypeIdAccessor(&FabricPort::m_schedulerType),
                      MakeTypeIdChecker())
        .AddAttribute("EgressScheduler",
                      "The scheduler of that type; null for strict priority.",
                      TypeId::ATTR_GET,
                      PointerValue(),
                      MakePointerAccessor(&FabricPort::GetEgressScheduler),
                      MakePointerChecker<EgressScheduler>())
        .AddAttribute(
            "QueueList",
            "The queues, from the lowest class up.",
            TypeId::ATTR_GET,
            ObjectVectorValue(),
            MakeObjectVectorAccessor(&FabricPort::GetQueueByIndex, &FabricPort::GetQueueCount),
            MakeObjectVectorChecker<FabricQueue>());
}

FabricPort::FabricPort()
    : m_transmitter(Create<FabricTransmitter>(this))
{
}

FabricPort::~FabricPort()
{
}

void
FabricPort::NotifyConstructionCompleted()
{
    Object::NotifyConstructionCompleted();
    // A queue knows the default of its attribute, wherever that comes from.
    m_transmitter->GetQueues().SetClasses(m_classes, CreateObject<FabricQueue>()->GetMaxSize());
    if (!m_dscpTable)
    {
        m_dscpTable = CreateObject<DscpTable>();
    }
    MakeScheduler();
    m_sendTrace.SetWatcher([this]() { UpdateObservers(); });
    m_receiveTrace.SetWatcher([this]() { UpdateObservers(); });
    ApplyTiming();
}

void
FabricPort::MakeScheduler()
{
    if (m_schedulerType == StrictEgressScheduler::GetTypeId())
    {
        return;
    }
    m_transmitter->GetQueues().SetScheduler(
        MakeObject<EgressScheduler>(m_schedulerType, "FabricPort::EgressSchedulerType"));
}

Ptr<EgressScheduler>
FabricPort::GetEgressScheduler() const
{
    return m_transmitter->GetQueues().GetScheduler();
}

void
FabricPort::Attach(FabricNetDevice* device, FrameHandler* handler, uint16_t index)
{
    m_device = device;
    m_handler = handler;
    m_index = index;
    m_transmitter->SetNode(device->GetNode()->GetId());
}

void
FabricPort::SetHandler(FrameHandler* handler)
{
    m_handler = handler;
    if (const FabricPort* peer = m_transmitter->GetPeer())
    {
        peer->GetTransmitter().SetHandler(handler);
    }
}

void
FabricPort::Connect(FabricChannel* channel, FabricPort* peer, int64_t delay)
{
    NS_ABORT_MSG_IF(m_channel, "FabricPort::Connect: the port is connected already");
    FabricClock::Check();
    m_channel = channel;
    m_transmitter->SetDelay(delay);
    m_transmitter->SetPeer(peer,
                           peer->m_handler,
                           peer->m_index,
                           peer->m_device->GetNode()->GetId());
}

void
FabricPort::DoInitialize()
{
    ApplyTiming();
    UpdateObservers();
    Object::DoInitialize();
}

void
FabricPort::DoDispose()
{
    m_transmitter->Dispose();
    m_device = nullptr;
    m_handler = nullptr;
    m_channel = nullptr;
    Object::DoDispose();
}

void
FabricPort::ApplyTiming()
{
    const double bitsPerSecond = static_cast<double>(m_rate.GetBitRate()) * m_rateFactor;
    NS_ABORT_MSG_IF(bitsPerSecond <= 0, "FabricPort::DataRate is zero; it must be positive");
    const double steps = BIT_PS_PER_BYTE / bitsPerSecond; // picoseconds a byte
    NS_ABORT_MSG_IF(steps > MOST_STEPS,
                    "FabricPort::DataRate " << m_rate << " times a rate factor of " << m_rateFactor
                                            << ": at this rate the time that the largest frame "
                                               "takes does not fit");
    const auto stepsPerByte = static_cast<int64_t>(std::llround(steps * (1 << 16)));
    m_transmitter->SetTiming(stepsPerByte, (m_gap * stepsPerByte + (1 << 15)) >> 16);
}

void
FabricPort::SetDataRate(DataRate rate)
{
    NS_ABORT_MSG_IF(m_holdsRate && rate != m_rate,
                    "FabricPort::DataRate cannot change from "
                        << m_rate << " to " << rate
                        << ": a switch has computed headrooms (PFC) from it");
    m_transmitter->Advance(FabricClock::Now());
    m_rate = rate;
    ApplyTiming();
    if (m_device)
    {
        m_device->DataRateChanged(m_index);
    }
}

void
FabricPort::HoldDataRate()
{
    m_holdsRate = true;
}

void
FabricPort::SetRateFactor(double factor)
{
    NS_ABORT_MSG_IF(factor <= 0 || factor > 1,
                    "FabricPort rate factor " << factor << ": it must be in (0, 1]");
    const int64_t now = FabricClock::Now();
    m_transmitter->Advance(now);
    m_rateFactor = factor;
    ApplyTiming();
}

void
FabricPort::SetQueueFactor(double factor)
{
    NS_ABORT_MSG_IF(factor <= 0 || factor > 1,
                    "FabricPort queue factor " << factor << ": it must be in (0, 1]");
    if (factor != m_transmitter->GetQueueFactor())
    {
        m_transmitter->Advance(FabricClock::Now());
        m_transmitter->SetQueueFactor(factor);
        m_handler->QueueFactorChanged();
    }
}

bool
FabricPort::LosesFrame(const FabricFrame& frame)
{
    return m_channel->LosesFrame(this, frame);
}

void
FabricPort::ReceivePause(const PauseVector& vector, FrameKind kind, int64_t now)
{
    const int64_t quantum = m_transmitter->GetTransmissionTime(64);
    for (uint8_t c = 0; c < FabricTransmitter::CLASSES; ++c)
    {
        if (kind == FrameKind::PFC && !(vector.classes >> c & 1))
        {
            continue;
        }
        const uint8_t mask = kind == FrameKind::PFC ? 1 << c : 0xFF;
        const int64_t duration = vector.quanta[c] * quantum;
        m_transmitter->Pause(mask, now + duration, now);
        m_pauseTrace(mask, PicoSeconds(duration));
        if (kind == FrameKind::PAUSE)
        {
            break;
        }
    }
    m_device->NotifyPauseChange();
}

void
FabricPort::UpdateObservers()
{
    const bool device = m_device && m_device->HasSendObserver();
    const bool sending = device || !m_sendTrace.IsEmpty();
    const bool eager = sending || m_transmitter->GetQueues().IsWatched();
    const FabricPort* peer = m_transmitter->GetPeer();
    m_transmitter->SetObserved(sending, peer && peer->ObservesReceiving());
    m_transmitter->SetEager(FabricTransmitter::EAGER_OBSERVED, eager, FabricClock::Now());
    if (peer)
    {
        FabricTransmitter& other = *peer->m_transmitter;
        other.SetObserved(other.IsObservedSending(), ObservesReceiving());
    }
}

bool
FabricPort::ObservesReceiving() const
{
    return !m_receiveTrace.IsEmpty() || (m_device && m_device->HasReceiveObserver());
}

void
FabricPort::ObserveSending(const Ptr<FabricFrame>& frame, int64_t duration)
{
    m_sendTrace(frame);
    if (m_device->HasSendObserver())
    {
        m_device->ObserveSending(*this, *frame, PicoSeconds(duration));
    }
}

void
FabricPort::ObserveReceiving(const Ptr<FabricFrame>& frame)
{
    m_receiveTrace(frame);
    if (m_device->HasReceiveObserver())
    {
        m_device->ObserveReceiving(*this, *frame);
    }
}

void
FabricPort::ObserveLoss(const Ptr<FabricFrame>& frame, int64_t ps)
{
    m_lossTrace(frame, PicoSeconds(ps));
    m_device->ObserveLoss(*this, *frame);
}

std::size_t
FabricPort::GetQueueCount() const
{
    return std::bitset<FabricTransmitter::CLASSES>(m_classes).count();
}

Ptr<FabricQueue>
FabricPort::GetQueueByIndex(std::size_t index) const
{
    uint8_t classes = m_classes;
    for (; index > 0; --index)
    {
        classes &= classes - 1;
    }
    const Ptr<FabricQueue>& queue = m_transmitter->GetQueue(__builtin_ctz(classes));
    queue->Watch();
    return queue;
}

} // namespace aifabric
} // namespace ns3
