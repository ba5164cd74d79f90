/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * Lossless, trimmed and lossy traffic and in-network aggregation in one switch buffer: who hurts
 * whom.
 *
 *             spine-0
 *            /       \              400 Gb/s between switches, 100 Gb/s to hosts, 500 ns a link
 *        leaf-0     leaf-1          switches with a shared buffer of 3 MB
 *        / .. \     / .. \
 *       0      7   8      15        host i sends to host i + 8
 *
 * Each host sends up to three messages at once: by a reliable connection with DCQCN in class 3,
 * which is lossless (PFC); by the spraying transport with NSCC in class 4, whose frames switches
 * trim; and by TCP of the host's own stack in class 0, whose frames switches drop. Also, the hosts
 * 0 to 7 may be the workers of an all-reduce that leaf-0 adds up as ESA does, in class 2, whose
 * frames switches drop; host 8 is the parameter server. A deficit round robin gives the classes
 * equal shares of each link. Eight hosts of 100 Gb/s share an uplink of 400 Gb/s, so each kind of
 * traffic alone but ESA offers twice what the uplink carries. Of ESA one sum of eight packets takes
 * the uplink.
 *
 * The program runs each kind alone, each pair, the three that are messages, and all, and prints for
 * each kind the goodput (bytes of its messages, or gradients, over the time of the last one), the
 * 99th percentile of the completion times, and what switches did.
 *
 * What to expect: no lossless frame is ever dropped, no frame of class 4 is dropped that could be
 * trimmed, and no sum is wrong. With --control=FixedControl (PFC alone) each class gets a third of
 * the uplink when the three send. DCQCN stays below its share, and the others use what it leaves.
 */

#include "ns3/aggregation-helper.h"
#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/fabric-ip-helper.h"
#include "ns3/function-callback.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr uint32_t SENDERS = 8; //!< hosts that send

/// A kind of traffic.
enum Kind : uint8_t
{
    RELIABLE, //!< a reliable connection with DCQCN, lossless
    SPRAYED,  //!< the spraying transport with NSCC, trimmed
    BY_TCP,   //!< TCP, lossy
    ADDED_UP, //!< an all-reduce that a switch adds up, lossy
    KINDS     //!< how many there are
};

constexpr std::array<const char*, KINDS> NAMES = {"rc", "spray+nscc", "tcp", "esa"};
constexpr std::array<uint8_t, KINDS> CLASSES = {3, 4, 0, 2}; //!< traffic classes of them

/// What has happened in a run.
struct Outcome
{
    std::string control;                            //!< congestion control of class 3
    std::array<std::vector<Time>, KINDS> completed; //!< messages
    std::array<uint64_t, 8> drops{};                //!< frames dropped by switches, by class
    uint64_t losslessDrops{0};                      //!< of these, of lossless classes
    uint64_t trimmed{0};                            //!< frames trimmed
    uint64_t wrong{0};                              //!< sums that are wrong
    uint64_t pauses{0};                             //!< pauses of a class of a port
};

/// Set what all runs have in common.
void
SetDefaults()
{
    Config::SetDefault("ns3::aifabric::SprayQueuePair::Dscp", UintegerValue(CLASSES[SPRAYED] << 3));
    Config::SetDefault("ns3::aifabric::SprayQueuePair::AckDscp",
                       UintegerValue(CLASSES[SPRAYED] << 3));
    Config::SetDefault("ns3::aifabric::DwrrEgressScheduler::Weights", StringValue("0-7:1"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(4096));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 22));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 22));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(1)));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(10)));
}

/// @return the fabric
Ptr<Fabric>
MakeFabric()
{
    ClosHelper::PrepareSimulator(); // for each simulation
    LeafSpineConfig config;
    config.leaves = 2;
    config.spines = 1;
    config.hostsPerLeaf = SENDERS;
    ClosHelper clos;
    clos.SetPortAttribute("DataRate", StringValue("100Gb/s"));
    clos.SetFabricRate(DataRate("400Gb/s"));
    clos.SetPortAttribute("Classes", UintegerValue(0x5d)); // 0, 2, 3, 4 and 6
    clos.SetPortAttribute("EgressSchedulerType", StringValue("ns3::aifabric::DwrrEgressScheduler"));
    clos.SetMarker(ObjectFactory("ns3::aifabric::RedMarker",
                                 "KMin",
                                 UintegerValue(100000),
                                 "KMax",
                                 UintegerValue(400000)));
    ObjectFactory buffer("ns3::aifabric::SharedBuffer", "BufferBytes", UintegerValue(3000000));
    buffer.Set("LosslessClasses", UintegerValue(1 << CLASSES[RELIABLE]));
    buffer.Set("TrimmingClasses", UintegerValue(1 << CLASSES[SPRAYED]));
    buffer.Set("TrimmingBytes", UintegerValue(400000));
    clos.SetAdmission(buffer);
    Ptr<Fabric> fabric = clos.Install(MakeLeafSpine(config));
    fabric->AssignStreams(1);
    InternetStackHelper().Install(fabric->GetHosts());
    FabricIpHelper::AssignIpv4(*fabric);
    return fabric;
}

