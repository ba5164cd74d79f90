/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-pair-attributes.h"

#include "queue-pair.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

TypeId
QueuePairAttributes::AddTo(TypeId type, uint8_t dscp, uint8_t ackDscp)
{
    return ControlTraces::AddTraceSources(
        AddTraceSources(AddPolicies(AddTimeouts(AddConnection(type, dscp, ackDscp)))),
        &QueuePairAttributes::FindControlTraces);
}

TypeId
QueuePairAttributes::AddConnection(TypeId type, uint8_t dscp, uint8_t ackDscp)
{
    return type
        .AddAttribute("Mtu",
                      "Payload of a full packet (bytes); the same at both ends. It cannot change "
                      "once the queue pair belongs to a NIC.",
                      UintegerValue(4096),
                      MakeUintegerAccessor(&QueuePair::SetMtu, &QueuePair::GetMtu),
                      MakeUintegerChecker<uint32_t>(64, 32768))
        .AddAttribute("FirstPsn",
                      "PSN of the first packet of either direction; the same at both ends. It "
                      "cannot change once the queue pair belongs to a NIC.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&QueuePair::SetFirstPsn, &QueuePair::GetFirstPsn),
                      MakeUintegerChecker<uint32_t>(0, PsnWindow::PSN_MASK))
        .AddAttribute("Dscp",
                      "DSCP of data packets, of which the DscpTable of the port makes the class.",
                      UintegerValue(dscp),
                      MakeUintegerAccessor(&QueuePair::SetDscp, &QueuePair::GetDscp),
                      MakeUintegerChecker<uint8_t>(0, 63))
        .AddAttribute(
            "AckDscp",
            "DSCP of acknowledgements, of which the DscpTable of the port makes the class.",
            UintegerValue(ackDscp),
            MakeUintegerAccessor(&QueuePair::SetAckDscp, &QueuePair::GetAckDscp),
            MakeUintegerChecker<uint8_t>(0, 63));
}

TypeId
QueuePairAttributes::AddTimeouts(TypeId type)
{
    return type
        .AddAttribute("AckTimeout",
                      "Time without acknowledgement after which the sender retransmits.",
                      TimeValue(MicroSeconds(500)),
                      MakeTimeAccessor(&QueuePair::SetAckTimeout, &QueuePair::GetAckTimeout),
                      MakeTimeChecker(NanoSeconds(1), Seconds(1000)))
        .AddAttribute("PacketTimeout",
                      "Time after its transmission until a packet that no acknowledgement has "
                      "answered or covered is reported to the balancer as timed out (0: "
                      "never). It retransmits nothing.",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&QueuePair::SetPacketTimeout, &QueuePair::GetPacketTimeout),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("RearmOnSend",
                      "Whether each packet that is sent starts the timer anew, as each "
                      "acknowledgement does; else only the first missing one.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&QueuePair::SetRearmsOnSend, &QueuePair::RearmsOnSend),
                      MakeBooleanChecker())
        .AddAttribute("RetryLimit",
                      "Timeouts in a row that the queue pair survives, however long they take.",
                      UintegerValue(7),
                      MakeUintegerAccessor(&QueuePair::SetRetryLimit, &QueuePair::GetRetryLimit),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("RetryTime",
                      "Time without progress that the queue pair survives, however many timeouts "
                      "there are. A NIC with 8 timeouts of 67 ms survives 537 ms.",
                      TimeValue(MilliSeconds(500)),
                      MakeTimeAccessor(&QueuePair::SetRetryTime, &QueuePair::GetRetryTime),
                      MakeTimeChecker(Time(0), Seconds(1000)));
}

TypeId
QueuePairAttributes::AddPolicies(TypeId type)
{
    return type
        .AddAttribute("Recovery",
                      "How it survives loss and reordering.",
                      PointerValue(),
                      MakePointerAccessor(&QueuePair::SetRecovery, &QueuePair::GetRecoveryPolicy),
                      MakePointerChecker<LossRecovery>())
        .AddAttribute("AckPolicy",
                      "When it acknowledges packets that it has accepted; the same at both ends.",
                      PointerValue(),
                      MakePointerAccessor(&QueuePair::SetAckPolicy, &QueuePair::GetAckPolicy),
                      MakePointerChecker<AckPolicy>())
        .AddAttribute("Control",
                      "How much and how fast it sends.",
                      PointerValue(),
                      MakePointerAccessor(&QueuePair::SetControl, &QueuePair::GetControl),
                      MakePointerChecker<CongestionControl>())
        .AddAttribute("Balancer",
                      "By which paths it sends.",
                      PointerValue(),
                      MakePointerAccessor(&QueuePair::SetBalancer, &QueuePair::GetBalancer),
                      MakePointerChecker<HostBalancer>())
        .AddAttribute(
            "AckDeaggregation",
            "Whether an acknowledgement of several packets reports to the balancer each of "
            "them by the entropy that the sender has noted: the packet that triggered "
            "the acknowledgement with its mark, the others as good. Else only of the "
            "one that triggered it.",
            BooleanValue(false),
            MakeBooleanAccessor(&QueuePair::SetDeaggregatesAcks, &QueuePair::DeaggregatesAcks),
            MakeBooleanChecker());
}

TypeId
QueuePairAttributes::AddTraceSources(TypeId type)
{
    return type
        .AddTraceSource("Retransmission",
                        "A packet is sent again.",
                        MakeTraceSourceAccessor(&QueuePair::m_retransmissionTrace),
                        "ns3::aifabric::QueuePair::RetransmissionTracedCallback")
        .AddTraceSource("Timeout",
                        "The retransmission timer expired.",
                        MakeTraceSourceAccessor(&QueuePair::m_timeoutTrace),
                        "ns3::aifabric::QueuePair::TimeoutTracedCallback")
        .AddTraceSource("Failed",
                        "It has given up: its messages, and those to come, are never done.",
                        MakeTraceSourceAccessor(&QueuePair::m_failedTrace),
                        "ns3::aifabric::QueuePair::FailedTracedCallback");
}

ControlTraces*
QueuePairAttributes::FindControlTraces(ObjectBase* object)
{
    auto queuePair = dynamic_cast<QueuePair*>(object);
    return queuePair ? &queuePair->m_requestor.GetSendWindow().Observe() : nullptr;
}

} // namespace aifabric
} // namespace ns3
