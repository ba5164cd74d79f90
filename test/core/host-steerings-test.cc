/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/host-steerings.h"
#include "ns3/message-service.h"
#include "ns3/piece-carrier.h"
#include "ns3/round-robin-steering.h"
#include "ns3/split-steering.h"

namespace
{

/// Notes which messages it is given.
class CountingSteering : public MessageSteering
{
  public:
    /// @return the object TypeId
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId tid = ns3::TypeId("ns3::aifabric::CountingSteering")
                                     .SetParent<MessageSteering>()
                                     .AddConstructor<CountingSteering>();
        return tid;
    }

    void Send(uint32_t) override
    {
        ++m_sent;
    }

    void Count(PolicyCounters& counters) const override
    {
        counters["sent"] += m_sent;
    }

  private:
    uint32_t m_sent{0}; //!< messages
};

/// Carries nothing.
class NoCarrier : public PieceCarrier
{
  public:
    MessageService& GetService() const override
    {
        return *m_service;
    }

    uint32_t Post(uint32_t, uint64_t, uint32_t) override
    {
        return 0;
    }

    void PostAlone(uint32_t, uint64_t, const Prepare&) override
    {
    }

  private:
    ns3::Ptr<MessageService> m_service; //!< none
};

} // namespace

/// No two hosts share a steering.
TEST(HostSteerings, EachHostHasItsOwn)
{
    NoCarrier carrier;
    HostSteerings steerings(CountingSteering::GetTypeId(), carrier);
    steerings.Make(3);
    EXPECT_NE(steerings.Get(0), steerings.Get(1));
    EXPECT_NE(steerings.Get(1), steerings.Get(2));
    EXPECT_EQ(steerings.AssignStreams(7), 3);
}

/// What was counted before counts, too.
TEST(HostSteerings, CountsStayWhenAllBeginAnew)
{
    NoCarrier carrier;
    HostSteerings steerings(CountingSteering::GetTypeId(), carrier);
    steerings.Make(2);
    const ns3::Ptr<MessageSteering> before = steerings.Get(1);
    steerings.Get(0)->Send(0);
    steerings.Get(1)->Send(1);
    steerings.Restart();
    EXPECT_NE(steerings.Get(1), before);
    steerings.Get(1)->Send(2);
    PolicyCounters counters;
    steerings.Count(counters);
    EXPECT_EQ(counters["sent"], 3U);
}

/// Those that deal queue pairs in turn do not.
TEST(HostSteerings, SomeKnowTheirLanesBeforehand)
{
    NoCarrier carrier;
    HostSteerings split(SplitSteering::GetTypeId(), carrier);
    split.Make(1);
    EXPECT_TRUE(split.KnowLanes());
    HostSteerings dealt(RoundRobinSteering::GetTypeId(), carrier);
    dealt.Make(1);
    EXPECT_FALSE(dealt.KnowLanes());
}