/// Send a message by RDMA.  @param fabric the fabric  @param kind which kind  @param host the
/// sender
/// @param bytes length of the message  @param [out] outcome where its end is noted
void
SendByRdma(const Fabric& fabric, Kind kind, uint32_t host, uint64_t bytes, Outcome& outcome)
{
    RoceHelper roce;
    if (kind == SPRAYED)
    {
        roce.SetQueuePair(ObjectFactory("ns3::aifabric::SprayQueuePair"));
        roce.SetRecovery(ObjectFactory("ns3::aifabric::SelectiveRepeatRecovery"));
        roce.SetControl(ObjectFactory("ns3::aifabric::NsccControl"));
        roce.SetBalancer(ObjectFactory("ns3::aifabric::HostRandomBalancer"));
    }
    else
    {
        roce.SetControl(ObjectFactory("ns3::aifabric::" + outcome.control));
    }
    roce.Connect(fabric.GetNic(host), fabric.GetNic(host + SENDERS))
        .first->PostWrite(bytes,
                          FunctionCallback<void, Ptr<QueuePair>, uint64_t>(
                              [&outcome, kind](Ptr<QueuePair>, uint64_t) {
                                  outcome.completed[kind].push_back(Simulator::Now());
                              }));
}

/// Send a message by TCP.  @param fabric the fabric  @param host the sender
/// @param bytes length of the message  @param [out] outcome where its end is noted
void
SendByTcp(const Fabric& fabric, uint32_t host, uint64_t bytes, Outcome& outcome)
{
    constexpr uint16_t PORT = 5000;
    const TypeId tcp = TypeId::LookupByName("ns3::TcpSocketFactory");
    Ptr<Socket> listener = Socket::CreateSocket(fabric.GetHosts().Get(host + SENDERS), tcp);
    listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    listener->Listen();
    auto received = std::make_shared<uint64_t>(0);
    listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        FunctionCallback<void, Ptr<Socket>, const Address&>(
            [&outcome, received, bytes](Ptr<Socket> accepted, const Address&) {
                accepted->SetRecvCallback(FunctionCallback<void, Ptr<Socket>>(
                    [&outcome, received, bytes](Ptr<Socket> from) {
                        while (const Ptr<Packet> packet = from->Recv())
                        {
                            *received += packet->GetSize();
                            if (*received == bytes)
                            {
                                outcome.completed[BY_TCP].push_back(Simulator::Now());
                            }
                        }
                    }));
            }));
    Ptr<Socket> sender = Socket::CreateSocket(fabric.GetHosts().Get(host), tcp);
    auto left = std::make_shared<uint64_t>(bytes);
    sender->SetSendCallback(
        FunctionCallback<void, Ptr<Socket>, uint32_t>([left](Ptr<Socket> socket, uint32_t room) {
            constexpr uint64_t MOST = 65536;
            while (*left > 0 && room > 0)
            {
                const auto size = static_cast<uint32_t>(std::min({*left, MOST, uint64_t{room}}));
                const int sent = socket->Send(Create<Packet>(size));
                if (sent <= 0)
                {
                    return;
                }
                *left -= sent;
                room = socket->GetTxAvailable();
            }
        }));
    sender->Bind();
    sender->Connect(InetSocketAddress(FabricIpHelper::GetIpv4(host + SENDERS), PORT));
}

/// Let a switch add up a gradient of each sender.  @param helper of ESA  @param bytes of a gradient
/// @param [out] outcome where its end is noted
void
AddUp(AggregationHelper& helper, uint64_t bytes, Outcome& outcome)
{
    AggregationPlan plan;
    for (uint32_t host = 0; host < SENDERS; ++host)
    {
        plan.workers.push_back(host);
    }
    plan.server = SENDERS;
    plan.window = 200;
    plan.gradients = GradientSource(1, 1, FixedPoint::ATP_SCALE, false);
    const uint64_t packet = 4 * AggregationHelper::GetValues(AggregationHelper::ESA);
    AggregationShape shape;
    shape.fragments = static_cast<uint32_t>((bytes + packet - 1) / packet);
    helper.SetWorkerAttribute("Dscp", UintegerValue(CLASSES[ADDED_UP] << 3));
    helper.SetServerAttribute("Dscp", UintegerValue(CLASSES[ADDED_UP] << 3));
    helper.Install(plan, shape)->SetCompleted(FunctionCallback<void>([&outcome]() {
        outcome.completed[ADDED_UP].assign(SENDERS, Simulator::Now());
    }));
}

