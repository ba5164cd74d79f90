/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/coalesced-ack-policy.h"
#include "ns3/go-back-n-recovery.h"
#include "ns3/oracle-recovery.h"
#include "ns3/packet-timer-recovery.h"
#include "ns3/psn-window.h"
#include "ns3/sack-recovery.h"
#include "ns3/strict-recovery.h"

#include <limits>

static Suite g_lossRecovery("ai-fabric-recovery");

namespace
{

uint32_t
Psn(uint64_t number)
{
    return number & PsnWindow::PSN_MASK;
}

/// @return a recovery  @param threshold its reordering threshold, if it has one
Ptr<LossRecovery>
MakeRecovery(const std::string& type, uint32_t threshold)
{
    ObjectFactory factory = FactoryOf(type + "Recovery");
    if (type == "Sack")
    {
        factory.Set("ReorderingThreshold", UintegerValue(threshold));
    }
    return factory.Create<LossRecovery>();
}

/// Two ends of a connection and a network between them that loses, duplicates and reorders both
/// packets and answers. Time is counted in packets.
struct Harness
{
    /// How the network is.
    struct Network
    {
        double loss;        //!< probability that something is lost
        double duplication; //!< probability that it comes twice
        uint32_t disorder;  //!< the most time by which something is late
    };

    Harness(Ptr<LossRecovery> sender,
            Ptr<LossRecovery> receiver,
            const Network& network,
            uint32_t seed)
        : m_sender(sender),
          m_receiver(receiver),
          m_network(network),
          m_random(seed)
    {
    }

    /// Let messages go.  @param window how many packets may be unacknowledged
    void Run(const std::vector<uint64_t>& messages, uint64_t window)
    {
        constexpr uint64_t TIMEOUT = 500;
        constexpr uint64_t MOST_TIME = 400000;
        std::size_t next = 0;
        for (m_now = 0; m_now < MOST_TIME && !IsDone(messages.size()); ++m_now)
        {
            if (next < messages.size() && m_random() % 20 == 0)
            {
                m_sender->MessagePosted(m_posted, messages[next]);
                m_ends.push_back(m_posted += messages[next++]);
                m_newsAt = std::max(m_newsAt, m_now);
            }
            Send(window);
            Deliver();
            m_sender->ExpireSentUntil(static_cast<int64_t>(m_now) - static_cast<int64_t>(TIMEOUT));
            if (m_now - m_newsAt > TIMEOUT)
            {
                m_sender->TimerExpired();
                m_newsAt = m_now;
            }
        }
        isDone = IsDone(messages.size());
        const uint64_t placedThen = placed.size();
        while (!m_packets.empty() || !m_answers.empty())
        {
            ++m_now; // what is late must not do any harm
            Deliver();
        }
        isStable = placed.size() == placedThen && IsDone(messages.size());
    }

    /// @return packets of all messages
    uint64_t GetPosted() const
    {
        return m_posted;
    }

    bool isDone{false};          //!< all is acknowledged
    bool isStable{false};        //!< what came late changed nothing
    bool isOnce{true};           //!< nothing was placed twice, and nothing that was not posted
    bool countsDistinct{true};   //!< as many were placed as different ones came, up to the length
    uint64_t transmissions{0};   //!< packets sent, repair packets included
    uint64_t lostPackets{0};     //!< of these, lost
    std::set<uint64_t> placed;   //!< packets placed
    uint64_t retransmissions{0}; //!< packets sent again

    /// An answer under way.
    struct Reply
    {
        bool nak;       //!< a NAK
        uint32_t psn;   //!< its PSN
        uint32_t whole; //!< messages received whole
    };

    /// @return whether all messages are posted and acknowledged
    bool IsDone(std::size_t messages) const
    {
        return m_ends.size() == messages && m_sender->GetUnacknowledged() == m_posted;
    }

    /// @return a random number from 0 to 1
    double Uniform()
    {
        return std::uniform_real_distribution<double>()(m_random);
    }

