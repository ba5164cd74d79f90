/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core/collective-executor.h"
#include "fabric-test.h"

#include "ns3/ack-bypass.h"
#include "ns3/collective-layout.h"
#include "ns3/direct-algorithm.h"
#include "ns3/double-binary-tree-algorithm.h"
#include "ns3/ecmp-balancer.h"
#include "ns3/ethereal-steering.h"
#include "ns3/go-back-n-recovery.h"
#include "ns3/halving-doubling-algorithm.h"
#include "ns3/message-steering.h"
#include "ns3/oracle-recovery.h"
#include "ns3/pat-algorithm.h"
#include "ns3/recursive-doubling-algorithm.h"
#include "ns3/ring-algorithm.h"
#include "ns3/training-driver.h"
#include "ns3/workload-check.h"

#include <stdexcept>

/// Collectives and training iterations on a fabric.
static Suite g_collective("ai-fabric-collective");

namespace
{

constexpr uint32_t MTU = 4096;             //!< payload of a full packet, in bytes
constexpr int64_t MICROSECOND = 1'000'000; //!< in ps
/// What the first packet of a message is longer than others at 800 Gb/s, in ps: 16 bytes of RETH.
constexpr int64_t RETH_PS = 160;

/// A workload in which each host has a program of its own.
struct WorkloadMaker
{
    explicit WorkloadMaker(uint32_t hosts)
    {
        workload.programs.resize(hosts);
        workload.programOf.resize(hosts);
        std::iota(workload.programOf.begin(), workload.programOf.end(), 0);
    }

    /// @return index of a new communicator
    uint32_t AddCommunicator(const std::vector<uint32_t>& hosts)
    {
        const auto index = static_cast<uint32_t>(workload.communicators.size());
        workload.communicators.push_back({"c" + std::to_string(index), hosts});
        return index;
    }

    /// @return the new node: a delay
    uint32_t Compute(uint32_t host, int64_t ps, const std::vector<uint32_t>& after = {})
    {
        WorkloadNode node;
        node.name = "compute";
        node.durationPs = ps;
        return Add(host, node, after);
    }

    /// @return the new node: a part in an all-reduce
    uint32_t AllReduce(uint32_t host,
                       uint32_t communicator,
                       uint64_t bytes,
                       const std::vector<uint32_t>& after = {})
    {
        return Collective(host, communicator, CollectiveKind::ALL_REDUCE, bytes, after);
    }

    /// @return the new node: a part in a collective
    uint32_t Collective(uint32_t host,
                        uint32_t communicator,
                        CollectiveKind kind,
                        uint64_t bytes,
                        const std::vector<uint32_t>& after)
    {
        WorkloadNode node;
        node.name = "collective";
        node.kind = WorkloadNode::Kind::COLLECTIVE;
        node.collective = kind;
        node.communicator = communicator;
        node.bytes = bytes;
        return Add(host, node, after);
    }

    /// @return the new node: a message, or the wait for one
    uint32_t Message(WorkloadNode::Kind kind,
                     uint32_t host,
                     uint32_t peer,
                     uint64_t bytes,
                     uint32_t tag,
                     const std::vector<uint32_t>& after = {})
    {
        WorkloadNode node;
        node.name = kind == WorkloadNode::Kind::SEND ? "send" : "receive";
        node.kind = kind;
        node.peer = peer;
        node.bytes = bytes;
        node.tag = tag;
        return Add(host, node, after);
    }

    TrainingWorkload workload; //!< the workload

    /// @return index of a node
    uint32_t Add(uint32_t host, WorkloadNode node, const std::vector<uint32_t>& after)
    {
        node.dependencies = after;
        workload.programs[host].push_back(node);
        return static_cast<uint32_t>(workload.programs[host].size() - 1);
    }
};

/// How a run is made.
struct Setup
{
    FabricGraph graph{LeafSpine(1, 1, 4)};                     //!< the fabric
    TypeId balancer{EcmpBalancer::GetTypeId()};                //!< who spreads packets
    TypeId recovery{OracleRecovery::GetTypeId()};              //!< how loss is survived
    TypeId algorithm{RingAlgorithm::GetTypeId()};              //!< of collectives
    uint32_t channels{1};                                      //!< of collectives
    double loss{0};                                            //!< on links between switches
    int64_t disposePs{-1};                                     //!< the driver goes; -1: at the end
    int64_t stream{1};                                         //!< random streams
    std::string scheduler{"ns3::aifabric::MonotoneScheduler"}; //!< of events
};

/// A run of a workload from its begin to its end, on a fabric without acknowledgements.
struct TrainingRun
{
    /// What happened to a node or a message.
    struct Event
    {
        const WorkloadNode* node{nullptr}; //!< it has ended; or a message has come
        uint32_t which{0};                 //!< host of the node, or the message
        uint64_t sent{0};                  //!< messages sent until then
        int64_t ps{0};                     //!< when
    };