/// Count what switches do.  @param [out] outcome where to
void
Watch(Outcome& outcome)
{
    Config::ConnectWithoutContext(
        "/NodeList/*/$ns3::aifabric::FabricSwitch/Drop",
        FunctionCallback<void, Ptr<const FabricFrame>, FabricSwitch::DropReason>(
            [&outcome](Ptr<const FabricFrame> frame, FabricSwitch::DropReason) {
                ++outcome.drops[frame->GetClass()];
            }));
}

/// @return what has happened  @param kinds which kinds there are, bit k: kind k
/// @param bytes length of each message  @param control congestion control of class 3
Outcome
Run(uint8_t kinds, uint64_t bytes, const std::string& control)
{
    Ptr<Fabric> fabric = MakeFabric();
    Outcome outcome;
    outcome.control = control;
    Watch(outcome);
    std::unique_ptr<AggregationHelper> aggregation;
    if (kinds >> ADDED_UP & 1)
    {
        AggregationHelper::Options options;
        options.system = AggregationHelper::ESA;
        aggregation = std::make_unique<AggregationHelper>(fabric, options);
        AddUp(*aggregation, bytes, outcome);
    }
    for (uint32_t host = 0; host < SENDERS; ++host)
    {
        for (const Kind kind : {RELIABLE, SPRAYED})
        {
            if (kinds >> kind & 1)
            {
                SendByRdma(*fabric, kind, host, bytes, outcome);
            }
        }
        if (kinds >> BY_TCP & 1)
        {
            SendByTcp(*fabric, host, bytes, outcome);
        }
    }
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    PolicyCounters counters;
    for (const Ptr<FabricSwitch>& fabricSwitch : fabric->GetSwitchList())
    {
        fabricSwitch->GetAdmission()->Count(counters);
        const auto buffer = DynamicCast<SharedBuffer>(fabricSwitch->GetAdmission());
        outcome.losslessDrops += buffer->GetLosslessDrops();
        outcome.pauses += buffer->GetCounters().pauses;
    }
    outcome.trimmed = counters["trimming_frames"];
    outcome.wrong = aggregation ? aggregation->GetDrivers()[0]->GetJob().GetWrong() : 0;
    fabric->Dispose();
    Simulator::Destroy();
    return outcome;
}

/// Print a row for each kind.  @param kinds which kinds there are  @param bytes of each message
/// @param outcome what has happened  @return whether the classes have kept their guarantees
bool
Print(uint8_t kinds, uint64_t bytes, const Outcome& outcome)
{
    std::string with;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        with += kinds >> kind & 1 ? (with.empty() ? "" : ", ") + std::string(NAMES[kind]) : "";
    }
    bool isGood = outcome.losslessDrops == 0 && outcome.wrong == 0;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        if (!(kinds >> kind & 1))
        {
            continue;
        }
        std::vector<Time> times = outcome.completed[kind];
        std::sort(times.begin(), times.end());
        isGood = isGood && times.size() == SENDERS;
        const double last = times.empty() ? 0 : times.back().GetPicoSeconds() / 1e12;
        const double gbps = last > 0 ? 8e-9 * bytes * times.size() / last : 0;
        std::cout << std::left << std::setw(32) << with << std::setw(12) << NAMES[kind]
                  << std::right << std::setw(9) << gbps << std::setw(10) << last * 1e6
                  << std::setw(8) << outcome.drops[CLASSES[kind]] << std::setw(9)
                  << (kind == SPRAYED ? outcome.trimmed : 0) << std::setw(8)
                  << (kind == RELIABLE ? outcome.pauses : 0) << std::endl;
    }
    return isGood && outcome.drops[CLASSES[SPRAYED]] == 0;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint64_t bytes = 4000000;
    std::string control = "DcqcnControl";
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "Length of each message (bytes)", bytes);
    cmd.AddValue("control", "Congestion control of class 3: DcqcnControl or FixedControl", control);
    cmd.Parse(argc, argv);
    SetDefaults();
    std::cout
        << "traffic                         of            Gb/s    p99_us   drops  trimmed  pauses\n"
        << std::fixed << std::setprecision(1);
    bool isGood = true;
    for (const uint8_t kinds : {1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 15})
    {
        isGood = Print(kinds, bytes, Run(kinds, bytes, control)) && isGood;
    }
    return isGood ? 0 : 1;
}
