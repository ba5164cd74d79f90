/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_NET_DEVICE_H
#define ROCE_NET_DEVICE_H

#include "queue-pair-factory.h"
#include "roce-wire-format.h"

#include "ns3/endpoint-nic.h"
#include "ns3/loss-reporter.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace ns3
{
namespace aifabric
{

class SharedControl;

/**
 * @ingroup ai-fabric
 *
 * A RoCE NIC: makes queue pairs, and has what those of a host share: policies, facts of the fabric,
 * the congestion control of all queue pairs to another host.
 */
class RoceNetDevice : public EndpointNic, public QueuePairFactory, public RoceWireFormat
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return a NIC as a RoceNetDevice; aborts if it is none  @param nic where an endpoint is
    /// added
    static RoceNetDevice* From(EndpointNic* nic);

    RoceNetDevice();
    ~RoceNetDevice() override;

    /// @param hosts how many hosts the fabric has, so that no queue pair is connected to others
    void SetHostCount(uint32_t hosts)
    {
        m_hostCount = hosts;
    }

    /// @return how many hosts the fabric has, as far as is known
    uint32_t GetHostCount() const
    {
        return m_hostCount;
    }

    /**
     * Say which paths are known to be alive. To be called before queue pairs are connected.
     *
     * @param paths the paths of the fabric
     */
    void SetPaths(std::shared_ptr<const PathView> paths)
    {
        m_paths = std::move(paths);
    }

    /// @param facts what only the fabric knows of FabricFacts: round-trip time, uplinks, trimming,
    /// telemetry
    void SetFacts(const FabricFacts& facts)
    {
        m_facts = facts;
    }

    /// @return the facts for policies of queue pairs
    /// @param mtu payload of their full packets, in bytes
    FabricFacts GetFacts(uint32_t mtu) const;

    /// @return which paths are known to be alive; null: not known
    const std::shared_ptr<const PathView>& GetPaths() const
    {
        return m_paths;
    }

    /**
     * Set who reports losses to the queue pairs. A LossOracle calls this itself.
     *
     * @param reporter who reports losses; it starts when a queue pair is added that needs it
     */
    void SetLossReporter(Ptr<LossReporter> reporter)
    {
        m_lossReporter = reporter;
    }

    /// @return who reports losses to the queue pairs, or nullptr
    const Ptr<LossReporter>& GetLossReporter() const
    {
        return m_lossReporter;
    }

    /// @return a queue pair; nullptr if there is none with that number
    /// @param number its queue pair number
    QueuePair* FindQueuePair(uint32_t number) const
    {
        return dynamic_cast<QueuePair*>(FindEndpoint(number));
    }

    /// @return a queue pair; null if the endpoint is none
    /// @param index of the endpoint, in the order of creation
    Ptr<QueuePair> GetQueuePair(std::size_t index) const
    {
        return DynamicCast<QueuePair>(GetEndpoint(index));
    }

    /**
     * Take the number of a queue pair and make none: another rank simulates this NIC, and makes it.
     * Endpoints that every rank adds come first. Not to be mixed with queue pairs that are made.
     *
     * @return the number
     */
    uint32_t ReserveQueuePair()
    {
        return GetNumber(GetEndpointCount() + m_reserved++);
    }

    /**
     * Create a queue pair with the NIC's policies. It has to be connected before it is used.
     *
     * @return the queue pair
     */
    Ptr<QueuePair> CreateQueuePair();

    /**
     * Add a queue pair that was made elsewhere, with attributes and policies of its own. It gets
     * the NIC's policies where it has none.
     *
     * @param queuePair the queue pair, which belongs to no NIC yet
     * @param reserved its number, of those of ReserveNumbers(); nothing: the next other one
     */
    void AddQueuePair(Ptr<QueuePair> queuePair, std::optional<uint32_t> reserved = std::nullopt);

    /// @return the congestion control that its queue pairs to a host share; null: each has its own
    /// @param host the host's index
    Ptr<SharedControl> FindSharedControl(uint32_t host);

    /**
     * The retransmission timer of a queue pair has expired.
     *
     * @param retries how often in a row
     */
    void ObserveTimeout(Ptr<const QueuePair> queuePair, uint32_t retries)
    {
        m_timeoutTrace(queuePair, retries);
    }

    /**
     * A queue pair was connected, or begins anew.
     */
    void ObserveConnection(Ptr<const QueuePair> queuePair)
    {
        m_connectionTrace(queuePair);
    }

    /**
     * Signature of the QueuePairConnected trace source.
     */
    typedef void (*QueuePairConnectedTracedCallback)(Ptr<const QueuePair> queuePair);

    /**
     * Signature of the QueuePairTimeout trace source.
     *
     * @param retries how often in a row its timer has expired
     */
    typedef void (*QueuePairTimeoutTracedCallback)(Ptr<const QueuePair> queuePair,
                                                   uint32_t retries);

  protected:
    void DoDispose() override;

  private:
    uint32_t m_hostCount{UINT32_MAX};        //!< hosts of the fabric
    bool m_sharesControl{false};             //!< queue pairs to the same host share their control
    Ptr<LossReporter> m_lossReporter;        //!< reports losses, or null
    std::shared_ptr<const PathView> m_paths; //!< which paths are alive
    FabricFacts m_facts;                     //!< what only the fabric knows
    uint32_t m_reserved{0};                  //!< numbers of queue pairs on another rank
    std::map<uint32_t, Ptr<SharedControl>> m_sharedControls; //!< by the other host

    TracedCallback<Ptr<const QueuePair>, uint32_t> m_timeoutTrace; //!< timer expired
    TracedCallback<Ptr<const QueuePair>> m_connectionTrace;        //!< connected
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_NET_DEVICE_H */
