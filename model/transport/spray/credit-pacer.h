/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CREDIT_PACER_H
#define CREDIT_PACER_H

#include "ns3/core-rate.h"
#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/policy-counters.h"
#include "ns3/rng-stream.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

class RoceNetDevice;

/// A queue pair that gives credit to the other end when it is its turn.
class CreditGiver
{
  public:
    virtual ~CreditGiver() = default;

    /// @return whether the other end has asked for more credit than it has got
    virtual bool OwesCredit() const = 0;

    /**
     * Give credit; called only if it owes some.
     *
     * @param packets the most to give, in full packets
     * @param port where the announcement leaves
     * @param now the current time, in picoseconds
     * @return bytes on the wire, with gaps, of the packets that the credit is for
     */
    virtual uint32_t GiveCredit(uint32_t packets, uint16_t port, int64_t now) = 0;

    uint32_t lines{0}; //!< for the pacer: bit p set: it stands in line for port p
};

/**
 * @ingroup ai-fabric
 *
 * The pull pacer of a NIC, by which a receiver controls its own link (RcccControl): each port gives
 * credit for PullPackets packets to one queue pair after the other that owes credit, at
 * RateFraction of the port's rate. A port without a link gives none.
 *
 * What senders send without credit needs the link, too. The pacer waits until it is about to have
 * come: it reserves the time that the announced bytes take on all ports with a link, gives it back
 * for packets that come trimmed, and gives no credit as long as more than a base RTT is reserved.
 * Data of credit given then arrives when the reserved time ends.
 *
 * With CoreRatio all ports give less credit while the core of the fabric is congested (CoreRate).
 * The intervals are drawn at random, so that receivers do not act in phase. Times are in
 * picoseconds.
 */
class CreditPacer : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return the one of a NIC, which has all its ports; made when it is first asked for
    static CreditPacer& Of(RoceNetDevice& nic);

    /// A queue pair owes credit, or does so already.
    void Enlist(CreditGiver* giver);

    /// Book time for bytes that come without credit.  @param bytes on the wire, with gaps
    void Book(uint32_t bytes, int64_t now);

    /// Give back what was booked.  @param bytes on the wire, with gaps
    void GiveBack(uint32_t bytes, int64_t now);

    /// A data packet has come whole.  @param isMarked whether it has a mark (ECN)
    void PacketArrived(bool isMarked)
    {
        if (m_coreRatio > 1)
        {
            GetCore().PacketArrived(isMarked);
        }
    }

    /// A data packet has come without its data.
    /// @param isLastHop whether the switch before this host has trimmed it
    void PacketTrimmed(bool isLastHop)
    {
        if (m_coreRatio > 1)
        {
            GetCore().PacketTrimmed(isLastHop);
        }
    }

    /// @return how often it has given credit
    uint64_t GetCredits() const
    {
        return m_credits;
    }

    /// @return the rate of credit for the sake of the core, as a share of the rate that a port has
    /// without it
    double GetCoreRate() const
    {
        return m_core ? m_core->GetRate() : 1;
    }

  private:
    /// What a port does.
    struct Port
    {
        std::deque<CreditGiver*> line; //!< who owes credit, the next one first
        int64_t next{0};               //!< when its rate allows the next credit
        int64_t due{0};                //!< when the event runs
        EventId event;                 //!< the next Pull()
    };

    void DoDispose() override;

    /// To be called once.  @param nic the NIC, which calls Resume() when a link changes
    void Install(RoceNetDevice& nic);

    /// Go on giving credit: links have failed or work again, or booked time was given back.
    void Resume();

    /// @return a type with the attributes of CoreRate
    static TypeId AddCoreAttributes(TypeId type);

    /// @return the rate for the sake of the core, whose next interval is scheduled
    CoreRate& GetCore();

    /// An interval of CoreRate ends.
    void UpdateCore();

    /// Schedule UpdateCore().
    void ScheduleUpdate();

    /// @return when a port may give credit next
    int64_t GetDue(const Port& port) const;

    /// Schedule Pull(), if a port has a link and a sender waits for credit.
    /// @param index of the port
    void Schedule(uint16_t index);

    /// Give credit to the next queue pair in line.  @param index of the port
    void Pull(uint16_t index);

    /// @return time that booked bytes take on all ports with a link
    int64_t GetTime(uint32_t bytes) const;

    RoceNetDevice* m_nic{nullptr};     //!< the NIC
    double m_rateFraction{0};          //!< of the port's rate
    uint32_t m_pullPackets{0};         //!< packets that one credit is for
    bool m_reserves{true};             //!< it waits for what comes without credit
    double m_coreRatio{1};             //!< oversubscription of the core; 1: it has none
    double m_coreInterval{0};          //!< mean interval of m_core, in base RTTs
    double m_coreTarget{0};            //!< CoreRate::Parameters::target
    double m_coreIncrease{0};          //!< CoreRate::Parameters::increase
    double m_coreDecrease{0};          //!< CoreRate::Parameters::decrease
    double m_coreGain{0};              //!< CoreRate::Parameters::gain
    std::vector<Port> m_ports;         //!< by plane
    int64_t m_lead{0};                 //!< base RTT
    int64_t m_bookedUntil{0};          //!< end of the time that is booked
    uint64_t m_credits{0};             //!< how often it has given credit
    std::optional<CoreRate> m_core;    //!< the rate for the sake of the core, once data came
    std::optional<RngStream> m_random; //!< draws its intervals
    EventId m_update;                  //!< the next UpdateCore()
};

} // namespace aifabric
} // namespace ns3

#endif /* CREDIT_PACER_H */
