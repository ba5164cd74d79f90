/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_NET_DEVICE_H
#define ROCE_NET_DEVICE_H

#include "answer-carrier.h"
#include "endpoint-table.h"
#include "loss-reporter.h"
#include "pacing.h"
#include "queue-pair-factory.h"
#include "roce-wire-format.h"
#include "send-arbiter.h"

#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-net-device.h"
#include "ns3/frame-delay-line.h"
#include "ns3/frame-handler.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

class CreditPacer;
class SharedControl;

/**
 * @ingroup ai-fabric
 *
 * A RoCE NIC: any number of queue pairs over one port a plane. IP packets of the node's own stack
 * cross the same ports, in the class that their DSCP names.
 *
 * Data packets are made when a port is free for them (QueuePairScheduler), acknowledgements and IP
 * packets wait in the port's queues. Where data and acknowledgements of one class wait, they
 * alternate. Acknowledgements leave by the port where the data came in.
 *
 * With a Latency, an endpoint receives a frame so long after its last bit has arrived, and so does
 * the IP stack; until then the NIC holds it. What the NIC sends is not delayed: an endpoint makes a
 * packet when its transmission begins.
 *
 * **Conservation**: frames that arrived = received + held; received = data + acknowledgements + IP
 * packets + dropped.
 */
