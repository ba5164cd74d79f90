/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/fabric-graph.h"
#include "ns3/flow-list.h"
#include "ns3/lower-bound.h"

#include <queue>

namespace
{

constexpr uint64_t MTU = 4096;       //!< payload of a full packet, in bytes
constexpr double PS_PER_US = 1e6;    //!< picoseconds of a microsecond
constexpr double GAP = 200;          //!< the gap at 800 Gb/s, in ps
constexpr double FULL_FRAME = 41580; //!< a full frame at 800 Gb/s, in ps
constexpr double ACK_FRAME = 640;    //!< an ACK at 800 Gb/s, in ps
constexpr double DELAY = 500000;     //!< propagation of a link, in ps

/// @return a source of randomness
UniformInteger
Uniform(std::mt19937& random)
{
    return [&random](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
}

/// How a simulated host orders data and ACKs that both wait.
enum class Discipline
{
    ALTERNATE,
    ACK_FIRST,
    DATA_FIRST,
};

/// A small packet simulator, independent of the module's own: store and forward, random spraying in
/// the switches, unlimited queues. A host serves its flows round robin, and spaces its data.
struct MiniSimulator
{
    /// @param discipline how a host orders data and ACKs
    MiniSimulator(const FabricGraph& graph,
                  const BoundParameters& parameters,
                  Discipline discipline,
                  std::mt19937& random)
        : m_graph(graph),
          m_parameters(parameters),
          m_discipline(discipline),
          m_random(random),
          m_hosts(graph.HostCount()),
          m_wireFree(2 * graph.Links().size(), 0)
    {
    }

    /// @return when the last flow is complete, in ps
    int64_t Run(const std::vector<Flow>& flows)
    {
        for (const auto& flow : flows)
        {
            auto packets = (flow.bytes + m_parameters.payloadBytes - 1) / m_parameters.payloadBytes;
            m_flows.push_back({flow, packets, packets});
        }
        for (uint32_t i = 0; i < m_flows.size(); ++i)
        {
            At(flows[i].startPs, [this, i] {
                auto source = m_flows[i].flow.source;
                m_hosts[source].sending.push_back(i);
                Serve(source);
            });
        }
        while (!m_events.empty())
        {
            auto event = m_events.top();
            m_events.pop();
            m_now = event.time;
            event.action();
        }
        return m_last;
    }

    /// A frame on its way.
    struct Frame
    {
        uint32_t flow;        //!< its flow
        bool isAck;           //!< whether it is an ACK
        uint32_t destination; //!< the host it goes to
        uint64_t bytes;       //!< its length
    };

    /// A flow and what is left of it.
    struct FlowState
    {
        Flow flow;        //!< the flow
        uint64_t unsent;  //!< packets to send
        uint64_t packets; //!< all packets
    };

    struct Host
    {
        std::deque<uint32_t> sending; //!< flows with packets to send, next first
        std::deque<Frame> acks;       //!< ACKs that wait
        bool wasData{false};          //!< whether the last frame was data
        uint16_t nextPlane{0};        //!< where to look for a free port first
        int64_t nextData{0};          //!< when its rate allows data again, in ps
    };

    /// Something to do.
    struct Event
    {
        int64_t time;                 //!< when, in ps
        uint64_t order;               //!< among those of the same time
        std::function<void()> action; //!< what

        /// @return whether this one is due after another
        bool operator<(const Event& other) const
        {
            return time != other.time ? time > other.time : order > other.order;
        }
    };

    /// Do something later.  @param time when, in ps
    void At(int64_t time, std::function<void()> action)
    {
        m_events.push({time, m_order++, std::move(action)});
    }

    /// @return the time of so many bytes on a link, in ps
    /// @param isFabric whether the link is one between switches
    int64_t TimeOf(uint64_t bytes, bool isFabric) const
    {
        const bool isOther = isFabric && m_parameters.fabricRate;
        const uint64_t rate = isOther ? m_parameters.fabricRate : m_parameters.linkRate;
        return static_cast<int64_t>(bytes * 8'000'000'000'000ULL / rate);
    }

    /// @return when the wire from a port is free, in ps
    int64_t& WireFree(const FabricEnd& end)
    {
        auto id = m_graph.LinkAt(end);
        const auto& upper = m_graph.Links()[id].b;
        bool isUpper = !end.isHost && upper.id == end.id && upper.port == end.port;
        return m_wireFree[2 * id + isUpper];
    }

    /// Put a frame on a wire as soon as that is free.
    void Transmit(const FabricEnd& end, const Frame& frame)
    {
        auto& free = WireFree(end);
        auto begin = std::max(m_now, free);
        const bool isFabric = !end.isHost && !m_graph.PeerOf(end).isHost;
        const auto time = TimeOf(frame.bytes, isFabric);
        free = begin + time + TimeOf(m_parameters.gapBytes, isFabric);
        const FabricEnd peer = m_graph.PeerOf(end);
        const int64_t latency =
            peer.isHost ? m_parameters.nicLatencyPs : m_parameters.switchLatencyPs;
        At(begin + time + m_parameters.linkDelayPs + latency,
           [this, frame, peer] { Receive(peer, frame); });
    }

    /// Let a host send on each of its ports that is free.
    void Serve(uint32_t id)
    {
        auto& host = m_hosts[id];
        for (uint16_t i = 0; i < m_graph.Planes(); ++i)
        {
            FabricEnd end{true, id, static_cast<uint16_t>((host.nextPlane + i) % m_graph.Planes())};
            bool hasWork = HasData(host) || !host.acks.empty();
            if (hasWork && WireFree(end) <= m_now)
            {
                host.nextPlane = static_cast<uint16_t>(end.port + 1);
                const Frame frame = NextFrame(host);
                Transmit(end, frame);
                At(WireFree(end), [this, id] { Serve(id); });
                if (!frame.isAck)
                {
                    Pace(id, TimeOf(frame.bytes, false) + TimeOf(m_parameters.gapBytes, false));
                }
            }
        }
    }

    /// @return whether a host may send data now
    bool HasData(const Host& host) const
    {
        return !host.sending.empty() && host.nextData <= m_now;
    }

    /// Hold back the data of a host after a frame.
    /// @param slot time of the frame and its gap, in ps
    void Pace(uint32_t id, int64_t slot)
    {
        const double ports = m_graph.Planes() * m_parameters.rateFactor;
        if (m_parameters.rateFactor < 1)
        {
            m_hosts[id].nextData = m_now + static_cast<int64_t>(std::ceil(slot / ports));
            At(m_hosts[id].nextData, [this, id] { Serve(id); });
        }
    }

    Frame NextFrame(Host& host)
    {
        bool prefersAck = m_discipline == Discipline::ACK_FIRST ||
                          (m_discipline == Discipline::ALTERNATE && host.wasData);
        host.wasData = host.acks.empty() || (!prefersAck && HasData(host));
        if (!host.wasData)
        {
            auto frame = host.acks.front();
            host.acks.pop_front();
            return frame;
        }
        auto i = host.sending.front();
        host.sending.pop_front();
        auto& state = m_flows[i];
        --state.unsent;
        auto payload = m_parameters.payloadBytes;
        auto bytes = state.unsent > 0 ? payload : state.flow.bytes - (state.packets - 1) * payload;
        if (state.unsent > 0)
        {
            host.sending.push_back(i);
        }
        return {i, false, state.flow.destination, bytes + m_parameters.headerBytes};
    }

    /// A frame has arrived.
    void Receive(const FabricEnd& end, const Frame& frame)
    {
        if (!end.isHost)
        {
            const auto& rule = m_graph.Switches()[end.id].forwarding;
            const auto& group = rule.GroupFor(frame.destination);
            auto port = static_cast<uint16_t>(group.first + m_random() % group.count);
            Transmit({false, end.id, port}, frame);
            return;
        }
        auto& state = m_flows[frame.flow];
        if (frame.isAck)
        {
            m_last = m_now;
            return;
        }
        auto ack = m_parameters.ackBytes;
        if (!m_parameters.acksInFabric)
        {
            auto links = m_graph.PathLinks(state.flow.source, state.flow.destination);
            auto time = 2 * TimeOf(ack, false) + (links - 2) * TimeOf(ack, true);
            const int64_t latencies =
                (links - 1) * m_parameters.switchLatencyPs + m_parameters.nicLatencyPs;
            At(m_now + time + links * m_parameters.linkDelayPs + latencies,
               [this] { m_last = m_now; });
            return;
        }
        m_hosts[end.id].acks.push_back({frame.flow, true, state.flow.source, ack});
        Serve(end.id);
    }

    const FabricGraph& m_graph;          //!< the fabric
    const BoundParameters& m_parameters; //!< links and frames
    Discipline m_discipline;             //!< how a host orders data and ACKs
    std::mt19937& m_random;              //!< chooses paths
    std::vector<Host> m_hosts;           //!< hosts
    std::vector<int64_t> m_wireFree;     //!< by link and direction, in ps
    std::vector<FlowState> m_flows;      //!< flows
    std::priority_queue<Event> m_events; //!< what is to come
    uint64_t m_order{0};                 //!< of events
    int64_t m_now{0};                    //!< the current time, in ps
    int64_t m_last{0};                   //!< when a packet was last known to be received, in ps
};

/// @return completion time of a simulation, in ps
int64_t
Simulate(const FabricGraph& graph,
         const std::vector<Flow>& flows,
         const BoundParameters& parameters,
         Discipline discipline,
         std::mt19937& random)
{
    return MiniSimulator(graph, parameters, discipline, random).Run(flows);
}

template <typename T>
const T&
AnyOf(const std::vector<T>& values, std::mt19937& random)
{
    return values[random() % values.size()];
}

const std::vector<Discipline> DISCIPLINES = {
    Discipline::ALTERNATE,
    Discipline::ACK_FIRST,
    Discipline::DATA_FIRST,
}; //!< all of them

/// @return links of some rate and length
BoundParameters
RandomParameters(Discipline discipline, std::mt19937& random)
{
    BoundParameters parameters;
    parameters.linkRate = AnyOf<uint64_t>({7, 10, 100, 400, 800}, random) * 1'000'000'000;
    parameters.linkDelayPs = AnyOf<int64_t>({0, 1000, 50'000, 500'000}, random);
    parameters.switchLatencyPs = AnyOf<int64_t>({0, 0, 1000, 300'000}, random);
    parameters.nicLatencyPs = AnyOf<int64_t>({0, 0, 1000, 1'000'000}, random);
    parameters.acksAlternate = discipline != Discipline::DATA_FIRST;
    parameters.acksInFabric = random() % 4 != 0;
    parameters.rateFactor = AnyOf<double>({1, 1, 1, 0.9, 0.7, 0.3}, random);
    return parameters;
}

/// @return unlike flows between any hosts
std::vector<Flow>
RandomFlows(uint32_t hosts, std::mt19937& random)
{
    std::vector<Flow> flows(20);
    for (auto& flow : flows)
    {
        flow.source = static_cast<uint32_t>(random() % hosts);
        flow.destination = static_cast<uint32_t>(flow.source + 1 + random() % (hosts - 1)) % hosts;
        flow.bytes = 1 + random() % (20 * MTU);
    }
    return flows;
}

/// @return flows of any shape and start
std::vector<Flow>
RandomTraffic(uint32_t hosts, std::mt19937& random)
{
    auto uniform = Uniform(random);
    auto most = AnyOf<uint64_t>({MTU, 3 * MTU, 30 * MTU}, random);
    auto bytes = 1 + random() % most;
    bytes = random() % 2 == 0 ? bytes : (bytes + MTU - 1) / MTU * MTU;
    auto jitter = AnyOf<uint32_t>({1, 41'780, 5'000'000}, random);
    std::vector<Flow> flows;
    switch (random() % 4)
    {
    case 0:
        flows = RandomPermutation(hosts, bytes, uniform);
        break;
    case 1:
        flows = AllToAll(hosts, bytes, uniform);
        break;
    case 2:
        flows = Incast(hosts, 1 + uniform(hosts - 1), 0, bytes, uniform);
        break;
    default:
        flows = RandomFlows(hosts, random);
    }
    for (auto& flow : flows)
    {
        flow.startPs = uniform(jitter);
    }
    return flows;
}

} // namespace

/// The values of the study's appendix B, and those that its closed form gives.
TEST(PublishedBound, PermutationToAllDigits)
{
    BoundParameters defaults;
    EXPECT_EQ(PublishedI1(6, defaults), 78U);
    const std::vector<std::pair<uint64_t, double>> published = {{8, 6.54598},
                                                                {64, 8.88566},
                                                                {128, 11.60158},
                                                                {256, 17.05694},
                                                                {512, 27.96766},
                                                                {1024, 49.78910},
                                                                {4096, 180.71774}};
    for (const auto& [packets, us] : published)
    {
        EXPECT_DOUBLE_EQ(PublishedBoundPs(packets * MTU, 1, 6, defaults) / PS_PER_US, us);
    }
}

/// A latency adds to both ways, and is reached by a packet alone in the fabric.
TEST(CompletionBound, Latencies)
{
    const FabricGraph graph = MakeFatTree({4, 1, {}});
    BoundParameters parameters;
    const std::vector<Flow> near = {Flow{0, 0, 1, MTU}};
    const std::vector<Flow> far = {Flow{0, 0, graph.HostCount() - 1, MTU}};
    const double toNear = CompletionBoundPs(graph, near, parameters);
    const double toFar = CompletionBoundPs(graph, far, parameters);
    const double published = PublishedBoundPs(MTU, 1, 6, parameters);
    parameters.switchLatencyPs = 300'000;
    parameters.nicLatencyPs = 1'000'000;
    EXPECT_EQ(CompletionBoundPs(graph, near, parameters), toNear + 2 * 1'300'000);
    EXPECT_EQ(CompletionBoundPs(graph, far, parameters), toFar + 2 * 2'500'000);
    EXPECT_EQ(PublishedBoundPs(MTU, 1, 6, parameters), published + 2 * 2'500'000);
    std::mt19937 random(1);
    const auto taken = Simulate(graph, far, parameters, Discipline::ALTERNATE, random);
    EXPECT_EQ(taken, CompletionBoundPs(graph, far, parameters));
    for (int64_t wrong : {int64_t{-1}, int64_t{2'000'000'000'000'000}})
    {
        BoundParameters refused;
        refused.switchLatencyPs = wrong;
        EXPECT_THROW(CompletionBoundPs(graph, far, refused), std::invalid_argument);
        std::swap(refused.switchLatencyPs, refused.nicLatencyPs);
        EXPECT_THROW(CompletionBoundPs(graph, far, refused), std::invalid_argument);
    }
}

TEST(PublishedBound, AllToAll)
{
    BoundParameters defaults;
    EXPECT_NEAR(PublishedBoundPs(MTU, 127, 6, defaults) / PS_PER_US, 11.559, 0.0005);
    EXPECT_NEAR(PublishedBoundPs(4 * MTU, 127, 6, defaults) / PS_PER_US, 27.797, 0.0005);
    EXPECT_NEAR(PublishedBoundPs(16 * MTU, 127, 6, defaults) / PS_PER_US, 92.750, 0.0005);
}

/// Ten times slower links take ten times longer where propagation does not count.
TEST(PublishedBound, OtherRates)
{
    BoundParameters fast;
    fast.linkDelayPs = 0;
    auto slow = fast;
    slow.linkRate = fast.linkRate / 8;
    EXPECT_DOUBLE_EQ(PublishedBoundPs(256 * MTU, 1, 6, slow),
                     8 * PublishedBoundPs(256 * MTU, 1, 6, fast));
}

/// With failures the slots of data and ACKs grow by the rate factor.
TEST(PublishedBound, RateFactor)
{
    BoundParameters slowed;
    slowed.rateFactor = 0.75;
    constexpr double SLOT = (FULL_FRAME + GAP) / 0.75;
    constexpr double ACK_SLOT = (ACK_FRAME + GAP) / 0.75;
    EXPECT_EQ(PublishedI1(6, slowed), 59U);
    EXPECT_NEAR(PublishedBoundPs(256 * MTU, 1, 6, slowed),
                255 * SLOT + (256 - 59) * ACK_SLOT + 12 * DELAY + 6 * (FULL_FRAME + ACK_FRAME) +
                    GAP,
                1);
}

/// The bound grows with the message, also through a last packet of any length.
TEST(PublishedBound, GrowsWithEachByte)
{
    BoundParameters defaults;
    for (uint64_t messages : {1, 127})
    {
        double last = 0;
        for (uint64_t bytes = 1; bytes < 5 * MTU; bytes += 3)
        {
            auto bound = PublishedBoundPs(bytes, messages, 6, defaults);
            // The count of packets before the first ACK is a mean over short and full ones.
            ASSERT_GE(bound, last - (messages > 1 ? 127 * (ACK_FRAME + GAP) : 0)) << bytes;
            last = bound;
        }
    }
}

/// Two hosts that exchange one message each over a single path complete one gap before the
/// published bound, and a single message does without the ACKs amid its data.
TEST(PublishedBound, EmptyFabricComesWithinAGap)
{
    BoundParameters defaults;
    auto graph = MakeFatTree({2, 1, {}});
    std::mt19937 random(1);
    for (uint64_t packets : {1, 2, 77, 78, 79, 256, 1024})
    {
        auto bytes = packets * MTU;
        auto published = PublishedBoundPs(bytes, 1, 6, defaults);
        std::vector<Flow> exchange = {{0, 0, 1, bytes}, {0, 1, 0, bytes}};
        auto both = Simulate(graph, exchange, defaults, Discipline::ALTERNATE, random);
        EXPECT_EQ(static_cast<double>(both), published - GAP) << packets;
        std::vector<Flow> single = {exchange[0]};
        auto alone = Simulate(graph, single, defaults, Discipline::ALTERNATE, random);
        auto acks = packets > 78 ? static_cast<double>(packets - 78) * (ACK_FRAME + GAP) : 0.0;
        EXPECT_EQ(static_cast<double>(alone), published - GAP - acks) << packets;
    }
}

/// Where packets are sprayed over many paths, ACKs overtake a few data frames of their host, one a
/// hop, and go before them on the last links: some nanoseconds more.
TEST(PublishedBound, SprayedExchangeTakesAFewAcksLonger)
{
    BoundParameters defaults;
    auto graph = MakeFatTree({8, 1, {}});
    std::mt19937 random(1);
    std::vector<Flow> exchange = {{0, 0, 127, 256 * MTU}, {0, 127, 0, 256 * MTU}};
    auto both = Simulate(graph, exchange, defaults, Discipline::ALTERNATE, random);
    auto published = PublishedBoundPs(256 * MTU, 1, 6, defaults);
    EXPECT_GE(static_cast<double>(both), published - GAP);
    EXPECT_LE(static_cast<double>(both), published + 7 * (ACK_FRAME + GAP));
}

/// One message on an empty fabric takes as long as its bound, whatever its size and distance.
TEST(CompletionBound, IsExactForASingleMessage)
{
    BoundParameters defaults;
    auto graph = MakeFatTree({4, 1, {}});
    std::mt19937 random(2);
    for (uint32_t destination : {1U, 2U, 15U})
    {
        for (uint64_t bytes : {1UL, 64UL, 4095UL, 4096UL, 4097UL, 8192UL, 12000UL, 1000001UL})
        {
            std::vector<Flow> flows = {{777, 0, destination, bytes}};
            auto bound = CompletionBoundPs(graph, flows, defaults);
            auto time = Simulate(graph, flows, defaults, Discipline::ALTERNATE, random);
            // A last packet that is much shorter may wait for its turn behind a full one.
            ASSERT_LE(bound, static_cast<double>(time)) << bytes;
            ASSERT_GE(bound, static_cast<double>(time) - FULL_FRAME) << bytes;
            if (bytes % MTU == 0 || bytes < MTU)
            {
                ASSERT_EQ(bound, static_cast<double>(time)) << bytes;
            }
        }
    }
}

/// Close to the published value for permutations between pods, and never above it.
TEST(CompletionBound, StaysCloseToThePublishedBound)
{
    BoundParameters defaults;
    auto graph = MakeFatTree({8, 1, {}});
    for (uint64_t packets : {1, 8, 64, 128, 256, 1024, 4096})
    {
        std::vector<Flow> flows;
        for (uint32_t source = 0; source < 128; ++source)
        {
            flows.push_back({0, source, (source + 16) % 128, packets * MTU});
        }
        auto published = PublishedBoundPs(packets * MTU, 1, 6, defaults);
        auto bound = CompletionBoundPs(graph, flows, defaults);
        EXPECT_LE(bound, published - GAP) << packets;
        EXPECT_GE(bound, published * (1 - 0.0004)) << packets;
    }
}

/// n-to-1: the link of the receiver is busy all the time, and before and after it the way.
TEST(CompletionBound, IncastFillsTheLinkOfTheReceiver)
{
    BoundParameters defaults;
    auto graph = MakeFatTree({8, 1, {}});
    std::vector<Flow> flows;
    for (uint32_t source = 64; source < 96; ++source)
    {
        flows.push_back({0, source, 0, 64 * MTU});
    }
    EXPECT_EQ(CompletionBoundPs(graph, flows, defaults),
              5 * (FULL_FRAME + DELAY) + 32 * 64 * (FULL_FRAME + GAP) - GAP + DELAY +
                  6 * (ACK_FRAME + DELAY));
    // A sender below the receiver's own leaf can be served while the others are on their way.
    flows.push_back({0, 1, 0, 64 * MTU});
    EXPECT_EQ(CompletionBoundPs(graph, flows, defaults),
              5 * (FULL_FRAME + DELAY) + 32 * 64 * (FULL_FRAME + GAP) - GAP + DELAY +
                  6 * (ACK_FRAME + DELAY));
}

/// Where a leaf has more hosts than uplinks, its uplinks decide.
TEST(CompletionBound, SeesOversubscription)
{
    BoundParameters defaults;
    auto graph = MakeLeafSpine({2, 2, 8});
    std::vector<Flow> flows;
    for (uint32_t host = 0; host < 8; ++host)
    {
        flows.push_back({0, host, host + 8, 1000 * MTU});
    }
    EXPECT_GT(CompletionBoundPs(graph, flows, defaults), 4 * 1000 * (FULL_FRAME + GAP));
    EXPECT_LT(CompletionBoundPs(graph, flows, defaults), 4 * 1000 * (FULL_FRAME + GAP) + 5e6);
}

/// The same if only what leaves a leaf has to share its uplinks, or only what comes to one.
TEST(CompletionBound, SeesOversubscriptionOfEitherDirection)
{
    auto graph = MakeLeafSpine({9, 1, 8});
    std::vector<Flow> leaving, coming;
    for (uint32_t host = 0; host < 8; ++host)
    {
        const uint32_t other = 8 * (host + 1);
        leaving.push_back({0, host, other, 1000 * MTU});
        coming.push_back({0, other, host, 1000 * MTU});
    }
    for (const auto& flows : {leaving, coming})
    {
        const auto bound = CompletionBoundPs(graph, flows, BoundParameters());
        EXPECT_GT(bound, 8 * 1000 * (FULL_FRAME + GAP));
        EXPECT_LT(bound, 8 * 1000 * (FULL_FRAME + GAP) + 5e6);
    }
}

/// Paced data takes its time even if nothing else happens.
TEST(CompletionBound, SeesPacing)
{
    BoundParameters paced;
    paced.rateFactor = 0.5;
    auto graph = MakeFatTree({4, 1, {}});
    std::vector<Flow> flows = {{0, 0, 15, 100 * MTU}};
    EXPECT_EQ(CompletionBoundPs(graph, flows, paced),
              99 * 2 * (FULL_FRAME + GAP) + 6 * (FULL_FRAME + ACK_FRAME + 2 * DELAY));
}

/// Several ports share the rate, but a frame occupies one port, at the port's rate.
TEST(CompletionBound, SeesPacingOfSeveralPorts)
{
    constexpr uint32_t PLANES = 4;
    auto graph = MakeFatTree({4, PLANES, {}});
    for (double factor : {0.125, 0.25, 0.5})
    {
        BoundParameters paced;
        paced.rateFactor = factor;
        for (uint32_t packets : {1, 2, 3, 100})
        {
            std::vector<Flow> flows = {{0, 0, 15, packets * MTU}};
            EXPECT_EQ(CompletionBoundPs(graph, flows, paced),
                      (packets - 1) * (FULL_FRAME + GAP) / (PLANES * factor) +
                          6 * (FULL_FRAME + ACK_FRAME + 2 * DELAY));
        }
    }
}

/// A flow that starts later shifts the bound, and no flows mean no time.
TEST(CompletionBound, CountsFromTheStart)
{
    BoundParameters defaults;
    auto graph = MakeFatTree({4, 1, {}});
    auto early = CompletionBoundPs(graph, {{0, 0, 15, MTU}}, defaults);
    auto late = CompletionBoundPs(graph, {{12345, 0, 15, MTU}}, defaults);
    EXPECT_EQ(late, early + 12345);
    EXPECT_EQ(CompletionBoundPs(graph, {}, defaults), 0);
}

/// @return messages as random pieces, each a message of its own
/// @param flows the messages, which learn how many pieces they have
std::vector<Flow>
Divide(std::vector<Flow>& flows, std::mt19937& random)
{
    std::vector<Flow> all;
    const uint32_t most = AnyOf<uint32_t>({2, 4, 16}, random);
    for (auto& flow : flows)
    {
        flow.pieces = 1 + random() % std::min<uint64_t>(flow.bytes, most);
        const bool isEven = random() % 2;
        uint64_t left = flow.bytes;
        for (uint32_t after = flow.pieces; after-- > 0;)
        {
            Flow piece = flow;
            piece.pieces = 1;
            const uint64_t room = left - after; // a piece has a byte at least
            piece.bytes = after == 0 ? left : isEven ? left / (after + 1) : 1 + random() % room;
            left -= piece.bytes;
            all.push_back(piece);
        }
    }
    return all;
}

/// It holds of messages that are divided, whose last packets are many and short.
TEST(CompletionBound, IsNeverBeatenByPieces)
{
    const std::vector<FabricGraph> graphs = {
        MakeFatTree({4, 1, {}}),
        MakeThreeTier({2, 3, 2, 4, 5}),
        MakeLeafSpine({3, 1, 4}),
        MakeLeafSpine({2, 2, 3, 2, 3}),
    };
    std::mt19937 random(7);
    uint32_t beaten = 0;
    for (uint32_t run = 0; run < 600; ++run)
    {
        const auto& graph = AnyOf(graphs, random);
        auto discipline = AnyOf(DISCIPLINES, random);
        auto parameters = RandomParameters(discipline, random);
        auto flows = RandomTraffic(graph.HostCount(), random);
        const auto whole = CompletionBoundPs(graph, flows, parameters);
        const auto pieces = Divide(flows, random);
        const auto bound = CompletionBoundPs(graph, flows, parameters);
        const auto time =
            static_cast<double>(Simulate(graph, pieces, parameters, discipline, random));
        ASSERT_LE(bound, whole) << "run " << run;
        ASSERT_GE(time, bound) << "run " << run;
        beaten += time < whole;
    }
    EXPECT_GT(beaten, 0); // what whole messages cannot do
}

/// Messages that are long against their pieces lose next to nothing of their bound.
TEST(CompletionBound, HardlyFallsWithPieces)
{
    const auto graph = MakeLeafSpine({4, 4, 4});
    Flow flow{0, 0, 15, 256 * MTU};
    const auto whole = CompletionBoundPs(graph, {flow}, {});
    flow.pieces = 4;
    const auto divided = CompletionBoundPs(graph, {flow}, {});
    EXPECT_LT(divided, whole);
    EXPECT_GT(divided, whole - 3 * FULL_FRAME - 4 * 2);
}

/// The law: no simulation completes before its bound, whatever the fabric, traffic and NIC, and
/// whether links between switches are slower or faster.
TEST(CompletionBound, IsNeverBeaten)
{
    constexpr uint32_t RUNS = 900;
    const std::vector<FabricGraph> graphs = {
        MakeFatTree({2, 1, {}}),
        MakeFatTree({4, 1, {}}),
        MakeFatTree({4, 1, 5}),
        MakeFatTree({4, 2, {}}),
        MakeThreeTier({2, 3, 2, 4, 5}),
        MakeLeafSpine({2, 2, 2}),
        MakeLeafSpine({3, 1, 4}),
        MakeLeafSpine({2, 2, 3, 2, 3}),
        MakeLeafSpine({1, 1, 4}),
    };
    std::mt19937 random(99);
    double closest = std::numeric_limits<double>::max();
    for (uint32_t run = 0; run < RUNS; ++run)
    {
        const auto& graph = AnyOf(graphs, random);
        auto discipline = AnyOf(DISCIPLINES, random);
        auto parameters = RandomParameters(discipline, random);
        const uint64_t rates[] = {0, parameters.linkRate / 3, 4 * parameters.linkRate};
        parameters.fabricRate = rates[random() % 3];
        auto flows = RandomTraffic(graph.HostCount(), random);
        auto bound = CompletionBoundPs(graph, flows, parameters);
        auto time = Simulate(graph, flows, parameters, discipline, random);
        ASSERT_GE(static_cast<double>(time), bound) << "run " << run;
        closest = std::min(closest, static_cast<double>(time) / bound);
    }
    EXPECT_LT(closest, 1.001); // and the bound is not vacuous
}

TEST(CompletionBound, AcknowledgementsBesideTheFabric)
{
    constexpr uint32_t PACKETS = 256;
    BoundParameters beside;
    beside.acksInFabric = false;
    auto graph = MakeFatTree({8, 1, {}});
    // Two hosts of two pods send to each other: each completes as if it were alone.
    std::vector<Flow> exchange{{0, 0, 127, PACKETS * MTU}, {0, 127, 0, PACKETS * MTU}};
    auto alone = (PACKETS - 1) * (FULL_FRAME + GAP) + 6 * (FULL_FRAME + ACK_FRAME + 2 * DELAY);
    EXPECT_EQ(CompletionBoundPs(graph, exchange, beside), alone);
    EXPECT_GT(CompletionBoundPs(graph, exchange, {}), alone);
    EXPECT_EQ(PublishedBoundPs(PACKETS * MTU, 1, 6, beside), alone + GAP);
}

TEST(CompletionBound, FasterLinksBetweenSwitches)
{
    constexpr uint32_t PACKETS = 256;
    BoundParameters parameters;
    parameters.acksInFabric = false;
    parameters.fabricRate = 4 * parameters.linkRate;
    auto graph = MakeThreeTier({8, 4, 4, 16, 16});
    const std::vector<Flow> one{{0, 0, 511, PACKETS * MTU}};
    const auto way = [](double frame) { return 2 * frame + 4 * std::floor(frame / 4); };
    const auto host =
        (PACKETS - 1) * (FULL_FRAME + GAP) + 12 * DELAY + way(FULL_FRAME) + way(ACK_FRAME);
    EXPECT_EQ(CompletionBoundPs(graph, one, parameters), host);
    EXPECT_EQ(PublishedBoundPs(PACKETS * MTU, 1, 6, parameters), host + GAP);
    // A leaf of 16 hosts has uplinks for 16; slower ones hold its hosts back.
    std::vector<Flow> all;
    for (uint32_t i = 0; i < 16; ++i)
    {
        all.push_back({0, i, 64 + i, PACKETS * MTU});
    }
    EXPECT_EQ(CompletionBoundPs(graph, all, parameters), host);
    parameters.fabricRate = parameters.linkRate;
    EXPECT_GT(CompletionBoundPs(graph, all, parameters), 4 * (PACKETS - 1) * (FULL_FRAME + GAP));
}

TEST(CompletionBound, RefusesBadParameters)
{
    auto graph = MakeFatTree({2, 1, {}});
    auto errorOf = [&](auto spoil) {
        BoundParameters parameters;
        spoil(parameters);
        return RefusalOf([&] { CompletionBoundPs(graph, {}, parameters); });
    };
    EXPECT_EQ(errorOf([](auto& p) { p.linkRate = 0; }),
              "linkRate: 0 bit/s is not in 1..100000000000000");
    EXPECT_EQ(errorOf([](auto& p) { p.linkDelayPs = -1; }),
              "linkDelayPs: -1 is not in 0..1000000000000000");
    EXPECT_EQ(errorOf([](auto& p) { p.payloadBytes = 0; }), "payloadBytes: 0 is less than 16");
    EXPECT_EQ(errorOf([](auto& p) { p.rateFactor = 0; }),
              "rateFactor: 0.000000 is not above 0 and at most 1");
    EXPECT_EQ(errorOf([](auto& p) { p.rateFactor = 1.5; }),
              "rateFactor: 1.500000 is not above 0 and at most 1");
}
