/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_CHANNEL_H
#define FABRIC_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <array>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

class FabricFrame;
class FabricPort;
class FrameLoss;

/**
 * @ingroup ai-fabric
 *
 * A full-duplex cable between two ports: a delay, and what can go wrong with it.
 */
class FabricChannel : public Channel
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FabricChannel();
    ~FabricChannel() override;

    /**
     * Join two attached ports. To be called once.
     *
     * @param a one port
     * @param b the other
     */
    void Connect(Ptr<FabricPort> a, Ptr<FabricPort> b);

    /// @return a port  @param end 0 or 1
    Ptr<FabricPort> GetPort(std::size_t end) const;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /// @param delay propagation delay of each direction; no frame may have been sent
    void SetDelay(Time delay);

    /// @return propagation delay of each direction
    Time GetDelay() const;

    /**
     * Cut both directions or restore them. Frames in flight when the cable is cut are lost.
     *
     * @param up whether frames pass
     */
    void SetUp(bool up);

    /**
     * Cut or restore each direction. A cable with a direction that is cut is down for both ends, as
     * Ethernet's link fault signalling has it (IEEE 802.3, 46.3.4), but the other direction carries
     * what is sent until they stop.
     *
     * @param up whether frames pass, by the port that sends them
     */
    void SetDirectionsUp(const std::array<bool, 2>& up);

    /// @return whether frames pass in both directions
    bool IsUp() const;

    /// @param factor the fraction of their nominal rate at which both ends send, in (0, 1]
    void SetRateFactor(double factor);

    /// @param end the port that sends, 0 or 1  @param factor the fraction of its nominal rate, in
    /// (0, 1]
    void SetRateFactor(std::size_t end, double factor);

    /// @param end the port that sends, 0 or 1  @param factor the fraction that is left of the room
    /// and of the marking thresholds of its queues, in (0, 1]
    void SetQueueFactor(std::size_t end, double factor);

    /// @param probability with which each frame is lost, in [0, 1]
    void SetLossProbability(double probability);

    /// @param end the port that sends, 0 or 1  @param probability with which each frame is lost
    void SetLossProbability(std::size_t end, double probability);

    /**
     * Have frames lost beside those of SetLossProbability(), independently of them.
     *
     * @param end the port that sends, 0 or 1
     * @param losses what loses frames of this direction; it replaces what did before
     */
    void SetFrameLosses(std::size_t end, std::vector<std::shared_ptr<FrameLoss>> losses);

    /// @return whether a frame that has just crossed is lost; draws random numbers of its direction
    /// @param sender the port that sent it
    bool LosesFrame(const FabricPort* sender, const FabricFrame& frame);

    /**
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Signature of the LinkState trace source.
     *
     * @param up whether frames pass in both directions from now on
     */
    typedef void (*LinkStateTracedCallback)(bool up);

  protected:
    void DoDispose() override;

  private:
    /// Make the sources of randomness, if need be.
    void MakeRandom();

    /// Make the port that sends ask about each frame, if frames may be lost.
    /// @param end the port
    void UpdateLossy(std::size_t end);

    Time m_delay;                                                    //!< propagation delay
    std::array<Ptr<FabricPort>, 2> m_ports;                          //!< the two ends
    std::array<bool, 2> m_up{true, true};                            //!< frames pass, by sender
    std::array<double, 2> m_lossProbability{};                       //!< of each frame, by sender
    std::array<std::vector<std::shared_ptr<FrameLoss>>, 2> m_losses; //!< others, by sender
    std::array<Ptr<UniformRandomVariable>, 2> m_random; //!< decides what is lost, by sender
    TracedCallback<bool> m_stateTrace;                  //!< cut or restored
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_CHANNEL_H */