    TrainingRun(const Setup& setup, const TrainingWorkload& workload)
    {
        CheckWorkload(workload, setup.graph.HostCount());
        Simulator::SetScheduler(ObjectFactory(setup.scheduler));
        ClosHelper helper = ClosOf({{"RecoveryType", setup.recovery}});
        helper.SetBalancerType(setup.balancer);
        helper.SetAdmission(BufferFactory(1 << 30, 0));
        m_fabric = helper.Install(setup.graph);
        m_fabric->AssignStreams(setup.stream);
        Lose(setup);
        const std::vector<Ptr<RoceNetDevice>>& nics = m_fabric->GetNicList();
        m_bypass = CreateObject<AckBypass>();
        m_bypass->Install(setup.graph, nics);
        service = CreateObject<MessageService>();
        service->Install(nics);
        driver = CreateObject<TrainingDriver>();
        CollectiveDefaults defaults;
        defaults.algorithm = setup.algorithm;
        defaults.channels = setup.channels;
        driver->Install(service, workload, defaults, MTU);
        Follow();
        if (setup.disposePs >= 0)
        {
            Simulator::Schedule(PicoSeconds(setup.disposePs), &Object::Dispose, driver);
        }
        Simulator::Run();
        unfinished = driver->GetUnfinished();
        records = service->GetRecords();
        collectives = driver->GetCollectives();
        origins = driver->GetOrigins();
    }

    ~TrainingRun()
    {
        driver->Dispose();
        service->Dispose();
        m_bypass->Dispose();
        m_fabric->Dispose();
        Simulator::Destroy();
    }

    /// @return when a node of a host ended, the first of a name, in ps; -1 if it did not
    int64_t EndOf(uint32_t host, const std::string& name) const
    {
        const auto event = std::find_if(events.begin(), events.end(), [&](const Event& e) {
            return e.node && e.which == host && e.node->name == name;
        });
        return event != events.end() ? event->ps : -1;
    }

    Ptr<MessageService> service;               //!< carries the messages
    Ptr<TrainingDriver> driver;                //!< what is tested
    std::vector<Event> events;                 //!< in their order
    std::vector<int64_t> finished;             //!< when Finished was told
    uint64_t unfinished{0};                    //!< nodes that have not ended
    std::vector<FlowRecord> records;           //!< of messages
    std::vector<CollectiveRecord> collectives; //!< of collectives
    std::vector<MessageOrigin> origins;        //!< of messages

    /// Lose frames between switches.
    void Lose(const Setup& setup)
    {
        if (setup.loss == 0)
        {
            return;
        }
        const auto faults =
            Fail(*m_fabric, "spine-0", {{"Down", false}, {"LossProbability", setup.loss}});
        FailureHelper::AssignStreams(faults, setup.stream + 100000);
    }

    /// Write down what happens.
    void Follow()
    {
        Trace(*service, "Received", [this](uint32_t message, const FlowRecord&) {
            const uint64_t sent = service->GetStarted();
            events.push_back({nullptr, message, sent, FabricClock::Now()});
        });
        Trace(*driver, "NodeEnded", [this](uint32_t host, const WorkloadNode& node) {
            const uint64_t sent = service->GetStarted();
            events.push_back({&node, host, sent, FabricClock::Now()});
        });
        Trace(*driver, "Finished", [this]() { finished.push_back(FabricClock::Now()); });
    }

    Ptr<Fabric> m_fabric;    //!< the fabric
    Ptr<AckBypass> m_bypass; //!< who carries acknowledgements
};

/// What messages between two hosts cost.
struct Cost
{
    int64_t alphaPs;        //!< of a message
    int64_t packetPs;       //!< of a full packet, in addition
    int64_t acknowledgedPs; //!< from its arrival until its sender knows
};

/// @return the time of one message, in ps: until it has come, and then until it is acknowledged
/// @param packets length of the message, in packets
std::pair<int64_t, int64_t>
TimeOf(const Setup& setup, uint32_t packets)
{
    WorkloadMaker maker(setup.graph.HostCount());
    maker.Message(WorkloadNode::Kind::SEND, 0, 1, packets * MTU, 0);
    maker.Message(WorkloadNode::Kind::RECEIVE, 1, 0, packets * MTU, 0);
    const TrainingRun run(setup, maker.workload);
    const FlowRecord& record = run.records.at(0);
    return {record.receivedAt.GetPicoSeconds(),
            (record.completedAt - record.receivedAt).GetPicoSeconds()};
}

/// @return what messages cost
Cost
Measure(const Setup& setup)
{
    const auto [shortPs, acknowledgedPs] = TimeOf(setup, 2);
    const int64_t packetPs = TimeOf(setup, 3).first - shortPs;
    return {shortPs - 2 * packetPs, packetPs, acknowledgedPs};
}

/// @return the largest k with 2^k <= n
int64_t
Log2(uint32_t n)
{
    int64_t log = 0;
    while (n >>= 1)
    {
        ++log;
    }
    return log;
}

} // namespace