    /// Put something on the way, or lose it.  @return whether it was lost
    template <typename T>
    bool Carry(std::multimap<uint64_t, T>& queue, const T& item)
    {
        if (Uniform() < m_network.loss)
        {
            return true;
        }
        const int copies = Uniform() < m_network.duplication ? 2 : 1;
        for (int i = 0; i < copies; ++i)
        {
            queue.emplace(m_now + 20 + m_random() % (m_network.disorder + 1), item);
        }
        return false;
    }

    /// Send a packet, if there is one.  @param window how many may be unacknowledged
    void Send(uint64_t window)
    {
        if (!m_sender->HasNext(m_posted) || m_sender->GetOutstanding() >= window)
        {
            return;
        }
        const uint64_t sent = m_sender->GetSent();
        const LossRecovery::Departure departure = m_sender->TakeNext(static_cast<int64_t>(m_now));
        retransmissions += departure.number < sent && !departure.repair;
        isOnce &= departure.number < m_posted;
        ++transmissions;
        if (Carry(m_packets, departure))
        {
            ++lostPackets;
            m_sender->LossReported(Psn(departure.number)); // who does not listen is told in vain
        }
    }

    /// Let arrive what arrives now.
    void Deliver()
    {
        while (!m_packets.empty() && m_packets.begin()->first <= m_now)
        {
            Receive(m_packets.extract(m_packets.begin()).mapped());
        }
        while (!m_answers.empty() && m_answers.begin()->first <= m_now)
        {
            Hear(m_answers.extract(m_answers.begin()).mapped());
        }
    }

    /// @return the message of a packet
    std::size_t FindMessage(uint64_t number) const
    {
        return std::upper_bound(m_ends.begin(), m_ends.end(), number) - m_ends.begin();
    }

    /// A packet arrives.
    void Receive(const LossRecovery::Departure& packet)
    {
        const std::size_t message = FindMessage(packet.number);
        const uint64_t first = message ? m_ends[message - 1] : 0;
        const uint64_t length = m_ends[message] - first;
        const LossRecovery::Verdict verdict =
            packet.repair ? m_receiver->RepairReceived(Psn(first), length, packet.repair)
                          : m_receiver->PacketReceived(Psn(packet.number));
        if (verdict.accepted)
        {
            isOnce &= placed.insert(verdict.number).second && verdict.number >= first &&
                      verdict.number < m_ends[message];
            ++m_accepted[message];
        }
        auto& different = m_different[message];
        different.emplace(packet.repair, packet.repair ? 0 : packet.number);
        countsDistinct &= m_accepted[message] == std::min<uint64_t>(length, different.size());
        while (m_whole < m_ends.size() && m_ends[m_whole] <= m_receiver->GetExpected())
        {
            ++m_whole;
        }
        const bool nak = verdict.answer == LossRecovery::Answer::NAK;
        if (verdict.answer != LossRecovery::Answer::NONE &&
            Carry(m_answers, Reply{nak, Psn(verdict.number), m_whole}))
        {
            m_sender->LossReported(Psn(verdict.number));
        }
    }

    /// An answer arrives.
    void Hear(const Reply& reply)
    {
        bool news = reply.nak ? m_sender->NackReceived(NackOf(reply.psn)).newlyAcked
                              : m_sender->AckReceived(AckOf(reply.psn)).newlyAcked;
        if (reply.whole > 0)
        {
            news |= m_sender->MessagesReceived(m_ends[reply.whole - 1]).newlyAcked;
        }
        m_newsAt = news ? m_now : m_newsAt;
    }