class RoceNetDevice : public FabricNetDevice,
                      public FrameHandler,
                      public EndpointTable,
                      public QueuePairFactory,
                      public RoceWireFormat
{
  public:
    /// Frames received, by what became of them.
    struct Counters
    {
        uint64_t data{0}; //!< data packets given to a queue pair
        uint64_t acks{0}; //!< ACKs and NAKs given to a queue pair
        uint64_t ip{0};   //!< IP packets handed up the stack
        uint64_t dropped{
            0}; //!< for another host, an unknown queue pair, an unknown opcode, trimmed
        uint64_t trimmed{0}; //!< of these, trimmed: a reliable connection has no use for them
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RoceNetDevice();
    ~RoceNetDevice() override;

    /**
     * Give the NIC its place in the fabric. To be called once, before ports are added.
     *
     * @param host its host index
     * @param pool where its frames come from
     */
    void Install(uint32_t host, Ptr<FabricFramePool> pool);

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
     * Add the port of the next plane.
     */
    void AddPlane(Ptr<FabricPort> port);

    /**
     * Say which paths are known to be alive. To be called before queue pairs are connected.
     *
     * @param paths the paths of the fabric
     */
    void SetPaths(std::shared_ptr<const PathView> paths)
    {
        m_paths = std::move(paths);
    }

    /// @param facts what only the fabric knows of FabricFacts: round-trip time, uplinks, trimming
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
     * Have acknowledgements carried past the fabric.
     *
     * @param carrier who carries them; nullptr: the NIC's ports send them
     */
    void SetAnswerCarrier(AnswerCarrier* carrier);

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
    Ptr<LossReporter> GetLossReporter() const
    {
        return m_lossReporter;
    }

    /// @return bit p set: port p has a link; a port that is not connected counts as one that has
    uint32_t FindAlivePorts() const;

    /// @return its host index
    uint32_t GetHost() const
    {
        return m_host;
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
     */
    void AddQueuePair(Ptr<QueuePair> queuePair);

    /**
     * Add an endpoint of another transport.
     *
     * @param endpoint the endpoint, which belongs to no NIC yet
     * @return its number, as that of a queue pair
     */
    uint32_t AddEndpoint(Ptr<Endpoint> endpoint);

    /**
     * Add an endpoint that takes part in in-network aggregation. It receives the packets of
     * gradients of its job, which name no endpoint.
     *
     * @param job number of the job, of which the host has no other member
     * @param endpoint the endpoint, which belongs to no NIC yet
     */
    void AddMember(uint16_t job, Ptr<Endpoint> endpoint);

    /// @return time between the last bit of a frame and its being received
    Time GetLatency() const
    {
        return m_latency;
    }

    /// @return frames that have arrived, and are received when the latency is over
    uint32_t GetHeld() const
    {
        return m_held ? m_held->GetFrames() : 0;
    }

    /// @return frames received
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    void ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t ingress, int64_t now) override;
    void PrefetchFrame(const FabricFrame& frame, uint32_t step) const override;
    bool SetsClasses() const override;

    bool NeedsPrefetch() const override
    {
        return true;
    }

    bool IsHost() const override
    {
        return true;
    }

    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;

    // For the endpoints

    /// @return a new frame
    Ptr<FabricFrame> CreateFrame()
    {
        return m_pool->Create();
    }

    /**
     * Send a frame that answers another one, now or later: it waits in the queue of its class.
     *
     * @param port where the other one came in
     * @param now the current time, in picoseconds
     */
    void SendAnswer(Ptr<FabricFrame> frame, uint16_t port, int64_t now);

    /**
     * Something will change that concerns what is sent.
     *
     * @param now the current time, in picoseconds
     */
    void BeginChange(int64_t now)
    {
        m_arbiter.BeginChange(now);
    }

    /**
     * It has changed.
     *
     * @param endpoint the endpoint whose state has changed
     * @param now the current time, in picoseconds
     */
    void EndChange(Endpoint* endpoint, int64_t now)
    {
        m_arbiter.EndChange(endpoint, now);
    }

    /// @return the traffic class of a DSCP at its ports (DscpTable)
    uint8_t GetClass(uint8_t dscp) const;

    /// @return whether a port is paused  @param trafficClass for this class
    bool IsPaused(uint8_t trafficClass) const;

    /// There is a message to be sent.  @return its turn: how many there were at this NIC before it
    uint64_t TakeTurn()
    {
        return m_turns++;
    }

    /// @return where frames come from
    const Ptr<FabricFramePool>& GetPool() const
    {
        return m_pool;
    }

    /// @return who paces the credit that its queue pairs give; made when it is first needed
    const Ptr<CreditPacer>& GetCreditPacer();

    /// @return the congestion control that its queue pairs to a host share; null: each has its own
    /// @param host the host's index
    Ptr<SharedControl> FindSharedControl(uint32_t host);

    /// @return bytes between two frames
    uint32_t GetGap() const
    {
        return m_arbiter.GetGap();
    }

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

    /// @return time that a rate gives to a byte (Pacing); 0 if it is no less than the line rate
    int64_t GetPacing(DataRate rate) const
    {
        return rate < m_lineRate ? Pacing::Of(rate) : 0;
    }

    void DataRateChanged(uint16_t index) override;
    void NotifyLinkChange() override;
    void NotifyPauseChange() override;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// @return a type with the attributes that say when queue pairs send
    static TypeId AddSendAttributes(TypeId type);

    /// @param fraction rate at which all ports together send data, as a fraction of theirs
    void SetDataRateFraction(double fraction);

    /// @return that fraction
    double GetDataRateFraction() const
    {
        return m_arbiter.GetRateFraction();
    }

    /// Send an answer past the fabric, or with a class that is looked up.
    /// @param port where the frame came in that it answers
    [[gnu::noinline]] void SendSpecially(const Ptr<FabricFrame>& frame, uint16_t port, int64_t now);

    /// A frame for an endpoint has come.
    void ReceiveTransport(const Ptr<FabricFrame>& frame, uint16_t port, int64_t now);

    /// An IP packet has come.
    void ReceiveIp(const Ptr<FabricFrame>& frame);

    /// Drop a received frame.
    void DropReceived(const FabricFrame& frame);

    uint32_t m_host{0};                      //!< host index
    uint32_t m_hostCount{UINT32_MAX};        //!< hosts of the fabric
    DataRate m_lineRate;                     //!< rate of the first port, which is that of the NIC
    bool m_sharesControl{false};             //!< queue pairs to the same host share their control
    bool m_isSpecial{false};                 //!< answers bypass the fabric, or are classified
    AnswerCarrier* m_answerCarrier{nullptr}; //!< carries acknowledgements, or null
    Ptr<LossReporter> m_lossReporter;        //!< reports losses, or null
    Ptr<FabricFramePool> m_pool;             //!< where frames come from
    std::shared_ptr<const PathView> m_paths; //!< which paths are alive
    FabricFacts m_facts;                     //!< what only the fabric knows
    SendArbiter m_arbiter;                   //!< who sends next by which port
    uint64_t m_turns{0};                     //!< messages that were to be sent so far
    Counters m_counters;                     //!< frames received
    Time m_latency;                          //!< until a frame that arrives is received
    Ptr<FrameDelayLine> m_held;              //!< frames until then; null: no latency
    TypeId m_schedulerType;                  //!< of the lines of queue pairs
    Ptr<CreditPacer> m_creditPacer;          //!< paces credit; null: none is given
    std::map<uint32_t, Ptr<SharedControl>> m_sharedControls; //!< by the other host

    TracedCallback<Ptr<const FabricFrame>> m_trimmedTrace;         //!< trimmed frame dropped
    TracedCallback<Ptr<const QueuePair>, uint32_t> m_timeoutTrace; //!< timer expired
    TracedCallback<Ptr<const QueuePair>> m_connectionTrace;        //!< connected
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_NET_DEVICE_H */
