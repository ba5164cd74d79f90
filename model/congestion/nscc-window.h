/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NSCC_WINDOW_H
#define NSCC_WINDOW_H

#include <cstdint>
#include <limits>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The congestion window of NSCC, the sender's congestion control of Ultra Ethernet. Each
 * acknowledgement brings a queueing delay and an ECN mark, and these choose one of four reactions:
 *
 * | mark | delay below the target             | delay at or above the target |
 * | ---- | ---------------------------------- | ---------------------------- |
 * | no   | proportional or fast increase      | fair increase                |
 * | yes  | none: a shared path is congested   | multiplicative decrease      |
 *
 * Increases are collected and added to the window once for several packets (Fulfill()). Quick adapt
 * sets the window to the bytes that were delivered in the last period, if these are few and packets
 * were trimmed or delays were very long.
 *
 * Two profiles exist: UE follows public notes on UE 1.0, UET the simulator of the Ultra Ethernet
 * Consortium. Sizes are in bytes and times in picoseconds. All laws are linear in the size of a
 * packet, so bytes may include headers or not, as long as all do (Constants::InPayload()).
 */
class NsccWindow
{
  public:
    /// Whose rules apply where two sources differ.
    enum Profile : uint8_t
    {
        UE,  //!< Ultra Ethernet 1.0
        UET, //!< the simulator uet-htsim
    };

    /// What the constants are derived from. Shares and factors have no unit.
    struct Parameters
    {
        Profile profile{UE};          //!< whose rules apply
        int64_t networkRtt{0};        //!< of a full packet in the empty network, in ps
        double rate{0};               //!< of all planes together, in bytes per ps
        uint32_t packet{4150};        //!< a full packet with its headers, in bytes: MTU
        uint32_t header{64};          //!< its headers, in bytes
        bool trims{false};            //!< switches trim packets instead of dropping them
        int64_t targetDelay{0};       //!< in ps; 0: a share of networkRtt
        double referenceRate{0.0125}; //!< of the network that the gains refer to, in bytes per ps
        int64_t referenceRtt{12'000'000}; //!< of that network, in ps
        double proportionalIncrease{4};   //!< packets per reference RTT at zero delay
        double fairIncrease{5};           //!< packets per window of acknowledged bytes
        double periodicIncrease{0.15};    //!< packets per adjust period
        double fastIncrease{0.25};        //!< share of the acknowledged bytes
        int64_t fastDelay{1'000'000};     //!< fast increase needs a delay below this, in ps
        double gamma{0.8};                //!< of the multiplicative decrease
        double maxDecrease{0.5};          //!< largest share of the window that a decrease takes
        double delayWeight{0.0125};       //!< of a sample in the average delay
        double lateShare{0.25};  //!< an unmarked delay above the target counts as this share of the
                                 //!< base RTT in the average
        int64_t adjustPeriod{0}; //!< in ps; 0: networkRtt
        uint32_t adjustPackets{8};      //!< packets of acknowledged bytes, which end it earlier
        double quickAdaptGate{0.125};   //!< share of the largest window; less delivered is little
        int64_t quickAdaptThreshold{0}; //!< delay that is very long, in ps; 0: by the profile
        double dropThreshold{5};        //!< of a switch, in bandwidth-delay products of a plane
        double maxWindowFactor{1.5};    //!< largest window, in bandwidth-delay products
        bool receiverCredits{false};    //!< the receiver controls the load of the last hop
    };

    /// What the laws compute with; does not change.
    struct Constants
    {
        /// @param parameters what they are derived from
        explicit Constants(const Parameters& parameters);

        /// @return the same for a window that counts payload only
        Constants InPayload() const;

        Profile profile;            //!< whose rules apply
        bool receiverCredits;       //!< the receiver controls the load of the last hop
        double packet;              //!< a full packet, and the smallest window, in bytes
        double payload;             //!< its payload, in bytes: MSS
        double rate;                //!< of all planes, in bytes per ps
        int64_t networkRtt;         //!< in ps
        double targetDelay;         //!< in ps
        double alpha;               //!< of the proportional increase, in bytes per ps
        double fairIncrease;        //!< in bytes
        double periodicIncrease;    //!< eta, in bytes
        double fastIncrease;        //!< share of the acknowledged bytes
        double fastDelay;           //!< in ps
        double gamma;               //!< of the multiplicative decrease
        double maxDecrease;         //!< largest share of the window that a decrease takes
        double delayWeight;         //!< of a sample in the average delay
        double lateShare;           //!< share of the base RTT
        int64_t adjustPeriod;       //!< in ps
        double adjustBytes;         //!< in bytes
        double quickAdaptGate;      //!< share of the largest window
        double quickAdaptThreshold; //!< delay that is very long, in ps; infinite: none is
        double quickAdaptRtts;      //!< base RTTs to add to it
        double maxWindowFactor;     //!< in bandwidth-delay products
    };

    /// What an acknowledgement reports.
    struct Ack
    {
        int64_t bytes{0};           //!< acknowledged for the first time
        std::optional<int64_t> rtt; //!< valid RTT sample, above 0, in ps
        bool marked{false};         //!< a switch has marked the packet that triggered it
        uint8_t penalty{0};         //!< share of bytes to take from the window, in 1/128
        bool restores{false};       //!< the penalty ends
    };