    Ptr<LossRecovery> m_sender;                                 //!< the sending end
    Ptr<LossRecovery> m_receiver;                               //!< the receiving end
    Network m_network;                                          //!< the network
    std::mt19937 m_random;                                      //!< randomness
    uint64_t m_now{0};                                          //!< the time
    uint64_t m_newsAt{0};                                       //!< when something was acknowledged
    uint64_t m_posted{0};                                       //!< packets of all messages
    std::vector<uint64_t> m_ends;                               //!< ends of messages
    uint32_t m_whole{0};                                        //!< messages received whole
    std::multimap<uint64_t, LossRecovery::Departure> m_packets; //!< packets under way
    std::multimap<uint64_t, Reply> m_answers;                   //!< answers under way
    std::map<std::size_t, uint64_t> m_accepted;                 //!< packets placed, by message
    /// Different packets that came, by message: which repair packet, or which other packet.
    std::map<std::size_t, std::set<std::pair<uint64_t, uint64_t>>> m_different;
};

/// SackRecovery's rule as its definition has it, without any thought of cost.
struct PlainSack
{
    /// @param threshold the reordering threshold
    explicit PlainSack(uint32_t threshold)
        : m_threshold(threshold)
    {
    }

    /// @return the packet to be sent, which is sent
    uint64_t TakeNext()
    {
        const uint64_t number = lost.empty() ? m_sent++ : *lost.begin();
        lost.erase(number);
        m_order.push_back({number, false, false});
        return number;
    }

    /// A packet is acknowledged.  @return whether others are lost now
    bool Acknowledge(uint64_t number)
    {
        if (number >= m_sent || !m_acked.insert(number).second)
        {
            return false;
        }
        lost.erase(number);
        std::find_if(m_order.rbegin(), m_order.rend(), [number](const Transmission& t) {
            return t.number == number;
        })->acked = true;
        bool loss = false;
        uint64_t later = 0;
        for (auto t = m_order.rbegin(); t != m_order.rend(); ++t)
        {
            if (!t->acked && !t->lost && later >= m_threshold)
            {
                t->lost = loss = true;
                lost.insert(t->number);
            }
            later += t->acked;
        }
        return loss;
    }

    std::set<uint64_t> lost; //!< packets to be sent again

    struct Transmission
    {
        uint64_t number; //!< the packet
        bool acked;      //!< it was acknowledged after this one
        bool lost;       //!< this one is lost
    };

    uint32_t m_threshold;              //!< the reordering threshold
    uint64_t m_sent{0};                //!< packets sent
    std::set<uint64_t> m_acked;        //!< packets acknowledged
    std::vector<Transmission> m_order; //!< transmissions
};

} // namespace

/// Under any loss, duplication and reordering of packets and answers, each recovery places each
/// packet once, and the sender finishes.
struct RecoveryHarnessTestCase : FabricTestCase
{
    /// @param threshold its reordering threshold
    void Check(const std::string& type, uint32_t threshold = 0)
    {
        m_type = type;
        m_threshold = threshold;
        for (uint32_t seed = 1; seed <= 150; ++seed)
        {
            std::mt19937 random(seed);
            const double losses[] = {0, 0.001, 0.01, 0.1, 0.3};
            const double duplications[] = {0, 0.05, 0.5};
            const uint32_t disorders[] = {0, 3, 60, 300};
            const Harness::Network network = {losses[random() % 5],
                                              duplications[random() % 3],
                                              disorders[random() % 4]};
            std::vector<uint64_t> messages(1 + random() % 6);
            for (uint64_t& packets : messages)
            {
                packets = 1 + random() % (random() % 3 ? 20 : 200);
            }
            const uint64_t window = random() % 2 ? 1 + random() % 64 : 1000000;
            Check(network, messages, window, seed);
        }
    }

