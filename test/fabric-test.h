/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_TEST_H
#define FABRIC_TEST_H

#include "test-suite.h"

#include "ns3/ack-report.h"
#include "ns3/attribute.h"
#include "ns3/boolean.h"
#include "ns3/buffer-admission.h"
#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-facts.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-switch.h"
#include "ns3/fabric.h"
#include "ns3/failure-helper.h"
#include "ns3/flow-driver.h"
#include "ns3/flow-list.h"
#include "ns3/frame-codec.h"
#include "ns3/function-callback.h"
#include "ns3/host-balancer.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// What the suites that build fabrics have in common; this header also includes what most of them
/// use of ns-3 and of the standard library, and names its namespaces.
namespace fabrictest
{

using namespace ns3;
using namespace ns3::aifabric;

constexpr uint8_t LOSSY_CLASS = 0;    //!< traffic class of best effort
constexpr uint8_t LOSSLESS_CLASS = 3; //!< traffic class of RoCE
constexpr uint8_t HIGH_CLASS = 6;     //!< traffic class of congestion notification
constexpr uint32_t RESERVE = 4096;    //!< default of SharedBuffer::ReserveBytes

/// @return an acknowledgement as RC sends it  @param psn its PSN, counted from the first one
inline AckReport
AckOf(uint32_t psn)
{
    AckReport report;
    report.psn = psn;
    return report;
}

/// @return a NAK as RC sends it  @param psn its PSN: the packet that is expected
inline NackReport
NackOf(uint32_t psn)
{
    NackReport report;
    report.psn = psn;
    return report;
}

/// Count times in femtoseconds from now on, as FabricClock wants it for the order of what happens
/// at once.
///
/// ns-3 converts the times that exist, such as the default values of attributes, and allows this
/// only before the first Simulator::Run() of a process. So each suite that runs a simulation calls
/// it beforehand.
inline void
UseFemtoseconds()
{
    if (Time::GetResolution() != Time::FS)
    {
        Time::SetResolution(Time::FS);
    }
}

/// A test case that leaves no trace: femtoseconds and a fixed seed at its begin, defaults and an
/// empty simulator at its end. The class of the case itself names the case (TestCase is virtual).
struct FabricTestCase : virtual TestCase
{
    void DoSetup() override
    {
        UseFemtoseconds();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
        Config::Reset();
    }
};

/// @return a value as any attribute accepts it: a time and an ns-3 value as they are, a class by
/// its name, all else as text
template <typename T>
Ptr<const AttributeValue>
ValueOf(const T& value)
{
    if constexpr (std::is_base_of_v<AttributeValue, T>)
    {
        return value.Copy();
    }
    else if constexpr (std::is_same_v<T, Time>)
    {
        return Create<TimeValue>(value);
    }
    else if constexpr (std::is_same_v<T, TypeId>)
    {
        return Create<StringValue>(value.GetName());
    }
    else if constexpr (std::is_convertible_v<T, std::string>)
    {
        return Create<StringValue>(value);
    }
    else
    {
        std::ostringstream text;
        text.precision(std::numeric_limits<double>::max_digits10);
        text << +value;
        return Create<StringValue>(text.str());
    }
}

/// An attribute and its value.
struct Attribute
{
    template <typename T>
    Attribute(const std::string& name, const T& value)
        : name(name),
          value(ValueOf(value))
    {
    }

