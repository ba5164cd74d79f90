/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bound-frames.h"

#include "ns3/time-units.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint64_t MAX_RATE = 100'000'000'000'000;      //!< 100 Tb/s: a frame takes a ps or more
constexpr int64_t MAX_DELAY_PS = 1'000'000'000'000'000; //!< 1000 s
constexpr uint32_t MIN_PAYLOAD = 16;                    //!< of a full packet, in bytes

/// @return the least number of full packets  @param flow the message  @param parameters frames
uint64_t
CountFull(const Flow& flow, const BoundParameters& parameters)
{
    const uint64_t mtu = parameters.payloadBytes;
    const uint64_t inOthers = std::min(flow.bytes, flow.pieces * (mtu - 1));
    return (flow.bytes - inOthers + mtu - 1) / mtu;
}

/// @return the least number of other packets  @param rest bytes that are in them
/// @param flow the message  @param parameters frames
uint64_t
CountOthers(uint64_t rest, const Flow& flow, const BoundParameters& parameters)
{
    return flow.bytes == 0 ? 1 : (rest + parameters.payloadBytes - 1) / parameters.payloadBytes;
}

/// @return payload of the shortest packet, at least, if any is not full  @param flow the
/// message
/// @param parameters frames
uint64_t
LeastBytes(const Flow& flow, const BoundParameters& parameters)
{
    return flow.pieces > 1 ? 1 : flow.bytes % parameters.payloadBytes;
}

} // namespace

void
RequireValid(const BoundParameters& parameters)
{
    if (parameters.linkRate == 0 || parameters.linkRate > MAX_RATE)
    {
        throw std::invalid_argument("linkRate: " + std::to_string(parameters.linkRate) +
                                    " bit/s is not in 1.." + std::to_string(MAX_RATE));
    }
    if (parameters.fabricRate > MAX_RATE)
    {
        throw std::invalid_argument("fabricRate: " + std::to_string(parameters.fabricRate) +
                                    " bit/s is not in 0.." + std::to_string(MAX_RATE));
    }
    if (parameters.linkDelayPs < 0 || parameters.linkDelayPs > MAX_DELAY_PS)
    {
        throw std::invalid_argument("linkDelayPs: " + std::to_string(parameters.linkDelayPs) +
                                    " is not in 0.." + std::to_string(MAX_DELAY_PS));
    }
    for (const int64_t latency : {parameters.switchLatencyPs, parameters.nicLatencyPs})
    {
        if (latency < 0 || latency > MAX_DELAY_PS)
        {
            throw std::invalid_argument(
                "switchLatencyPs, nicLatencyPs: " + std::to_string(latency) + " is not in 0.." +
                std::to_string(MAX_DELAY_PS));
        }
    }
    if (parameters.payloadBytes < MIN_PAYLOAD)
    {
        throw std::invalid_argument("payloadBytes: " + std::to_string(parameters.payloadBytes) +
                                    " is less than " + std::to_string(MIN_PAYLOAD));
    }
    if (!(parameters.rateFactor > 0 && parameters.rateFactor <= 1))
    {
        throw std::invalid_argument("rateFactor: " + std::to_string(parameters.rateFactor) +
                                    " is not above 0 and at most 1");
    }
}

double
FrameTime::Serialize(uint64_t bytes, uint64_t rate)
{
    return std::floor(static_cast<double>(bytes) * BIT_PS_PER_BYTE / static_cast<double>(rate));
}

FrameTime
FullFrame(const BoundParameters& parameters)
{
    return {uint64_t{parameters.payloadBytes} + parameters.headerBytes, parameters};
}

MessagePackets::MessagePackets(const Flow& flow, const BoundParameters& parameters)
    : full(CountFull(flow, parameters)),
      others(CountOthers(flow.bytes - full * parameters.payloadBytes, flow, parameters)),
      fullTime(FullFrame(parameters)),
      leastTime(LeastBytes(flow, parameters) + parameters.headerBytes, parameters),
      othersWork(flow.bytes - full * parameters.payloadBytes + others * parameters.headerBytes,
                 parameters)
{
    const double rounding = flow.pieces > 1 ? 2.0 * flow.pieces : 0;
    othersWork.host = std::max(0.0, othersWork.host - rounding);
    othersWork.fabric = std::max(0.0, othersWork.fabric - rounding);
}

} // namespace aifabric
} // namespace ns3