    void Check(const Harness::Network& network,
               const std::vector<uint64_t>& messages,
               uint64_t window,
               uint32_t seed)
    {
        Harness harness(MakeRecovery(m_type, m_threshold),
                        MakeRecovery(m_type, m_threshold),
                        network,
                        seed);
        harness.Run(messages, window);
        const std::string what = m_type + ", seed " + std::to_string(seed) + ", loss " +
                                 std::to_string(network.loss) + ", disorder " +
                                 std::to_string(network.disorder);
        NS_TEST_EXPECT_MSG_EQ(harness.isDone, true, what << ": the sender finishes");
        NS_TEST_EXPECT_MSG_EQ(harness.isStable, true, what << ": for good");
        NS_TEST_EXPECT_MSG_EQ(harness.isOnce, true, what << ": nothing is placed twice");
        NS_TEST_EXPECT_MSG_EQ(harness.placed.size(), harness.GetPosted(), what << ": all placed");
        if (m_type != "GoBackN")
        {
            NS_TEST_EXPECT_MSG_EQ(harness.countsDistinct, true, what << ": all that came count");
        }
        if (network.loss == 0 && network.disorder == 0 && network.duplication == 0 &&
            m_type != "Strict")
        {
            NS_TEST_EXPECT_MSG_EQ(harness.retransmissions, 0, what << ": nothing is sent again");
        }
        if (m_type == "Oracle" && network.loss == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(harness.retransmissions, 0, what << ": nothing is sent again");
        }
    }

    std::string m_type;   //!< the recovery's class
    uint32_t m_threshold; //!< its reordering threshold
};

/// SackRecovery finds the losses that its definition names, at the same acknowledgements, under
/// random loss and reordering.
struct SackDefinitionTestCase : FabricTestCase
{
    void Check(uint32_t seed)
    {
        constexpr uint64_t POSTED = 300;
        std::mt19937 random(seed);
        const uint32_t threshold = 1 + random() % 12;
        const uint32_t loss = random() % 40; // percent
        Ptr<LossRecovery> sack = MakeRecovery("Sack", threshold);
        PlainSack plain(threshold);
        std::vector<uint64_t> answers; // under way
        for (int step = 0; step < 3000; ++step)
        {
            if (sack->HasNext(POSTED) && random() % 2)
            {
                const uint64_t number = sack->TakeNext(0).number;
                NS_TEST_ASSERT_MSG_EQ(number, plain.TakeNext(), "seed " << seed);
                if (random() % 100 >= loss)
                {
                    answers.push_back(number);
                }
            }
            else if (!answers.empty())
            {
                const std::size_t index = random() % std::min<std::size_t>(answers.size(), 9);
                const uint64_t number = answers[index];
                answers.erase(answers.begin() + index);
                const bool loss = !sack->AckReceived(AckOf(Psn(number))).lost.empty();
                NS_TEST_ASSERT_MSG_EQ(loss, plain.Acknowledge(number), "seed " << seed);
            }
            NS_TEST_ASSERT_MSG_EQ(sack->HasNext(0), !plain.lost.empty(), "seed " << seed);
        }
    }
};

FABRIC_TEST_F(SackDefinitionTestCase, g_lossRecovery, "SackRecovery against its definition")
{
    for (uint32_t seed = 1; seed <= 60; ++seed)
    {
        Check(seed);
    }
}

/// SackRecovery step by step.
struct SackStepsTestCase : FabricTestCase
{
    /// @param numbers the packets that it sends next
    void Take(LossRecovery& sack, const std::vector<uint64_t>& numbers)
    {
        for (uint64_t number : numbers)
        {
            NS_TEST_EXPECT_MSG_EQ(sack.HasNext(9), true, "packet " << number);
            NS_TEST_EXPECT_MSG_EQ(sack.TakeNext(0).number, number, "the next packet");
        }
    }

    /// @param loss whether it shows a loss
    void Ack(LossRecovery& sack, uint64_t number, bool news, bool loss)
    {
        const LossRecovery::Feedback feedback = sack.AckReceived(AckOf(Psn(number)));
        NS_TEST_EXPECT_MSG_EQ(feedback.newlyAcked, news, "packet " << number);
        NS_TEST_EXPECT_MSG_EQ(!feedback.lost.empty(), loss, "packet " << number);
    }
};