    std::string name;                //!< without its class
    Ptr<const AttributeValue> value; //!< of any type
};

using Attributes = std::vector<Attribute>;

/// Change the default of an attribute.  @param name with its class
template <typename T>
void
Default(const std::string& name, const T& value)
{
    Config::SetDefault("ns3::aifabric::" + name, *ValueOf(value));
}

/// @return a factory of policies  @param name of their class
inline ObjectFactory
FactoryOf(const std::string& name, const Attributes& attributes = {})
{
    ObjectFactory factory("ns3::aifabric::" + name);
    for (const Attribute& attribute : attributes)
    {
        factory.Set(attribute.name, *attribute.value);
    }
    return factory;
}

/// @return an object of a class that has a constructor without parameters
template <typename T>
Ptr<T>
CreateWith(const Attributes& attributes)
{
    ObjectFactory factory;
    factory.SetTypeId(T::GetTypeId());
    for (const Attribute& attribute : attributes)
    {
        factory.Set(attribute.name, *attribute.value);
    }
    return factory.Create<T>();
}

/// @return a helper of fabrics
inline ClosHelper
ClosOf(const Attributes& ofNics, const Attributes& ofPorts = {})
{
    ClosHelper helper;
    for (const Attribute& attribute : ofNics)
    {
        helper.SetNicAttribute(attribute.name, *attribute.value);
    }
    for (const Attribute& attribute : ofPorts)
    {
        helper.SetPortAttribute(attribute.name, *attribute.value);
    }
    return helper;
}

/// @return a helper of connections
inline RoceHelper
RoceOf(const Attributes& ofQueuePairs)
{
    RoceHelper helper;
    for (const Attribute& attribute : ofQueuePairs)
    {
        helper.SetQueuePairAttribute(attribute.name, *attribute.value);
    }
    return helper;
}

/// @return a helper that connects by MRC
inline RoceHelper
MrcHelper()
{
    RoceHelper roce;
    roce.SetQueuePair(FactoryOf("MrcQueuePair"));
    roce.SetControl(FactoryOf("NsccControl"));
    roce.SetBalancer(FactoryOf("MrcBalancer"));
    return roce;
}

/// @return the TypeId of a class that only a test has
template <typename T, typename Parent>
TypeId
TestTypeId(const std::string& name)
{
    return TypeId(("ns3::aifabric::" + name).c_str()) // ns-3.35 takes no std::string
        .SetParent<Parent>()
        .SetGroupName("AiFabric")
        .template AddConstructor<T>()
        .HideFromDocumentation();
}

/// Have the next simulation of a test case run in windows.  @param shuffled whether nodes are run
/// in a random order
inline void
UseWindows(bool shuffled)
{
    Config::SetGlobal("SimulatorImplementationType", StringValue("ns3::aifabric::WindowSimulator"));
    Default("WindowSimulator::Shuffled", shuffled);
}

/// @return a callback of a function
template <typename R, typename... Args>
Callback<R, Args...>
CallbackOfFunction(const std::function<R(Args...)>& function)
{
    return FunctionCallback<R, Args...>(function);
}

/// @return a callback of a lambda
template <typename F>
auto
CallbackOf(F lambda)
{
    return CallbackOfFunction(std::function(std::move(lambda)));
}

/// Connect a lambda to a trace source.
template <typename T, typename F>
void
Trace(T& object, const std::string& source, F lambda)
{
    object.TraceConnectWithoutContext(source, CallbackOf(std::move(lambda)));
}

inline FabricGraph
LeafSpine(int64_t leaves, int64_t spines, int64_t hostsPerLeaf, int64_t planes = 1)
{
    LeafSpineConfig config;
    config.leaves = leaves;
    config.spines = spines;
    config.hostsPerLeaf = hostsPerLeaf;
    config.planes = planes;
    return MakeLeafSpine(config);
}

/// @return a k-ary fat-tree
inline FabricGraph
FatTree(int64_t k)
{
    FatTreeConfig config;
    config.k = k;
    return MakeFatTree(config);
}

/// @return random integers for flow lists
inline UniformInteger
Uniform(int64_t stream)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    return [random](uint32_t bound) { return random->GetInteger(0, bound - 1); };
}

/// @return a flow  @param start when, in picoseconds
inline Flow
MakeFlow(uint32_t source, uint32_t destination, uint64_t bytes, int64_t start = 0)
{
    Flow flow;
    flow.startPs = start;
    flow.source = source;
    flow.destination = destination;
    flow.bytes = bytes;
    return flow;
}

/// Let cables fail.  @param where a number, or the name of one or several
template <typename Where>
auto
Fail(const Fabric& fabric, const Where& where, const Attributes& attributes)
{
    FailureHelper helper;
    for (const Attribute& attribute : attributes)
    {
        helper.SetAttribute(attribute.name, *attribute.value);
    }
    return helper.Install(fabric, where);
}

/// Schedule flows on a fabric.  @return what drives them
inline Ptr<FlowDriver>
StartFlows(const Fabric& fabric, const std::vector<Flow>& flows)
{
    const std::vector<Ptr<RoceNetDevice>>& nics = fabric.GetNicList();
    auto driver = CreateObject<FlowDriver>();
    driver->Install(nics, flows);
    return driver;
}

/// @return a frame that no queue pair will answer, to be handed to the port of a host
/// @param bytes its size on the wire
inline Ptr<FabricFrame>
MakeFrame(const Fabric& fabric,
          uint32_t source,
          uint32_t destination,
          uint8_t trafficClass,
          uint16_t bytes)
{
    Ptr<FabricFrame> frame = fabric.GetPool()->Create();
    frame->opcode = RC_WRITE_MIDDLE;
    frame->source = source;
    frame->destination = destination;
    FrameCodec::SetFlow(*frame, 0xC000 + source);
    frame->SetTos(trafficClass << 5);
    frame->wireBytes = bytes;
    return frame;
}

/// Put a frame in the queue of a host's first port.
inline void
SendFrame(const Fabric& fabric, Ptr<FabricFrame> frame)
{
    fabric.GetNic(frame->source)->GetPort(0)->GetTransmitter().Send(frame, FabricClock::Now());
}

/// Do something with every port of a fabric.
inline void
ForEachPort(const Fabric& fabric, const std::function<void(FabricPort&)>& action)
{
    for (std::size_t i = 0; i < fabric.GetChannelCount(); ++i)
    {
        action(*fabric.GetChannel(i)->GetPort(0));
        action(*fabric.GetChannel(i)->GetPort(1));
    }
}

