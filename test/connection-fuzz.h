/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_FUZZ_H
#define CONNECTION_FUZZ_H

#include "fabric-test.h"

#include "ns3/ingress-stage.h"

namespace fabrictest
{

/// A stage of a switch that loses, copies, delays and changes frames by a rule.
class ChaosStage : public IngressStage
{
  public:
    /// Forwards a frame as often as it likes, and late if it likes; 0 times: the frame is lost.
    using Rule = std::function<void(ChaosStage&, const FabricFrame&)>;

    ChaosStage(const Ptr<FabricFramePool>& pool, const Rule& rule)
        : m_pool(pool),
          m_rule(rule)
    {
    }

    void Install(FabricSwitch& fabricSwitch) override
    {
        m_switch = &fabricSwitch;
    }

    bool Passes(const Ptr<FabricFrame>& frame, int64_t) override
    {
        m_rule(*this, *frame);
        return false;
    }

    /// @return a copy of a frame
    Ptr<FabricFrame> Clone(const FabricFrame& frame)
    {
        return m_pool->Clone(frame);
    }

    /// Pass a copy of a frame on.  @param delayPs later than now, in picoseconds
    void Forward(const FabricFrame& frame, int64_t delayPs = 0)
    {
        const Ptr<FabricFrame> copy = Clone(frame);
        --copy->ttl; // as the switch does with frames that pass
        FabricSwitch* fabricSwitch = m_switch;
        ScheduleFunction(PicoSeconds(delayPs), [fabricSwitch, copy] {
            fabricSwitch->Originate(copy, FabricClock::Now());
        });
    }

    /// Install a stage on each switch of a fabric.
    static void InstallAll(const Fabric& fabric, const Rule& rule)
    {
        for (uint32_t id = 0; id < fabric.GetSwitchCount(); ++id)
        {
            fabric.GetSwitch(id)->SetStage(CreateObject<ChaosStage>(fabric.GetPool(), rule));
        }
    }

  private:
    Ptr<FabricFramePool> m_pool;     //!< of copies
    Rule m_rule;                     //!< decides on frames
    FabricSwitch* m_switch{nullptr}; //!< the switch
};

/// Random messages over random connections of a faulty fabric: each message comes once, in order,
/// and is acknowledged, and the same seed gives the same run. A subclass draws the scenario from
/// m_random and adds the laws of its transport. The calls for each seed are Draw(), Connect(),
/// PostMessage() for each message, CheckStream() for each stream and CheckRun().
class ConnectionFuzz : public FabricTestCase
{
  public:
    /// @param first the first seed  @param count how many seeds
    void Check(uint32_t first, uint32_t count)
    {
        for (uint32_t seed = first; seed < first + count; ++seed)
        {
            const std::string digest = Run(seed);
            if (seed % 8 == 0)
            {
                NS_TEST_EXPECT_MSG_EQ(Run(seed), digest, "seed " << seed);
            }
        }
        CheckSeeds();
    }

  protected:
    using Messages = std::vector<std::pair<uint64_t, uint32_t>>; //!< lengths and keys

    /// One direction of a connection.
    struct Stream
    {
        Ptr<QueuePair> sender;   //!< the one end
        Ptr<QueuePair> receiver; //!< the other
        Messages posted;         //!< messages
        Messages came;           //!< messages that have come
        uint64_t bytes{0};       //!< of all messages
        uint64_t drawn{0};       //!< messages that are posted, or will be
    };

    /// Set the attributes of a scenario.  @return its fabric, with its faults
    virtual Ptr<Fabric> Draw() = 0;

    /// Connect hosts, by AddStreams().
    virtual void Connect(const Fabric& fabric) = 0;

    /// Post a message now or later.
    virtual void PostMessage(std::size_t stream, uint64_t bytes, uint32_t key) = 0;

    /// Check the laws of a stream that has ended, beyond those of all transports.
    virtual void CheckStream(const Stream&)
    {
    }

    /// Check the laws of a run that has ended.
    virtual void CheckRun(const Fabric&)
    {
    }

    /// Check that the seeds have met what they are to meet.
    virtual void CheckSeeds() = 0;

    uint64_t Pick(const std::vector<uint64_t>& numbers)
    {
        return numbers[m_random() % numbers.size()];
    }

    /// Add both directions of a connection.
    void AddStreams(const RoceHelper::Ends& ends)
    {
        m_streams.push_back({ends.first, ends.second, {}, {}});
        m_streams.push_back({ends.second, ends.first, {}, {}});
    }

    /// Post a message now.
    void PostNow(std::size_t stream, uint64_t bytes, uint32_t key)
    {
        m_streams[stream].posted.emplace_back(bytes, key);
        m_streams[stream].sender->PostWrite(bytes, {}, key);
    }

    std::mt19937 m_random;          //!< decides on the scenario
    std::string m_what;             //!< the scenario
    std::vector<Stream> m_streams;  //!< of the scenario
    uint32_t m_mostMessages{5};     //!< of a stream
    uint32_t m_longestMessage{150}; //!< in packets

  private:
    /// @return a digest
    std::string Run(uint32_t seed)
    {
        m_random.seed(seed);
        m_what = "seed " + std::to_string(seed);
        m_streams.clear();
        RngSeedManager::SetRun(seed);
        const Ptr<Fabric> fabric = Draw();
        Connect(*fabric);
        for (std::size_t i = 0; i < m_streams.size(); ++i)
        {
            Post(i);
        }
        Simulator::Run();
        std::ostringstream digest;
        digest << Simulator::Now().GetFemtoSeconds();
        for (const Stream& stream : m_streams)
        {
            CheckEnd(stream);
            CheckStream(stream);
            digest << ' ' << stream.sender->GetCounters().dataPackets << ' '
                   << stream.receiver->GetCounters().acksSent;
        }
        CheckRun(*fabric);
        m_streams.clear();
        Simulator::Destroy();
        return digest.str();
    }

    /// Post random messages.
    void Post(std::size_t index)
    {
        Stream& stream = m_streams[index];
        stream.receiver->SetReceiveCallback(

            CallbackOf([&stream](Ptr<QueuePair>, uint64_t bytes, uint32_t key) {
                stream.came.emplace_back(bytes, key);
            }));
        const uint32_t mtu = stream.sender->GetMtu();
        for (uint32_t count = m_random() % (m_mostMessages + 1); count > 0; --count)
        {
            const uint64_t bytes =
                Pick({0, 1, mtu + 1, 10 * mtu, 77 * mtu - 3, m_longestMessage * mtu});
            stream.bytes += bytes;
            ++stream.drawn;
            PostMessage(index, bytes, m_random());
        }
    }

    /// Check the laws of all transports.  @param stream a stream that has ended
    void CheckEnd(const Stream& stream)
    {
        const QueuePair::Counters got = stream.receiver->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(stream.sender->HasFailed(), false, m_what << ": nobody gives up");
        NS_TEST_EXPECT_MSG_EQ(stream.sender->GetPendingMessages(), 0, m_what << ": all is done");
        NS_TEST_EXPECT_MSG_EQ((stream.came == stream.posted), true, m_what << ": once, in order");
        NS_TEST_EXPECT_MSG_EQ(got.packetsAccepted, stream.sender->GetPosted(), m_what << ": once");
        NS_TEST_EXPECT_MSG_EQ(got.bytesAccepted, stream.bytes, m_what << ": bytes");
    }
};

} // namespace fabrictest

#endif /* CONNECTION_FUZZ_H */