FABRIC_TEST_F(SackStepsTestCase, g_lossRecovery, "SackRecovery step by step")
{
    Ptr<LossRecovery> sack = MakeRecovery("Sack", 3);
    Take(*sack, {0, 1, 2, 3, 4, 5});
    Ack(*sack, 1, true, false);
    Ack(*sack, 2, true, false);
    Ack(*sack, 2, false, false);
    NS_TEST_EXPECT_MSG_EQ(sack->GetOutstanding(), 4, "0, 3, 4, 5");
    Ack(*sack, 4, true, true); // the third that was sent after 0
    NS_TEST_EXPECT_MSG_EQ(sack->GetOutstanding(), 2, "3 and 5; 0 is to be sent again");
    Take(*sack, {0, 6, 7, 8}); // 3 has a later one acknowledged: 4
    Ack(*sack, 5, true, false);
    Ack(*sack, 6, true, true); // 4, 5, 6 came after 3
    Ack(*sack, 7, true, false);
    Take(*sack, {3});
    Ack(*sack, 8, true, true); // 6, 7, 8 were sent after the second 0
    Take(*sack, {0});
    Ack(*sack, 0, true, false);
    Ack(*sack, 3, true, false);
    NS_TEST_EXPECT_MSG_EQ(sack->GetUnacknowledged(), 9, "all is acknowledged");
}

/// The acknowledgement of a packet that was taken for lost comes.
FABRIC_TEST_F(SackStepsTestCase, g_lossRecovery, "SACK steps: late")
{
    Ptr<LossRecovery> sack = MakeRecovery("Sack", 1);
    Take(*sack, {0, 1, 2});
    Ack(*sack, 2, true, true);
    Ack(*sack, 0, true, false);
    Take(*sack, {1}); // 0 needs not be sent again
    Ack(*sack, 1, true, false);
    NS_TEST_EXPECT_MSG_EQ(sack->HasNext(3), false, "nothing is left");
}

FABRIC_TEST_F(SackStepsTestCase, g_lossRecovery, "Nothing comes")
{
    Ptr<LossRecovery> sack = MakeRecovery("Sack", 2);
    Take(*sack, {0, 1, 2, 3});
    Ack(*sack, 1, true, false);
    sack->TimerExpired();
    NS_TEST_EXPECT_MSG_EQ(sack->GetOutstanding(), 0, "0, 2 and 3 are to be sent again");
    Take(*sack, {0, 2, 3});
    Ack(*sack, 3, true, false);
    Ack(*sack, 2, true, true);
    Take(*sack, {0});
}

/// Acknowledgements are lost, but a later one says that the message has come.
FABRIC_TEST_F(SackStepsTestCase, g_lossRecovery, "SACK steps: whole message")
{
    Ptr<LossRecovery> sack = MakeRecovery("Sack", 2);
    Take(*sack, {0, 1, 2, 3, 4});
    Ack(*sack, 1, true, false);
    const LossRecovery::Feedback feedback = sack->MessagesReceived(3);
    NS_TEST_EXPECT_MSG_EQ(feedback.newlyAcked, 2, "0 and 2 have come");
    NS_TEST_EXPECT_MSG_EQ(feedback.lost.empty(), true, "3 and 4 are later");
    NS_TEST_EXPECT_MSG_EQ(sack->GetUnacknowledged(), 3, "0, 1 and 2 have come");
    NS_TEST_EXPECT_MSG_EQ(sack->MessagesReceived(3).newlyAcked, false, "old news");
    NS_TEST_EXPECT_MSG_EQ(sack->GetOutstanding(), 2, "3 and 4");
}

/// StrictRecovery step by step.
struct StrictStepsTestCase : FabricTestCase
{
    /// @param departures number and repair packet, the next
    void Take(LossRecovery& strict, const std::vector<std::pair<uint64_t, uint64_t>>& departures)
    {
        for (const auto& [number, repair] : departures)
        {
            NS_TEST_EXPECT_MSG_EQ(strict.HasNext(4), true, "more");
            const LossRecovery::Departure departure = strict.TakeNext(0);
            NS_TEST_EXPECT_MSG_EQ(departure.number, number, "the next packet");
            NS_TEST_EXPECT_MSG_EQ(departure.repair, repair, "the next repair packet");
        }
    }

