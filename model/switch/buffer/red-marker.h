/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RED_MARKER_H
#define RED_MARKER_H

#include "marking-threshold.h"
#include "queue-limit.h"

#include "ns3/ecn-marker.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Random early marking on the instantaneous queue, as the congestion point of DCQCN (Zhu et al.,
 * SIGCOMM 2015, section 3.1): never up to KMin, with a probability that grows linearly to PMax at
 * KMax, always above KMax. Both are the same bytes at each port, or the same times of the port's
 * own rate. Each port has a random sequence of its own, so that the marks do not depend on the
 * order in which the departures of different ports are computed.
 */
class RedMarker : public EcnMarker
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RedMarker();

    bool Marks(uint32_t bytes, const FabricTransmitter& egress) override;
    void SetLeastFactor(double least) override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoInitialize() override;

  private:
    /// Lengths of the queue of a port, in bytes.
    struct Limits
    {
        uint32_t min; //!< longest without marks
        uint32_t max; //!< longest with random marks
    };

    /// @return the limits of a port  @param egress the port
    Limits GetLimits(const FabricTransmitter& egress) const;

    /// @param time KMin as a time
    void SetMinTime(Time time);

    /// @return KMin as a time
    Time GetMinTime() const;

    /// @param time KMax as a time; 0: both are given in bytes
    void SetMaxTime(Time time);

    /// @return KMax as a time; 0: both are given in bytes
    Time GetMaxTime() const;

    /// @return the next random number of a port, in [0, 1)  @param port the port's index
    double Draw(uint16_t port);

    QueueLimit m_min;                    //!< longest queue without marks
    uint32_t m_max{0};                   //!< longest queue with random marks, in bytes
    MarkingThreshold m_timedMin;         //!< in place of m_min, if m_timedMax is set
    MarkingThreshold m_timedMax;         //!< in place of m_max, if it is set
    double m_maxProbability{0};          //!< probability of a mark at that length
    Ptr<UniformRandomVariable> m_random; //!< where the salt comes from
    uint64_t m_salt{0};                  //!< makes the random numbers of this marker
    std::vector<uint64_t> m_drawn;       //!< how many each port has drawn
};

} // namespace aifabric
} // namespace ns3

#endif /* RED_MARKER_H */
