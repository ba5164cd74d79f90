/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERIALIZER_H
#define SERIALIZER_H

#include "ns3/time-units.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Sends one frame after the other at a rate: when a transmission ends, when the next one may start,
 * and how much was sent. It knows neither frames nor events: all times are given, and may be
 * computed late.
 */
class Serializer
{
  public:
    /**
     * @param stepsPerByte time to send one byte, in picoseconds times 2^16
     * @param gap time between two frames, in picoseconds
     */
    void SetTiming(int64_t stepsPerByte, int64_t gap);

    /// @return time to send a frame, in picoseconds  @param bytes its bytes on the wire
    int64_t GetTransmissionTime(uint32_t bytes) const
    {
        return (bytes * m_stepsPerByte + (1 << 15)) >> 16;
    }

    /// @return the rate, in bits per second
    double GetRate() const
    {
        return BIT_PS_PER_BYTE * (1 << 16) / static_cast<double>(m_stepsPerByte);
    }

    /// @return when the next transmission may start, in picoseconds; maybe in the past
    int64_t GetFreeAt() const
    {
        return m_freeAt;
    }

    /// The next transmission starts no earlier than now.  @param now the time, in picoseconds, not
    /// before GetFreeAt()
    void SkipTo(int64_t now)
    {
        m_freeAt = now;
    }

    /// Send a frame.  @param bytes its bytes on the wire  @param start the time, in picoseconds
    /// @return when its last bit is sent
    int64_t Send(uint32_t bytes, int64_t start)
    {
        const int64_t duration = GetTransmissionTime(bytes);
        m_freeAt = start + duration + m_gap;
        m_busyTime += duration + m_gap;
        ++m_sentFrames;
        m_sentBytes += bytes;
        m_lastBytes = bytes;
        return start + duration;
    }

    /// @return bytes of the frame in transmission, whole  @param now the time, in picoseconds
    uint32_t GetBytesAt(int64_t now) const
    {
        return m_freeAt > now ? m_lastBytes : 0;
    }

    /// @return the time until the wire is free, in picoseconds  @param now the time
    int64_t GetBusyAfter(int64_t now) const
    {
        return m_freeAt > now ? m_freeAt - now : 0;
    }

    /// @return the time of all transmissions that were begun, gaps included, in picoseconds
    int64_t GetBusyTime() const
    {
        return m_busyTime;
    }

    /// @return transmissions begun
    uint64_t GetSentFrames() const
    {
        return m_sentFrames;
    }

    /// @return their bytes on the wire, gaps not counted
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

  private:
    // No two sums side by side: see EgressQueues.

    int64_t m_freeAt{0};       //!< the earliest time of the next start
    uint64_t m_sentFrames{0};  //!< transmissions begun
    int64_t m_stepsPerByte{0}; //!< time to send a byte, times 2^16
    int64_t m_busyTime{0};     //!< time of all transmissions, gaps included
    uint32_t m_gap{0};         //!< time between two frames
    uint16_t m_lastBytes{0};   //!< bytes of the last transmission that was begun
    uint64_t m_sentBytes{0};   //!< their bytes
};

} // namespace aifabric
} // namespace ns3

#endif /* SERIALIZER_H */