    /// @param verdict what becomes of a packet
    void Expect(const LossRecovery::Verdict& verdict, bool accepted, uint64_t number)
    {
        NS_TEST_EXPECT_MSG_EQ(verdict.accepted, accepted, "accepted");
        NS_TEST_EXPECT_MSG_EQ((verdict.answer == LossRecovery::Answer::ACK), true, "answered");
        NS_TEST_EXPECT_MSG_EQ(verdict.number, number, "the number in the answer");
    }
};

FABRIC_TEST_F(StrictStepsTestCase, g_lossRecovery, "The sending end")
{
    Ptr<LossRecovery> strict = MakeRecovery("Strict", 0);
    strict->MessagePosted(0, 2);
    strict->MessagePosted(2, 1);
    Take(*strict, {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {2, 2}, {0, 3}});
    NS_TEST_EXPECT_MSG_EQ(strict->GetSent(), 3, "repair packets have no number");
    strict->AckReceived(AckOf(2));
    Take(*strict, {{0, 4}, {0, 5}}); // the second message is done
    strict->MessagePosted(3, 1);
    Take(*strict, {{3, 0}, {3, 6}, {0, 7}});
    strict->AckReceived(AckOf(1));
    NS_TEST_EXPECT_MSG_EQ(strict->AckReceived(AckOf(1)).newlyAcked, false, "no news");
    NS_TEST_EXPECT_MSG_EQ(strict->GetUnacknowledged(), 0, "the first message is not done");
    NS_TEST_EXPECT_MSG_EQ(strict->MessagesReceived(3).newlyAcked, 1, "now it is");
    NS_TEST_EXPECT_MSG_EQ(strict->GetUnacknowledged(), 3, "and the second");
    Take(*strict, {{3, 8}});
    strict->AckReceived(AckOf(3));
    NS_TEST_EXPECT_MSG_EQ(strict->HasNext(4), false, "all is done");
}

FABRIC_TEST_F(StrictStepsTestCase, g_lossRecovery, "The receiving end: messages of 4 and 2 packets")
{
    Ptr<LossRecovery> strict = MakeRecovery("Strict", 0);
    Expect(strict->PacketReceived(1), true, 1);
    Expect(strict->RepairReceived(0, 4, 1), true, 0); // stands for packet 0
    Expect(strict->RepairReceived(0, 4, 1), false, 0);
    Expect(strict->PacketReceived(1), false, 1);
    Expect(strict->PacketReceived(0), true, 2); // its place is taken
    Expect(strict->PacketReceived(0), false, 0);
    Expect(strict->RepairReceived(4, 2, 3), true, 4); // of the next message
    NS_TEST_EXPECT_MSG_EQ(strict->GetExpected(), 3, "one packet of the first is missing");
    Expect(strict->PacketReceived(2), true, 3);
    NS_TEST_EXPECT_MSG_EQ(strict->GetExpected(), 5, "the first message is complete");
    Expect(strict->PacketReceived(3), false, 3);
    Expect(strict->RepairReceived(0, 4, 2), false, 0);
    Expect(strict->PacketReceived(5), true, 5);
    Expect(strict->PacketReceived(4), false, 4);
    NS_TEST_EXPECT_MSG_EQ(strict->GetExpected(), 6, "both are complete");
}

/// PacketTimerRecovery loses what was sent at or before a time and is not acknowledged, and nothing
/// else; and it says what comes next.
struct PacketTimerStepsTestCase : FabricTestCase
{
    using Numbers = std::vector<uint64_t>; //!< of packets

    /// @param number the packet it should send
    void ExpectNext(LossRecovery& recovery, uint64_t number, int64_t start)
    {
        NS_TEST_EXPECT_MSG_EQ(recovery.HasNext(9), true, "packet " << number);
        NS_TEST_EXPECT_MSG_EQ(recovery.TakeNext(start).number, number, "the next packet");
    }