    /// How often the window was reduced.
    struct Counters
    {
        uint64_t decreases{0};   //!< by multiplicative decreases
        uint64_t quickAdapts{0}; //!< by quick adapt
        uint64_t penalties{0};   //!< by the receiver (profile UE); begins of penalties
    };

    /// Begin with the largest window.  @param constants what does not change
    explicit NsccWindow(const Constants& constants);

    /// A packet is sent, the first time or again.  @param bytes its size
    void Sent(int64_t bytes);

    /**
     * Process an acknowledgement. One without an RTT sample ends there in profile UE; in profile
     * UET it counts with the average delay, which it does not change.
     *
     * @param ack what it reports
     * @param now the current time, in ps
     */
    void Acknowledged(const Ack& ack, int64_t now);

    /**
     * Process the report of a trimmed packet (NACK).
     *
     * @param bytes its full size
     * @param atLastHop the switch in front of the receiver has trimmed it
     * @param now the current time, in ps
     * @param rtt from the packet's transmission to the report, above 0, in ps: it may lower the
     * base RTT
     */
    void Trimmed(int64_t bytes,
                 bool atLastHop,
                 int64_t now,
                 std::optional<int64_t> rtt = std::nullopt);

    /// The sender infers from other reports that packets are lost.  @param bytes their size
    void InferredLoss(int64_t bytes);

    /// Packets are lost: no report came in time.  @param bytes their size
    void TimedOut(int64_t bytes);

    /// @return the window, in bytes
    double GetWindow() const
    {
        return m_window;
    }

    /// @return the largest window, in bytes; it falls with the base RTT
    double GetMaxWindow() const
    {
        return m_maxWindow;
    }

    /// @return bytes that are sent and neither acknowledged nor lost. It is negative while more
    /// bytes are reported than were sent, as when a packet arrives that had been taken for lost.
    int64_t GetInFlight() const
    {
        return m_inFlight;
    }

    /// @return the smallest RTT that was measured, in ps; at first that of the network
    int64_t GetBaseRtt() const
    {
        return m_baseRtt;
    }

    /// @return the moving average of the delay, in ps
    double GetAverageDelay() const
    {
        return m_averageDelay;
    }

    /// @return how often the window was reduced
    const Counters& GetCounters() const
    {
        return m_counters;
    }

  private:
    /// Long before any event; differences to it do not overflow.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::min() / 2;

    /// @return whether a period is over  @param since its age, in ps  @param period its length,
    /// in ps
    bool IsOver(int64_t since, int64_t period) const;

    /// Use a smaller RTT as base RTT, which lowers the largest window.  @param rtt the sample, in
    /// ps
    void LowerBaseRtt(int64_t rtt);

    /// Take from the window what the receiver demands, or give it back.  @param ack what it demands
    void ApplyPenalty(const Ack& ack);

    /// Add a sample to the average delay.  @param delay the sample, in ps
    void AverageDelay(double delay);

    /**
     * Set the window to what was delivered, if the last period says that it is far too large; and
     * ignore the marks of packets that had been sent with that larger window.
     *
     * @param marked whether the report has an ECN mark
     * @param delay queueing delay, in ps
     * @param now the current time, in ps
     * @return whether the report needs no other reaction
     */
    bool QuickAdapt(bool marked, double delay, int64_t now);

    /// Collect an increase.  @param bytes acknowledged bytes  @param delay in ps
    void Increase(int64_t bytes, double delay);

    /// Multiplicative decrease, at most once per base RTT.  @param now the current time, in ps
    void Decrease(int64_t now);

    /// Add the collected increases to the window, if they are due.  @param now the time, in ps
    void Fulfill(int64_t now);

    /// Take bytes from the window.
    void Shrink(double bytes);

    /// Keep the window between one packet and the largest window.
    void Clamp();

    Constants m_constants;                                  //!< what does not change
    double m_window{0};                                     //!< in bytes
    double m_maxWindow{0};                                  //!< in bytes
    int64_t m_baseRtt{std::numeric_limits<int64_t>::max()}; //!< in ps
    double m_averageDelay{0};                               //!< in ps
    int64_t m_inFlight{0};                                  //!< bytes
    double m_increase{0};       //!< increases to be added, in bytes times bytes of the window
    int64_t m_received{0};      //!< bytes that were acknowledged since increases were added
    int64_t m_adjusted{NEVER};  //!< when the last adjust period ended, in ps
    int64_t m_fastBytes{0};     //!< bytes that were acknowledged in a row with almost no delay
    bool m_isFast{false};       //!< increases are fast
    int64_t m_decreased{NEVER}; //!< last multiplicative decrease, in ps
    int64_t m_delivered{0};     //!< bytes that were acknowledged in the quick-adapt period
    int64_t m_periodEnd{NEVER}; //!< end of that period, in ps
    bool m_isArmed{false};      //!< a packet was trimmed since quick adapt last reduced the window
    int64_t m_ignored{0};       //!< bytes reported since then
    int64_t m_toIgnore{0};      //!< bytes that were in flight then
    double m_savedWindow{0};    //!< window before the penalty, in bytes
    bool m_isPenalized{false};  //!< the receiver has taken from the window (profile UE)
    Counters m_counters;        //!< how often the window was reduced
};

} // namespace aifabric
} // namespace ns3

#endif /* NSCC_WINDOW_H */