/// Make a port schedule its departures, by observing them.
inline void
MakeEager(FabricPort& port)
{
    Trace(port, "Send", [](Ptr<const FabricFrame>) {});
}

/// @return a fabric whose random streams are numbered from `stream` on
inline Ptr<Fabric>
InstallFabric(const ClosHelper& helper, const FabricGraph& graph, int64_t stream = 1)
{
    const Ptr<Fabric> fabric = helper.Install(graph);
    fabric->AssignStreams(stream);
    return fabric;
}

/// @return the sum over all switches  @param count what each of them has
inline uint64_t
SumSwitches(const Fabric& fabric, const std::function<uint64_t(const FabricSwitch&)>& count)
{
    uint64_t sum = 0;
    for (uint32_t id = 0; id < fabric.GetSwitchCount(); ++id)
    {
        sum += count(*fabric.GetSwitch(id));
    }
    return sum;
}

/// @return frames for which the switches had no room
inline uint64_t
CountRefused(const Fabric& fabric)
{
    return SumSwitches(fabric, [](const FabricSwitch& fabricSwitch) {
        return fabricSwitch.GetDropped(FabricSwitch::NO_BUFFER);
    });
}

/// @return the counters of a policy
template <typename Policy>
PolicyCounters
CountersOf(const Policy& policy)
{
    PolicyCounters counters;
    policy.Count(counters);
    return counters;
}

/// @return the distinct elements of a list
template <typename List>
std::set<typename List::value_type>
SetOf(const List& list)
{
    return {list.begin(), list.end()};
}

/// A buffer that has room for all frames but those that a test picks.
struct PickyBuffer : BufferAdmission
{
    AdmissionVerdict Admit(const FabricFrame& frame, FabricTransmitter&, int64_t) override
    {
        return refuses(frame) ? AdmissionVerdict::DROP : AdmissionVerdict::ADMIT;
    }

    uint32_t GetPortBytes() const override
    {
        return UINT32_MAX;
    }

    std::function<bool(const FabricFrame&)> refuses; //!< which frames have no room
};

/// Have a switch drop the frames that a test picks.
inline void
DropFrames(const Fabric& fabric,
           const std::function<bool(const FabricFrame&)>& picks,
           uint32_t id = 0)
{
    const auto buffer = CreateObject<PickyBuffer>();
    buffer->refuses = picks;
    fabric.GetSwitch(id)->SetAdmission(buffer);
}

/// @return a factory of shared buffers
inline ObjectFactory
BufferFactory(uint64_t bytes, uint8_t lossless)
{
    return FactoryOf("SharedBuffer", {{"BufferBytes", bytes}, {"LosslessClasses", lossless}});
}

/// @return the shared buffer of a switch
inline SharedBuffer&
GetBuffer(const Fabric& fabric, uint32_t id)
{
    return *DynamicCast<SharedBuffer>(fabric.GetSwitch(id)->GetAdmission());
}

inline Ptr<FabricFrame>
MakePfc(const Fabric& fabric, uint8_t trafficClass, uint16_t quanta)
{
    Ptr<FabricFrame> frame = fabric.GetPool()->Create();
    frame->kind = FrameKind::PFC;
    frame->Extra().pause.classes = 1 << trafficClass;
    frame->Extra().pause.quanta[trafficClass] = quanta;
    frame->wireBytes = FrameCodec::WireBytes(*frame);
    return frame;
}

/// @return the path of the next packet
inline PathChoice
ChoosePath(HostBalancer& balancer, uint32_t planes = 1)
{
    return balancer.Choose({planes}).value();
}

/// @return what policies are told of a NIC with one port
/// @param mtu payload of a full packet, in bytes
inline FabricFacts
MakeFacts(const std::string& rate, uint32_t mtu)
{
    FabricFacts facts;
    facts.portRate = DataRate(rate);
    facts.mtu = mtu;
    return facts;
}

/// Tell a balancer that a packet has arrived.  @param sentAt when it was sent, in picoseconds
/// @param now when its acknowledgement comes, in picoseconds
inline void
Acknowledge(HostBalancer& balancer, uint32_t entropy, bool marked, int64_t sentAt, int64_t now)
{
    balancer.Feedback(entropy, marked ? PathEvent::MARKED : PathEvent::GOOD, now - sentAt, now);
}

/// @return a report  @param marked whether the packet was marked that triggered it
/// @param sentAt when that packet was sent, in picoseconds
inline AckReport
MakeReport(bool marked, int64_t sentAt)
{
    AckReport report;
    report.marked = marked;
    report.sentAt = sentAt;
    return report;
}

} // namespace fabrictest

using namespace fabrictest;

#endif /* FABRIC_TEST_H */