    void ExpectExpired(LossRecovery& recovery, int64_t since, const Numbers& lost)
    {
        NS_TEST_EXPECT_MSG_EQ((recovery.ExpireSentUntil(since) == lost), true, "until " << since);
    }

    /// @param start when the oldest transmission should have begun
    void ExpectOldest(const LossRecovery& recovery, int64_t start)
    {
        NS_TEST_EXPECT_MSG_EQ(recovery.GetOldestStart(), start, "the oldest one");
    }
};

FABRIC_TEST_F(PacketTimerStepsTestCase,
              g_lossRecovery,
              "PacketTimerRecovery: each transmission has its time")
{
    Ptr<PacketTimerRecovery> recovery = CreateObject<PacketTimerRecovery>();
    ExpectOldest(*recovery, std::numeric_limits<int64_t>::max());
    for (uint64_t number = 0; number < 5; ++number)
    {
        ExpectNext(*recovery, number, 10 * number);
    }
    ExpectOldest(*recovery, 0);
    ExpectExpired(*recovery, -1, {});
    recovery->AckReceived(AckOf(0));
    recovery->AckReceived(AckOf(2));
    ExpectOldest(*recovery, 10);
    ExpectExpired(*recovery, 9, {});
    ExpectExpired(*recovery, 30, {1, 3});
    ExpectOldest(*recovery, 40);
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOutstanding(), 1, "the last one");
    recovery->AckReceived(AckOf(3)); // late
    ExpectNext(*recovery, 1, 50);
    ExpectNext(*recovery, 5, 60);
    recovery->TimerExpired(); // which is the queue pair's affair
    NS_TEST_EXPECT_MSG_EQ(recovery->GetOutstanding(), 3, "1, 4 and 5");
    recovery->AckReceived(AckOf(1)); // of the first copy or the second
    ExpectOldest(*recovery, 40);
    ExpectExpired(*recovery, 59, {4});
    ExpectOldest(*recovery, 60);
    ExpectNext(*recovery, 4, 70);
    ExpectExpired(*recovery, 70, {5, 4});
    ExpectOldest(*recovery, std::numeric_limits<int64_t>::max());
    NS_TEST_EXPECT_MSG_EQ(CountersOf(*recovery).at("packet_timer_expirations"),
                          5,
                          "1, 3, 4, 5 and 4");
}

FABRIC_TEST(g_lossRecovery, "CoalescedAckPolicy: each reason alone makes an acknowledgement due")
{
    const auto policy = CreateWith<CoalescedAckPolicy>({{"Bytes", 100}});
    const AckPolicy::Arrival none{99, true, false, false, true, false};
    NS_TEST_EXPECT_MSG_EQ(policy->IsDue(none), false, "in order, no mark, the first");
    const std::vector<std::pair<std::string, AckPolicy::Arrival>> reasons = {
        {"enough bytes", {100, true, false, false, false, false}},
        {"another packet was expected", {1, false, false, false, false, false}},
        {"a mark", {1, true, true, false, false, false}},
        {"a request", {1, true, false, true, false, false}},
        {"a gap is filled", {1, true, false, false, false, true}}};
    for (const auto& [reason, arrival] : reasons)
    {
        NS_TEST_EXPECT_MSG_EQ(policy->IsDue(arrival), true, reason);
    }
}

FABRIC_ROWS(g_lossRecovery)
{
    for (const std::string type : {"GoBackN", "Oracle", "Strict", "PacketTimer"})
    {
        rows.AddRow<RecoveryHarnessTestCase>(type + " between lossy ends", type, 0);
    }
    for (const uint32_t threshold : {1, 6, 32})
    {
        rows.AddRow<RecoveryHarnessTestCase>("Sack, threshold " + std::to_string(threshold),
                                             "Sack",
                                             threshold);
    }
}
