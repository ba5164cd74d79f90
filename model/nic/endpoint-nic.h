/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENDPOINT_NIC_H
#define ENDPOINT_NIC_H

#include "answer-carrier.h"
#include "endpoint-table.h"
#include "send-arbiter.h"

#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-net-device.h"
#include "ns3/frame-delay-line.h"
#include "ns3/frame-handler.h"
#include "ns3/pacing.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The port of a host: it serves any number of endpoints over one port a plane. IP packets of the
 * node's own stack cross the same ports, in the class that their DSCP names.
 *
 * What endpoints send is made when a port is free for it (EndpointScheduler); their answers and IP
 * packets wait in the port's queues. Where both wait in one class, they alternate. Answers leave by
 * the port where the frame came in that they answer.
 *
 * With a Latency, an endpoint receives a frame so long after its last bit has arrived, and so does
 * the IP stack; until then the NIC holds it. What the NIC sends is not delayed: an endpoint makes a
 * packet when its transmission begins.
 *
 * **Conservation**: frames that arrived = received + held; received = data + acknowledgements + IP
 * packets + dropped.
 */
class EndpointNic : public FabricNetDevice, public FrameHandler, public EndpointTable
{
  public:
    /// Frames received, by what became of them.
    struct Counters
    {
        uint64_t data{0};    //!< data packets given to an endpoint
        uint64_t acks{0};    //!< reports on data (ACKs, NAKs) given to an endpoint
        uint64_t ip{0};      //!< IP packets handed up the stack
        uint64_t dropped{0}; //!< for another host, an unknown endpoint, an unknown opcode, trimmed
        uint64_t trimmed{0}; //!< dropped because a switch had cut off their data
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EndpointNic();
    ~EndpointNic() override;

    /**
     * Give the NIC its place in the fabric. To be called once, before ports are added.
     *
     * @param host its host index
     * @param pool where its frames come from
     */
    void Install(uint32_t host, Ptr<FabricFramePool> pool);

    /**
     * Add the port of the next plane.
     */
    void AddPlane(Ptr<FabricPort> port);

    /**
     * Have acknowledgements carried past the fabric.
     *
     * @param carrier who carries them; nullptr: the NIC's ports send them
     */
    void SetAnswerCarrier(AnswerCarrier* carrier);

    /// @return bit p set: port p has a link; a port that is not connected counts as one that has
    uint32_t FindAlivePorts() const;

    /// @return its host index
    uint32_t GetHost() const
    {
        return m_host;
    }

    /**
     * Add an endpoint of another transport.
     *
     * @param endpoint the endpoint, which belongs to no NIC yet
     * @param reserved its number, of those of ReserveNumbers(); nothing: the next other one
     * @return its number
     */
    uint32_t AddEndpoint(Ptr<Endpoint> endpoint, std::optional<uint32_t> reserved = std::nullopt);

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

    /// @return bytes between two frames
    uint32_t GetGap() const
    {
        return m_arbiter.GetGap();
    }

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

    /// @return whether acknowledgements are carried past the fabric
    bool HasAnswerCarrier() const
    {
        return m_answerCarrier != nullptr;
    }

    /// @return a type with the attributes of every NIC  @param type of a subclass that can be made
    static TypeId AddNicAttributes(TypeId type);

  private:
    /// @param fraction rate at which all ports together send data, as a fraction of theirs
    void SetDataRateFraction(double fraction);

    /// @return that fraction
    double GetDataRateFraction() const
    {
        return m_arbiter.GetRateFraction();
    }

    /// @return a new line of endpoints, of the type that the attributes name
    Ptr<EndpointScheduler> MakeLine() const;

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
    DataRate m_lineRate;                     //!< rate of the first port, which is that of the NIC
    bool m_isSpecial{false};                 //!< answers bypass the fabric, or are classified
    AnswerCarrier* m_answerCarrier{nullptr}; //!< carries acknowledgements, or null
    Ptr<FabricFramePool> m_pool;             //!< where frames come from
    SendArbiter m_arbiter;                   //!< who sends next by which port
    uint64_t m_turns{0};                     //!< messages that were to be sent so far
    Counters m_counters;                     //!< frames received
    Time m_latency;                          //!< until a frame that arrives is received
    DataRate m_receiveRate;                  //!< at which frames are received; 0: any
    Ptr<FrameDelayLine> m_held;              //!< frames until then; null: no latency
    TypeId m_schedulerType;                  //!< of the lines of endpoints

    TracedCallback<Ptr<const FabricFrame>> m_trimmedTrace; //!< trimmed frame dropped
};

} // namespace aifabric
} // namespace ns3

#endif /* ENDPOINT_NIC_H */
