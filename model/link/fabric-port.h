/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_PORT_H
#define FABRIC_PORT_H

#include "fabric-transmitter.h"

#include "ns3/data-rate.h"
#include "ns3/dscp-table.h"
#include "ns3/object.h"

namespace ns3
{
namespace aifabric
{

class FabricChannel;
class FabricNetDevice;

/**
 * @ingroup ai-fabric
 *
 * One end of a link: what a script configures and observes of it. The work is done by its
 * FabricTransmitter, which holds what every hop touches and nothing else.
 */
class FabricPort : public Object
{
  public:
    /// The default of the attribute Classes: best effort (0), RoCE (3), congestion notification
    /// (6).
    static constexpr uint8_t USUAL_CLASSES = 0x49;

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FabricPort();
    ~FabricPort() override;

    /**
     * Give the port its place. To be called once, before the port is connected.
     *
     * @param device the device it belongs to
     * @param handler who receives the frames that arrive
     * @param index its index at that handler
     */
    void Attach(FabricNetDevice* device, FrameHandler* handler, uint16_t index);

    /**
     * Join this port to another. Called by FabricChannel, once for each of its two ports.
     *
     * @param peer the port at the other end
     * @param delay propagation delay, in picoseconds
     */
    void Connect(FabricChannel* channel, FabricPort* peer, int64_t delay);

    /// @return the sending half
    FabricTransmitter& GetTransmitter() const
    {
        return *m_transmitter;
    }

    /// @return the device it belongs to
    FabricNetDevice* GetDevice() const
    {
        return m_device;
    }

    /**
     * Set who receives the frames that arrive from now on.
     *
     * @param handler who receives
     */
    void SetHandler(FrameHandler* handler);

    /// @return who receives the frames that arrive
    FrameHandler* GetHandler() const
    {
        return m_handler;
    }

    /// @return the channel, or nullptr
    FabricChannel* GetChannel() const
    {
        return m_channel;
    }

    /// @return its index at the switch or NIC
    uint16_t GetIndex() const
    {
        return m_index;
    }

    /// @param rate the nominal rate from now on
    void SetDataRate(DataRate rate);

    /// From now on, the nominal rate may not change.
    void HoldDataRate();

    /// @return the nominal rate
    DataRate GetDataRate() const
    {
        return m_rate;
    }

    /// @return the traffic classes of DSCPs
    const Ptr<DscpTable>& GetDscpTable() const
    {
        return m_dscpTable;
    }

    /// @return which queue sends the next frame; null: strict priority
    Ptr<EgressScheduler> GetEgressScheduler() const;

    /// @return bytes that precede each frame
    uint32_t GetInterframeGap() const
    {
        return m_gap;
    }

    /**
     * Send at a fraction of the nominal rate from now on (a degraded link).
     *
     * @param factor the fraction, more than 0 and at most 1
     */
    void SetRateFactor(double factor);

    /**
     * Let queues have a fraction of their room and of their marking thresholds from now on, as a
     * switch has whose link is slower (a degraded link). A NIC's queues have no limits.
     *
     * @param factor the fraction, more than 0 and at most 1
     */
    void SetQueueFactor(double factor);

    // Called by the transmitters of this port and of its peer

    /**
     * A transmission begins.
     *
     * @param duration how long it takes, in picoseconds
     */
    void ObserveSending(const Ptr<FabricFrame>& frame, int64_t duration);

    /**
     * A frame has arrived.
     */
    void ObserveReceiving(const Ptr<FabricFrame>& frame);

    /**
     * A frame that this port sent was lost on the link.
     *
     * @param ps when, in picoseconds
     */
    void ObserveLoss(const Ptr<FabricFrame>& frame, int64_t ps);

    /// @return whether a frame that has just crossed the link is lost at random
    bool LosesFrame(const FabricFrame& frame);

    /**
     * A PAUSE or PFC frame has arrived: gate this port's transmissions.
     *
     * @param vector the classes and quanta
     * @param kind PAUSE or PFC
     * @param now the current time, in picoseconds
     */
    void ReceivePause(const PauseVector& vector, FrameKind kind, int64_t now);

    /// The set of observers of this port or its device has changed.
    void UpdateObservers();

    /**
     * Signature of the Pause trace source.
     *
     * @param classes bit c set: class c
     * @param duration how long they are paused; zero: they resume
     */
    typedef void (*PauseTracedCallback)(uint8_t classes, Time duration);

    /**
     * Signature of the frame trace sources.
     */
    typedef void (*FrameTracedCallback)(Ptr<const FabricFrame> frame);

    /**
     * Signature of the Loss trace source.
     *
     * @param when the frame was lost: at its start, if the link is cut; the port may have decided
     * it before or after that time
     */
    typedef void (*LossTracedCallback)(Ptr<const FabricFrame> frame, Time when);

  protected:
    void DoInitialize() override;
    void DoDispose() override;
    void NotifyConstructionCompleted() override;

  private:
    /// @return a type with the attributes of its queues
    static TypeId AddQueueAttributes(TypeId type);

    /// @return whether arrivals at this port are observed
    bool ObservesReceiving() const;

    /// Set rate and gap in the transmitter, in picoseconds.
    void ApplyTiming();

    /// Make the scheduler, unless it is strict priority, which the transmitter does by itself.
    void MakeScheduler();

    /// @return the number of queues
    std::size_t GetQueueCount() const;

    /// @return a queue  @param index which one, from the lowest class up
    Ptr<FabricQueue> GetQueueByIndex(std::size_t index) const;

    DataRate m_rate;                      //!< nominal rate
    uint32_t m_gap{0};                    //!< bytes between frames
    uint8_t m_classes{0};                 //!< classes that have a queue of their own
    bool m_holdsRate{false};              //!< the nominal rate may not change
    Ptr<DscpTable> m_dscpTable;           //!< traffic classes of DSCPs
    TypeId m_schedulerType;               //!< of the egress scheduler
    double m_rateFactor{1};               //!< fraction of the nominal rate
    Ptr<FabricTransmitter> m_transmitter; //!< the sending half
    FabricNetDevice* m_device{nullptr};   //!< the device it belongs to
    FrameHandler* m_handler{nullptr};     //!< who receives
    FabricChannel* m_channel{nullptr};    //!< the channel
    uint16_t m_index{0};                  //!< index at the switch or NIC

    WatchedTrace<Ptr<const FabricFrame>> m_sendTrace;         //!< transmission begins
    WatchedTrace<Ptr<const FabricFrame>> m_receiveTrace;      //!< frame arrived
    TracedCallback<Ptr<const FabricFrame>, Time> m_lossTrace; //!< frame lost on the link
    TracedCallback<uint8_t, Time> m_pauseTrace;               //!< paused or resumed by the peer
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_PORT_H */