/// What the messages of a run carry, in the order in which they came, makes each rank end with each
/// contribution once; and each message is sent when all is there that it has to wait for, not
/// earlier and not later. The fabric sprays packets over its paths and loses some.
struct CollectiveDataFlowTestCase : FabricTestCase
{
    void Check(uint32_t seed)
    {
        m_seed = seed;
        std::mt19937 random(m_seed);
        const auto draw = [&random](uint32_t low, uint32_t high) {
            return low + random() % (high - low + 1);
        };
        const std::vector<TypeId> algorithms{DirectAlgorithm::GetTypeId(),
                                             DoubleBinaryTreeAlgorithm::GetTypeId(),
                                             HalvingDoublingAlgorithm::GetTypeId(),
                                             PatAlgorithm::GetTypeId(),
                                             RecursiveDoublingAlgorithm::GetTypeId(),
                                             RingAlgorithm::GetTypeId()};
        Setup setup;
        setup.graph = LeafSpine(3, 2, 3);
        setup.balancer = TypeId::LookupByName("ns3::aifabric::HostRandomBalancer");
        setup.recovery = GoBackNRecovery::GetTypeId();
        setup.loss = m_seed % 2 * 0.01;
        setup.stream = m_seed;
        setup.algorithm = algorithms[m_seed % algorithms.size()];
        setup.channels = draw(1, 3);
        Default("CollectiveAlgorithm::Chunks", draw(1, 3));
        std::vector<uint32_t> hosts(setup.graph.HostCount());
        std::iota(hosts.begin(), hosts.end(), 0);
        std::shuffle(hosts.begin(), hosts.end(), random);
        hosts.resize(draw(2, hosts.size()));

        WorkloadMaker maker(setup.graph.HostCount());
        const uint32_t communicator = maker.AddCommunicator(hosts);
        const CollectiveKind kind = DrawKind(setup, random);
        const uint64_t bytes = draw(1, 100000);
        for (const uint32_t host : hosts)
        {
            const uint32_t before = maker.Compute(host, draw(0, 3 * MICROSECOND));
            maker.Collective(host, communicator, kind, bytes, {before});
        }
        const TrainingRun run(setup, maker.workload);
        NS_TEST_ASSERT_MSG_EQ(run.unfinished, 0, "all ends");
        NS_TEST_ASSERT_MSG_EQ(run.finished.size(), 1, "once");
        NS_TEST_ASSERT_MSG_EQ(run.collectives.size(), 1, "one collective");
        std::string broken;
        try
        {
            Replay(run, run.collectives[0]);
        }
        catch (const std::runtime_error& error)
        {
            broken = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(broken, "", NameOf(kind) << " by " << setup.algorithm);
        CheckRecord(run, run.collectives[0]);
    }

    /// @return a kind that the algorithm can do
    static CollectiveKind DrawKind(const Setup& setup, std::mt19937& random)
    {
        const auto algorithm =
            ObjectFactory(setup.algorithm.GetName()).Create<CollectiveAlgorithm>();
        CollectiveKind kind = CollectiveKind::ALL_REDUCE;
        do
        {
            kind = COLLECTIVE_KINDS[random() % COLLECTIVE_KINDS.size()];
        } while (!algorithm->Supports(kind));
        return kind;
    }

    /// Follow the data.
    void Replay(const TrainingRun& run, const CollectiveRecord& record)
    {
        const CollectiveLayout layout(record.spec);
        std::vector<CollectiveExecutor> executors(
            record.spec.channels,
            CollectiveExecutor(layout.GetAlgorithm(), m_seed));
        const auto count = [&executors]() {
            uint64_t sent = 0;
            for (const CollectiveExecutor& executor : executors)
            {
                sent += executor.CountSent();
            }
            return sent;
        };
        const std::vector<uint32_t>& hosts = record.spec.hosts;
        for (const TrainingRun::Event& event : run.events)
        {
            NS_TEST_EXPECT_MSG_EQ(event.sent, count(), "sent at once when all is there");
            if (!event.node)
            {
                const MessageOrigin& origin = run.origins.at(event.which);
                executors.at(layout.ChannelOf(origin.slice))
                    .Deliver(origin.sender,
                             origin.receiver,
                             layout.LaneOf(origin.slice),
                             origin.step);
            }
            else if (event.node->kind == WorkloadNode::Kind::COMPUTE)
            {
                const auto rank = std::find(hosts.begin(), hosts.end(), event.which);
                for (CollectiveExecutor& executor : executors)
                {
                    executor.Start(static_cast<uint32_t>(rank - hosts.begin()));
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(run.records.size(), count(), "all is sent");
        for (const CollectiveExecutor& executor : executors)
        {
            executor.CheckEnd();
        }
    }

    /// Check what is kept of a collective against its messages.
    void CheckRecord(const TrainingRun& run, const CollectiveRecord& record)
    {
        uint64_t bytes = 0;
        int64_t first = INT64_MAX;
        int64_t last = 0;
        std::vector<CollectiveRecord::Step> steps(record.steps.size());
        for (uint32_t i = 0; i < run.records.size(); ++i)
        {
            const FlowRecord& message = run.records[i];
            const MessageOrigin& origin = run.origins[i];
            NS_TEST_EXPECT_MSG_EQ(message.flow.source,
                                  record.spec.hosts[origin.sender],
                                  "ranks are where they are mapped to");
            NS_TEST_EXPECT_MSG_EQ(message.flow.destination,
                                  record.spec.hosts[origin.receiver],
                                  "both");
            CollectiveRecord::Step& step = steps.at(origin.step);
            step.firstStartPs = step.messages++ ? std::min(step.firstStartPs, message.flow.startPs)
                                                : message.flow.startPs;
            step.bytes += message.flow.bytes;
            step.lastReceivedPs =
                std::max(step.lastReceivedPs, message.receivedAt.GetPicoSeconds());
            bytes += message.flow.bytes;
            first = std::min(first, message.flow.startPs);
            last = std::max(last, message.completedAt.GetPicoSeconds());
        }
        NS_TEST_EXPECT_MSG_EQ(record.messages, run.records.size(), "messages");
        NS_TEST_EXPECT_MSG_EQ(record.extent.messages, record.messages, "as planned");
        NS_TEST_EXPECT_MSG_EQ((bytes >= record.extent.bytes), true, "no less than planned");
        NS_TEST_EXPECT_MSG_EQ((bytes <= record.extent.bytes + 2 * record.messages),
                              true,
                              "and a byte or two a message more");
        NS_TEST_EXPECT_MSG_EQ((record.startPs <= first), true, "from the first rank's begin");
        NS_TEST_EXPECT_MSG_EQ(record.endPs, last, "to the last acknowledgement");
        for (uint32_t i = 0; i < steps.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(record.steps[i].messages, steps[i].messages, "step " << i);
            NS_TEST_EXPECT_MSG_EQ(record.steps[i].bytes, steps[i].bytes, "bytes of step " << i);
            NS_TEST_EXPECT_MSG_EQ(record.steps[i].firstStartPs,
                                  steps[i].firstStartPs,
                                  "begin of step " << i);
            NS_TEST_EXPECT_MSG_EQ(record.steps[i].lastReceivedPs,
                                  steps[i].lastReceivedPs,
                                  "end of step " << i);
        }
    }

    uint32_t m_seed; //!< of the random scenario
};

/// On one switch without any congestion but that of the collective itself, an all-reduce takes what
/// its messages take: alpha for each that waits for another, and the time of all packets that one
/// port has to carry in a row. Acknowledgements bypass the fabric, so the ports carry nothing else.
struct CollectiveCostTestCase : FabricTestCase
{
    /// Check all algorithms.  @param packets packets that one rank is to have of the vector
    void CheckPowerOfTwo(Setup setup, const Cost& cost, int64_t packets)
    {
        const uint32_t hosts = setup.graph.HostCount();
        const int64_t all = hosts * packets;
        const int64_t steps = Log2(hosts);
        CheckRing(setup, cost, packets);
        CheckDirect(setup, cost, packets);
        setup.algorithm = HalvingDoublingAlgorithm::GetTypeId();
        CheckTime(setup, cost, packets, 2 * steps, 2 * (all - packets), 0);
        setup.algorithm = RecursiveDoublingAlgorithm::GetTypeId();
        CheckTime(setup, cost, packets, steps, steps * all, 0);
        // Up and down log N levels. The root has one child, all others that are no leaves have two.
        // On the way up, their messages come to the parent by one port at the same time. On the way
        // down they leave it by one port, and share none after that: the longer packets are not the
        // last ones there.
        setup.algorithm = DoubleBinaryTreeAlgorithm::GetTypeId();
        CheckTime(setup, cost, packets, 2 * steps, (4 * steps - 2) * all, steps - 1);
    }

    void CheckRing(Setup setup, const Cost& cost, int64_t packets)
    {
        const int64_t others = setup.graph.HostCount() - 1;
        setup.algorithm = RingAlgorithm::GetTypeId();
        CheckTime(setup, cost, packets, 2 * others, 2 * others * packets, 0);
    }

    /// Check the direct algorithm: in each half, a port carries the messages of all others.
    void CheckDirect(Setup setup, const Cost& cost, int64_t packets)
    {
        const int64_t others = setup.graph.HostCount() - 1;
        setup.algorithm = DirectAlgorithm::GetTypeId();
        CheckTime(setup, cost, packets, 2, 2 * others * packets, 2 * (others - 1));
    }

    /// Run an all-reduce and check its time, to the picosecond.
    /// @param setup the fabric and the algorithm  @param messages that wait for each other
    /// @param serialized packets in a row, of all of them
    /// @param merged messages that a port has to carry besides these, packet by packet: each has a
    /// first packet of its own, which is longer than others
    void CheckTime(const Setup& setup,
                   const Cost& cost,
                   int64_t packets,
                   int64_t messages,
                   int64_t serialized,
                   int64_t merged)
    {
        const uint32_t hosts = setup.graph.HostCount();
        std::vector<uint32_t> ranks(hosts);
        std::iota(ranks.begin(), ranks.end(), 0);
        std::shuffle(ranks.begin(), ranks.end(), std::mt19937(hosts));
        WorkloadMaker maker(hosts);
        maker.AddCommunicator(ranks);
        for (uint32_t host = 0; host < hosts; ++host)
        {
            maker.AllReduce(host, 0, hosts * packets * MTU);
        }
        const TrainingRun run(setup, maker.workload);
        const CollectiveRecord& record = run.collectives.at(0);
        int64_t received = 0;
        for (const CollectiveRecord::Step& step : record.steps)
        {
            received = std::max(received, step.lastReceivedPs);
        }
        const int64_t expected =
            messages * cost.alphaPs + serialized * cost.packetPs + merged * RETH_PS;
        const std::string what = setup.algorithm.GetName() + ", " + std::to_string(hosts) +
                                 " ranks, " + std::to_string(packets) + " packets";
        NS_TEST_EXPECT_MSG_EQ(received, expected, what);
        NS_TEST_EXPECT_MSG_EQ(record.endPs,
                              received + cost.acknowledgedPs,
                              what << ": then the last acknowledgement");
    }
};

FABRIC_TEST_F(CollectiveCostTestCase,
              g_collective,
              "the time of an all-reduce is that of alpha and beta")
{
    Default("DoubleBinaryTreeAlgorithm::Trees", 1);
    for (const uint32_t hosts : {2, 4, 8, 16})
    {
        Setup setup;
        setup.graph = LeafSpine(1, 1, hosts);
        const Cost cost = Measure(setup);
        NS_TEST_ASSERT_MSG_GT(cost.alphaPs, 2 * MICROSECOND / 2, "two links of 500 ns");
        for (const int64_t packets : {1, 7}) // of a block
        {
            CheckPowerOfTwo(setup, cost, packets);
        }
    }
    for (const uint32_t hosts : {3, 5, 12})
    {
        Setup setup;
        setup.graph = LeafSpine(1, 1, hosts);
        const Cost cost = Measure(setup);
        CheckRing(setup, cost, 3);
        CheckDirect(setup, cost, 3);
    }
}

/// Delays, collectives and messages add up: what waits for what is what the workload says.
struct TrainingTimeTestCase : FabricTestCase
{
    void DoSetup() override
    {
        FabricTestCase::DoSetup();
        const Cost cost = Measure(m_setup);
        m_messagePs = cost.alphaPs + 4 * cost.packetPs;
        m_acknowledgedPs = cost.acknowledgedPs;
    }

    static constexpr uint64_t BYTES = 16 * MTU;    //!< of a vector, four packets a rank
    static constexpr int64_t LINK_DELAY = 500'000; //!< of the fabric's links, in ps

    /// @return how long a ring of all four hosts takes
    int64_t RingPs() const
    {
        return 6 * m_messagePs + m_acknowledgedPs;
    }

    /// One host is late.  @param barrier whether the others wait for it
    void CheckBarrier(bool barrier)
    {
        WorkloadMaker maker(4);
        maker.AddCommunicator({0, 1, 2, 3});
        maker.workload.barrier = barrier;
        for (uint32_t host = 0; host < 4; ++host)
        {
            const uint32_t before = maker.Compute(host, (host == 3 ? 50 : 1) * MICROSECOND);
            maker.AllReduce(host, 0, BYTES, {before});
        }
        const TrainingRun run(m_setup, maker.workload);
        const CollectiveRecord& record = run.collectives.at(0);
        // After a barrier, the others know that the last one has come when a link's delay is over.
        const int64_t known = barrier ? LINK_DELAY : 0;
        NS_TEST_EXPECT_MSG_EQ(record.startPs, (barrier ? 50 : 1) * MICROSECOND + known, "begin");
        // Without a barrier, what rank 0 gets of the late one in the first step is all that is
        // late.
        NS_TEST_EXPECT_MSG_EQ(record.endPs, 50 * MICROSECOND + known + RingPs(), "end");
        const FlowRecord& first = run.records.at(0);
        NS_TEST_EXPECT_MSG_EQ(first.flow.startPs, record.startPs, "the first message");
    }

    Setup m_setup;               //!< four hosts
    int64_t m_messagePs{0};      //!< time of a message of four packets
    int64_t m_acknowledgedPs{0}; //!< time of an acknowledgement
};

FABRIC_TEST_F(TrainingTimeTestCase, g_collective, "the times of a training iteration add up")
{
    CheckBarrier(false);
    CheckBarrier(true);
}

FABRIC_TEST_F(TrainingTimeTestCase, g_collective, "nothing begins after a barrier when all is over")
{
    WorkloadMaker maker(4);
    maker.AddCommunicator({0, 1, 2, 3});
    maker.workload.barrier = true;
    for (uint32_t host = 0; host < 4; ++host)
    {
        maker.AllReduce(host, 0, BYTES, {maker.Compute(host, MICROSECOND)});
    }
    m_setup.disposePs = MICROSECOND + LINK_DELAY / 2; // all have reached it, and none knows
    const TrainingRun run(m_setup, maker.workload);
    NS_TEST_EXPECT_MSG_EQ(run.service->GetStarted(), 0, "no message");
}

FABRIC_TEST_F(TrainingTimeTestCase, g_collective, "A delay, twice an all-reduce, a delay")
{
    WorkloadMaker maker(4);
    maker.AddCommunicator({2, 0, 3, 1});
    for (uint32_t host = 0; host < 4; ++host)
    {
        const uint32_t before = maker.Compute(host, 5 * MICROSECOND);
        const uint32_t first = maker.AllReduce(host, 0, BYTES, {before});
        const uint32_t second = maker.AllReduce(host, 0, BYTES, {first});
        maker.Compute(host, 7 * MICROSECOND, {second});
    }
    const TrainingRun run(m_setup, maker.workload);
    NS_TEST_ASSERT_MSG_EQ(run.collectives.size(), 2, "two");
    NS_TEST_EXPECT_MSG_EQ(run.collectives[0].startPs, 5 * MICROSECOND, "after the delay");
    NS_TEST_EXPECT_MSG_EQ(run.collectives[0].endPs, 5 * MICROSECOND + RingPs(), "the first");
    NS_TEST_EXPECT_MSG_EQ(run.collectives[1].startPs, run.collectives[0].endPs, "then");
    NS_TEST_EXPECT_MSG_EQ(run.collectives[1].endPs, 5 * MICROSECOND + 2 * RingPs(), "and");
    NS_TEST_ASSERT_MSG_EQ(run.finished.size(), 1, "finished once");
    NS_TEST_EXPECT_MSG_EQ(run.finished[0], 12 * MICROSECOND + 2 * RingPs(), "after a delay");
}

/// While a collective is under way, its hosts compute what does not wait for it.
FABRIC_TEST_F(TrainingTimeTestCase, g_collective, "Training time: overlap")
{
    WorkloadMaker maker(4);
    maker.AddCommunicator({0, 1, 2, 3});
    for (uint32_t host = 0; host < 4; ++host)
    {
        const uint32_t first = maker.Compute(host, 10 * MICROSECOND);
        const uint32_t reduce = maker.AllReduce(host, 0, BYTES, {first});
        const uint32_t second = maker.Compute(host, 100 * MICROSECOND, {first});
        maker.Compute(host, MICROSECOND, {reduce, second});
    }
    const TrainingRun run(m_setup, maker.workload);
    NS_TEST_EXPECT_MSG_EQ(run.collectives.at(0).endPs,
                          10 * MICROSECOND + RingPs(),
                          "beside the delay");
    NS_TEST_ASSERT_MSG_EQ(run.finished.size(), 1, "finished once");
    NS_TEST_EXPECT_MSG_EQ(run.finished[0], 111 * MICROSECOND, "the delay is longer");
}

/// Two pairs do not disturb each other; a host in two communicators serves both.
FABRIC_TEST_F(TrainingTimeTestCase, g_collective, "Training time: communicators")
{
    WorkloadMaker maker(4);
    maker.AddCommunicator({1, 0});
    maker.AddCommunicator({2, 3});
    maker.AddCommunicator({0, 1, 2, 3});
    for (uint32_t host = 0; host < 4; ++host)
    {
        const uint32_t pair = maker.AllReduce(host, host / 2, 8 * MTU);
        maker.AllReduce(host, 2, BYTES, {pair});
    }
    const TrainingRun run(m_setup, maker.workload);
    NS_TEST_ASSERT_MSG_EQ(run.collectives.size(), 3, "three");
    const int64_t pairPs = 2 * m_messagePs + m_acknowledgedPs;
    NS_TEST_EXPECT_MSG_EQ(run.collectives[0].endPs, pairPs, "one pair");
    NS_TEST_EXPECT_MSG_EQ(run.collectives[1].endPs, pairPs, "the other pair");
    NS_TEST_EXPECT_MSG_EQ(run.collectives[2].endPs, pairPs + RingPs(), "all");
    for (uint32_t i = 0; i < run.origins.size(); ++i)
    {
        const CollectiveRecord& of = run.collectives.at(run.origins[i].collective);
        NS_TEST_EXPECT_MSG_EQ(of.spec.hosts.at(run.origins[i].sender),
                              run.records[i].flow.source,
                              "message " << i);
    }
}

/// A receive ends when its message has come, whoever is first; messages with the same tag match by
/// their place, even if one overtakes another.
struct TrainingMessageTestCase : FabricTestCase
{
    /// The receives of two tags are in the other order.
    void CheckTags(const Setup& setup)
    {
        WorkloadMaker maker(4);
        const uint32_t send = maker.Message(Kind::SEND, 0, 1, 100 * MTU, 1);
        maker.Message(Kind::SEND, 0, 1, MTU, 2, {send});
        maker.workload.programs[0][0].name = "tag 1";
        const uint32_t second = maker.Message(Kind::RECEIVE, 1, 0, MTU, 2);
        maker.Message(Kind::RECEIVE, 1, 0, 100 * MTU, 1, {second});
        maker.workload.programs[1][0].name = "tag 2";
        const TrainingRun run(setup, maker.workload);
        NS_TEST_EXPECT_MSG_EQ(run.unfinished, 0, "all ends");
        const int64_t arrived = run.records.at(1).receivedAt.GetPicoSeconds();
        NS_TEST_EXPECT_MSG_EQ(run.EndOf(1, "tag 2"), arrived, "when its own message has come");
        NS_TEST_EXPECT_MSG_EQ(run.EndOf(1, "receive"), arrived, "its message was there already");
    }

    /// A short message overtakes a long one that was sent before.
    void CheckOvertaking(Setup setup)
    {
        const TypeId steering = EtherealSteering::GetTypeId();
        Default("MessageService::SteeringType", steering);
        setup.graph = LeafSpine(2, 2, 2);
        setup.balancer =
            ObjectFactory(steering.GetName()).Create<MessageSteering>()->GetBalancer().value();
        WorkloadMaker maker(4);
        maker.Message(Kind::SEND, 0, 2, 100 * MTU, 0);
        maker.Message(Kind::SEND, 0, 2, MTU, 0);
        maker.Message(Kind::RECEIVE, 2, 0, 100 * MTU, 0);
        maker.Message(Kind::RECEIVE, 2, 0, MTU, 0);
        maker.workload.programs[2][0].name = "long";
        const TrainingRun run(setup, maker.workload);
        const Time first = run.records.at(0).receivedAt;
        const Time second = run.records.at(1).receivedAt;
        NS_TEST_ASSERT_MSG_LT(second, first, "it overtakes");
        NS_TEST_EXPECT_MSG_EQ(run.EndOf(2, "long"), first.GetPicoSeconds(), "the long one");
        NS_TEST_EXPECT_MSG_EQ(run.EndOf(2, "receive"), second.GetPicoSeconds(), "the short one");
    }

    using Kind = WorkloadNode::Kind; //!< of nodes
};

FABRIC_TEST_F(TrainingMessageTestCase, g_collective, "sends and receives match by tag and place")
{
    Setup setup;
    const Cost cost = Measure(setup);
    const int64_t messagePs = cost.alphaPs + cost.packetPs;
    for (const int64_t late : {0, 50})
    {
        WorkloadMaker maker(4);
        maker.Message(Kind::SEND, 0, 1, MTU, 7);
        const uint32_t before = maker.Compute(1, late * MICROSECOND);
        maker.Message(Kind::RECEIVE, 1, 0, MTU, 7, {before});
        const TrainingRun run(setup, maker.workload);
        NS_TEST_EXPECT_MSG_EQ(run.EndOf(0, "send"), messagePs + cost.acknowledgedPs, "sent");
        NS_TEST_EXPECT_MSG_EQ(run.EndOf(1, "receive"),
                              std::max(messagePs, late * MICROSECOND),
                              "received");
    }
    CheckTags(setup);
    CheckOvertaking(setup);
}

/// Many nodes that end as soon as they begin follow each other: none is called by the one before.
struct TrainingChainTestCase : FabricTestCase
{
    static constexpr uint32_t LENGTH = 100'000; //!< of a chain
};

/// All messages are there when the first is waited for.
FABRIC_TEST_F(TrainingChainTestCase, g_collective, "Training chain: receives")
{
    WorkloadMaker maker(4);
    std::vector<uint32_t> after{maker.Compute(1, 20000 * MICROSECOND)};
    for (uint32_t i = 0; i < LENGTH; ++i)
    {
        maker.Message(WorkloadNode::Kind::SEND, 0, 1, 1, i % 2);
        after = {maker.Message(WorkloadNode::Kind::RECEIVE, 1, 0, 1, i % 2, after)};
    }
    const TrainingRun run(Setup(), maker.workload);
    NS_TEST_ASSERT_MSG_EQ(run.finished.size(), 1, "finished once");
    NS_TEST_EXPECT_MSG_EQ(run.finished[0], 20000 * MICROSECOND, "all at once");
}

/// A rank that neither sends nor receives is done with each collective when it begins it.
FABRIC_TEST_F(TrainingChainTestCase, g_collective, "Training chain: bystander")
{
    Setup setup;
    setup.graph = LeafSpine(1, 1, 3);
    setup.algorithm = DirectAlgorithm::GetTypeId();
    WorkloadMaker maker(3);
    maker.AddCommunicator({0, 1, 2});
    for (uint32_t host = 0; host < 3; ++host)
    {
        std::vector<uint32_t> after;
        for (uint32_t i = 0; i < LENGTH / 5; ++i)
        {
            after = {maker.Collective(host, 0, CollectiveKind::SEND_RECEIVE, 1, after)};
        }
    }
    const TrainingRun run(setup, maker.workload);
    NS_TEST_EXPECT_MSG_EQ(run.unfinished, 0, "all ends");
    NS_TEST_EXPECT_MSG_EQ(run.finished.size(), 1, "finished once");
    NS_TEST_EXPECT_MSG_EQ(run.collectives.size(), LENGTH / 5, "all collectives");
    NS_TEST_EXPECT_MSG_EQ(run.records.size(), LENGTH / 5, "a message each");
}

FABRIC_TEST_F(TrainingChainTestCase, g_collective, "Delays alone, and none at all")
{
    WorkloadMaker maker(4);
    std::vector<uint32_t> after;
    for (uint32_t i = 0; i < LENGTH; ++i)
    {
        after = {maker.Compute(2, 0, after)};
    }
    maker.Compute(3, 3 * MICROSECOND);
    const TrainingRun run(Setup(), maker.workload);
    NS_TEST_ASSERT_MSG_EQ(run.finished.size(), 1, "finished once");
    NS_TEST_EXPECT_MSG_EQ(run.finished[0], 3 * MICROSECOND, "with the longest");
    NS_TEST_EXPECT_MSG_EQ(run.events.size(), LENGTH + 1, "each node has ended once");
}

/// A driver that is disposed of begins nothing more; what is on its way arrives.
struct TrainingDisposeTestCase : FabricTestCase
{
    static constexpr uint32_t COLLECTIVES = 10; //!< one after the other
};

FABRIC_TEST_F(TrainingDisposeTestCase, g_collective, "a driver that is disposed of")
{
    WorkloadMaker maker(4);
    maker.AddCommunicator({0, 1, 2, 3});
    for (uint32_t host = 0; host < 4; ++host)
    {
        std::vector<uint32_t> after;
        for (uint32_t i = 0; i < COLLECTIVES; ++i)
        {
            after = {maker.Collective(host, 0, CollectiveKind::ALL_REDUCE, 100000, after)};
            after = {maker.Compute(host, MICROSECOND, after)};
        }
    }
    Setup setup;
    const int64_t end = TrainingRun(setup, maker.workload).finished.at(0);
    std::size_t begun = 0;
    for (const int64_t parts : {0, 1, 3, 5})
    {
        setup.disposePs = end * parts / 7;
        const TrainingRun run(setup, maker.workload);
        NS_TEST_EXPECT_MSG_EQ(run.service->GetCompleted(),
                              run.service->GetStarted(),
                              "what was sent comes");
        NS_TEST_EXPECT_MSG_EQ(run.finished.size(), 0, "it does not finish");
        NS_TEST_EXPECT_MSG_GT(run.unfinished, 0, "nor ends all nodes");
        NS_TEST_EXPECT_MSG_LT(run.collectives.size(), COLLECTIVES, "less begins");
        NS_TEST_EXPECT_MSG_GT(run.collectives.size(), begun, "the later, more");
        begun = run.collectives.size();
    }
}

/// Any scheduler of events gives the same run.
struct TrainingSchedulerTestCase : FabricTestCase
{
    /// @return all times of a run
    static std::vector<int64_t> Times(const std::string& scheduler)
    {
        Setup setup;
        setup.graph = LeafSpine(2, 2, 4);
        setup.balancer = TypeId::LookupByName("ns3::aifabric::HostRandomBalancer");
        setup.recovery = GoBackNRecovery::GetTypeId();
        setup.algorithm = DirectAlgorithm::GetTypeId();
        setup.loss = 0.01;
        setup.channels = 2;
        setup.scheduler = scheduler;
        WorkloadMaker maker(8);
        maker.AddCommunicator({0, 4, 1, 5, 2, 6});
        maker.AddCommunicator({3, 2, 5, 7});
        for (const uint32_t host : {0, 1, 2, 4, 5, 6})
        {
            maker.AllReduce(host, 0, 100000);
        }
        for (const uint32_t host : {2, 3, 5, 7})
        {
            maker.AllReduce(host, 1, 100000);
        }
        const TrainingRun run(setup, maker.workload);
        std::vector<int64_t> times;
        for (const FlowRecord& record : run.records)
        {
            times.push_back(record.flow.source);
            times.push_back(record.flow.startPs);
            times.push_back(record.receivedAt.GetPicoSeconds());
            times.push_back(record.completedAt.GetPicoSeconds());
        }
        for (const TrainingRun::Event& event : run.events)
        {
            times.push_back(event.which);
        }
        return times;
    }
};

FABRIC_TEST_F(TrainingSchedulerTestCase, g_collective, "the scheduler of events changes nothing")
{
    const std::vector<int64_t> times = Times("ns3::aifabric::MonotoneScheduler");
    NS_TEST_ASSERT_MSG_GT(times.size(), 100, "there are messages");
    for (const std::string scheduler : {"Map", "Heap", "List", "PriorityQueue"})
    {
        NS_TEST_EXPECT_MSG_EQ((Times("ns3::" + scheduler + "Scheduler") == times), true, scheduler);
    }
}

FABRIC_ROWS(g_collective)
{
    for (uint32_t seed = 0; seed < 30; ++seed)
    {
        rows.AddRow<CollectiveDataFlowTestCase>("random collective " + std::to_string(seed), seed);
    }
}
