/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-attributes.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t RETRY_FOREVER = 25; //!< exponential retries without end

} // namespace

TypeId
MrcAttributes::AddTo(TypeId type)
{
    return AddReceiverAttributes(AddLimits(
        type.AddAttribute("RetransmissionDscp",
                          "DSCP of retransmitted packets (DSCP_TRIMMABLE_RETX).",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MrcAttributes::m_againDscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("LastHopDscp",
                          "DSCP of packets that the last switch has trimmed "
                          "(DSCP_TRIMMED_LASTHOP); that of TrimmingBuffer::LastHopDscp.",
                          UintegerValue(45),
                          MakeUintegerAccessor(&MrcAttributes::m_lastHopDscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("MaxPsnRange",
                          "PSNs that the responder tracks from the first missing one on, and that "
                          "the requestor uses (units of 128); the same at both ends.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MrcAttributes::m_rangeUnits),
                          MakeUintegerChecker<uint32_t>(1, 32))));
}

TypeId
MrcAttributes::AddLimits(TypeId type)
{
    return type
        .AddAttribute("MaxImmediates",
                      "Messages with an immediate that may be unacknowledged; with one more the "
                      "queue pair fails.",
                      UintegerValue(128),
                      MakeUintegerAccessor(&MrcAttributes::m_mostImmediates),
                      MakeUintegerChecker<uint32_t>(1, 65535))
        .AddAttribute("LinearRetries",
                      "Timeouts in a row until the next one doubles AckTimeout. RetryLimit has "
                      "no effect.",
                      UintegerValue(7),
                      MakeUintegerAccessor(&MrcAttributes::m_linearRetries),
                      MakeUintegerChecker<uint32_t>(0, 7))
        .AddAttribute("ExponentialRetries",
                      "Timeouts in a row after these, each of which doubles it; after one more the "
                      "queue pair fails (25: never).",
                      UintegerValue(10),
                      MakeUintegerAccessor(&MrcAttributes::m_exponentialRetries),
                      MakeUintegerChecker<uint32_t>(0, RETRY_FOREVER))
        .AddAttribute("PortRemapDelay",
                      "Time from the change of a port of this NIC until the other end is notified.",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&MrcAttributes::m_remapDelay),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("PortStatusInterval",
                      "Time until a Port Status Update that is not answered is sent again.",
                      TimeValue(MilliSeconds(1)),
                      MakeTimeAccessor(&MrcAttributes::m_statusInterval),
                      MakeTimeChecker(NanoSeconds(1), Seconds(1000)))
        .AddAttribute("PortStatusTries",
                      "How often a Port Status Update is sent at most.",
                      UintegerValue(10),
                      MakeUintegerAccessor(&MrcAttributes::m_statusTries),
                      MakeUintegerChecker<uint32_t>());
}

TypeId
MrcAttributes::AddReceiverAttributes(TypeId type)
{
    return type
        .AddAttribute(
            "DynamicMpr",
            "Whether SACKs carry MaxPsnRange of the responder, and the requestor follows; "
            "the same at both ends.",
            BooleanValue(false),
            MakeBooleanAccessor(&MrcAttributes::m_dynamicRange),
            MakeBooleanChecker())
        .AddAttribute("TrackedPsnRange",
                      "PSNs of MaxPsnRange that the responder has memory to track; it refuses "
                      "others with NO_BITMAP (units of 128; 0: all).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&MrcAttributes::m_trackedUnits),
                      MakeUintegerChecker<uint32_t>(0, 32))
        .AddAttribute("AlwaysSkipMarks",
                      "SACKs in a row for marked packets of an entropy value after which the "
                      "responder advises not to use it any more (ALWAYS_SKIP; 0: never).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&MrcAttributes::m_alwaysSkipMarks),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("ReverseProbeInterval",
                      "Time between EV probe requests of an end that receives data and sends none; "
                      "its control packets take the paths that are answered (0: no requests; "
                      "control packets take the path of the last packet of each plane).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&MrcAttributes::m_reverseProbeInterval),
                      MakeTimeChecker(Time(0), Seconds(1000)));
}

void
MrcAttributes::SetRetries(RetransmissionLimits& limits) const
{
    limits.linear = m_linearRetries;
    limits.retries =
        m_exponentialRetries == RETRY_FOREVER ? UINT32_MAX : m_linearRetries + m_exponentialRetries;
}

} // namespace aifabric
} // namespace ns3
