/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOSSLESS_INGRESS_H
#define LOSSLESS_INGRESS_H

#include "pause-sender.h"
#include "shared-pool.h"

#include "ns3/fabric-frame.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

class FabricPort;
class FabricSwitch;

/**
 * @ingroup ai-fabric
 *
 * The ingress accounting of the lossless classes of a SharedBuffer, and their priority-based flow
 * control (IEEE 802.1Qbb): what each (port of ingress, class) has in reserve, shared part and
 * headroom, and when it is paused. SharedBuffer says by which rules.
 *
 * While any class is paused all transmitters of the switch are eager, because a departure may
 * resume it. Pauses are decided once all frames of the same instant have come.
 */
class LosslessIngress
{
  public:
    /// What is called when a class is paused or resumed (SharedBuffer::PauseTracedCallback).
    using PauseTrace = TracedCallback<uint16_t, uint8_t, bool>;

    /// The attributes of lossless classes.
    struct Settings
    {
        uint8_t classes;      //!< bit c set: class c is lossless
        uint32_t reserve;     //!< of a (port, class), in bytes
        double alpha;         //!< factor of shares
        uint32_t offset;      //!< how far below the threshold to resume, in bytes
        uint32_t headroom;    //!< of a (port, class), in bytes; 0: computed
        Time responseTime;    //!< what a peer takes to pause
        uint16_t pauseQuanta; //!< pause time, in quanta

        /// @return the headroom that a port needs for the rate and the delay of its link, in bytes
        /// @param fabricSwitch its switch, whose ports are connected
        uint64_t GetNeededHeadroom(const FabricSwitch& fabricSwitch, const FabricPort& port) const;

        /// @return the headroom that a port has, in bytes
        uint64_t GetHeadroom(const FabricSwitch& fabricSwitch, const FabricPort& port) const;

        /// @return reserves and headrooms of all ports, in bytes
        uint64_t GetDedicatedBytes(const FabricSwitch& fabricSwitch) const;
    };

    /// What has happened so far.
    struct Counters
    {
        uint64_t pauses{0};        //!< pauses of a (port, class)
        uint64_t resumes{0};       //!< of these, ended
        uint64_t losslessDrops{0}; //!< frames of lossless classes refused
        uint32_t maxHeadroom{0};   //!< the most bytes in the headroom of a (port, class)
    };

    /// What a lossless class that came in by one port holds.
    struct Account
    {
        uint32_t used{0};        //!< bytes in reserve and shared part
        uint32_t headroom{0};    //!< bytes in the headroom
        uint32_t maxHeadroom{0}; //!< the most bytes that were in the headroom
        bool paused{false};      //!< the last frame to the peer was a pause
        bool suspect{false};     //!< to be paused unless something leaves at this instant
    };

    /// @param pool the shared part  @param trace called for each pause; both outlive it
    LosslessIngress(SharedPool& pool, const PauseTrace& trace);

    /// Prepare for a switch whose ports are connected.
    void Install(FabricSwitch& fabricSwitch, const Settings& settings);

    /// Admit or refuse a frame.  @param now the time, in picoseconds  @return whether it is
    /// admitted
    bool Admit(const FabricFrame& frame, int64_t now);

    /// A frame leaves.
    void Release(const FabricFrame& frame);

    /// Memory is free again: a paused class may resume.  @param now since when, in picoseconds
    void CheckResume(int64_t now);

    /// Send no more pauses: the simulation ends.
    void Dispose();

    /// @return what has happened
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// @return what a class holds  @param port where it came in
    const Account& GetAccount(uint16_t port, uint8_t trafficClass) const
    {
        return m_accounts.at(port * CLASSES + trafficClass);
    }

    /// @return the headroom of each class at a port, in bytes  @param port its number
    uint64_t GetHeadroom(uint16_t port) const
    {
        return m_headrooms.at(port);
    }

    /// @return what sends the PFC frames
    const PauseSender& GetSender() const
    {
        return m_sender;
    }

  private:
    static constexpr uint8_t CLASSES = 8; //!< traffic classes

    /// Prepare for a port.  @param index its number
    void InstallPort(uint16_t index, FabricPort& port);

    /// As Admit(), when all departures are known.  @param index number of the (port, class)
    /// @param bytes size of the frame  @param now the time, in picoseconds
    /// @return whether it is admitted
    bool AdmitNearThreshold(uint32_t index, uint32_t bytes, int64_t now);

    /// @return what a (port, class) has in the shared part  @param used bytes not in the headroom
    int64_t ShareOf(int64_t used) const
    {
        return used > m_settings.reserve ? used - m_settings.reserve : 0;
    }

    /// @return whether a (port, class) is to be paused  @param account what it holds
    bool MustPause(const Account& account) const;

    /// @return whether a paused (port, class) may resume  @param account what it holds
    bool MayResume(const Account& account) const;

    /// Have Review() called once all frames of an instant have come.  @param now the instant, in
    /// picoseconds
    void RequestReview(int64_t now);

    /// Decide which (port, class) pauses and which resumes, and send the frames.
    void Review();

    /// Pause a (port, class) or resume it.  @param index its number  @param paused whether to pause
    void SetPaused(uint32_t index, bool paused);

    SharedPool& m_pool;                //!< the shared part
    const PauseTrace& m_trace;         //!< paused or resumed a class
    FabricSwitch* m_switch{nullptr};   //!< the switch
    Settings m_settings{};             //!< attributes
    uint32_t m_node{0};                //!< of the switch
    int64_t m_factor{0};               //!< Settings::alpha, as thresholds have it
    bool m_reviewPending{false};       //!< Review() is scheduled
    bool m_eager{false};               //!< the transmitters are eager
    std::vector<uint64_t> m_headrooms; //!< of each lossless class, in bytes, by port
    std::vector<Account> m_accounts;   //!< by port times CLASSES plus class
    std::vector<uint32_t> m_paused;    //!< indices of those that are paused
    std::vector<uint32_t> m_suspects;  //!< indices of those that may have to be paused
    PauseSender m_sender;              //!< sends the PFC frames
    Counters m_counters;               //!< what has happened
};

} // namespace aifabric
} // namespace ns3

#endif /* LOSSLESS_INGRESS_H */
