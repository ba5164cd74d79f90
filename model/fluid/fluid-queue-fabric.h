/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_QUEUE_FABRIC_H
#define FLUID_QUEUE_FABRIC_H

#include "fluid-fabric.h"
#include "fluid-queues.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Hosts send at the rates of their own ports only, and what comes to a switch waits there
 * (FluidQueues): data and acknowledgements, which are streams with their own numbers.
 */
class FluidQueueFabric : public FluidFabric
{
  public:
    /// @param rates of the links behind the ports of hosts, in bytes a picosecond
    /// @param changes whether links are cut, slow or restored as messages are sent (SetSpeed())
    FluidQueueFabric(const FabricGraph& graph,
                     const BoundParameters& bound,
                     const std::vector<double>& speeds,
                     const std::vector<double>& rates,
                     bool changes);

    std::vector<double> GetCapacities() const override;
    void Install(MessageService& service,
                 FluidPairs& pairs,
                 FluidSenders& senders,
                 const Callback<void, uint32_t>& completed) override;
    double Begin(uint32_t message) override;
    void Leave(uint32_t message) override;
    void SetSpeed(uint32_t link, double speed) override;
    void Clear() override;

    double GetMostQueued() const override
    {
        return m_queues.GetMostQueued();
    }

  protected:
    /// @return the number of the stream of a message  @param message its number
    static uint32_t DataOf(uint32_t message)
    {
        return 2 * message;
    }

    /// @return the number of the stream of its acknowledgements  @param message its number
    static uint32_t AcksOf(uint32_t message)
    {
        return 2 * message + 1;
    }

    /// Take the ports of hosts out, which FluidSenders has.  @param [in,out] route both ways
    static void LeaveHosts(FluidRoute& route);

    /// Set the rate of a stream.  @param stream its number
    /// @param links of the way, without that of its host  @param way the times
    virtual void SetStreamRate(uint32_t stream,
                               const std::vector<LinkShare>& links,
                               const FluidWay& way,
                               double rate);

    /// A stream leaves the queues.  @param stream its number, or that of a part
    virtual void PassQueues(uint32_t stream, double rate);

    /// @return by how much later a message comes because of single packets, in picoseconds
    virtual double GetScatter(uint32_t message) const;

    /// A stream leaves its last link at another rate.  @param stream its number
    /// @param rate in bytes a picosecond
    void Pass(uint32_t stream, double rate);

    void DoReceive(uint32_t message) override;

    FluidQueues m_queues;            //!< the ports of switches
    std::vector<double> m_speeds;    //!< parts of rates that are left, if they change; or none
    std::vector<uint32_t> m_changed; //!< links whose part is another one

  private:
    /// A message is sent at another rate.  @param message its number
    /// @param rate in bytes a picosecond
    void ChangeRate(uint32_t message, double rate);

    /// Send acknowledgements.  @param message its number  @param rate at which it comes, in bytes a
    /// picosecond
    void Acknowledge(uint32_t message, double rate);
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_QUEUE_FABRIC_H */
