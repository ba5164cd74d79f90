/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_TEST_H
#define FABRIC_TEST_H

#include "test-suite.h"

#include "ns3/ack-report.h"
#include "ns3/boolean.h"
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
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// What the suites that build fabrics have in common; this header also includes what most of them
/// use of ns-3 and of the standard library.
namespace fabrictest
{

constexpr uint8_t LOSSY_CLASS = 0;    //!< traffic class of best effort
constexpr uint8_t LOSSLESS_CLASS = 3; //!< traffic class of RoCE
constexpr uint8_t HIGH_CLASS = 6;     //!< traffic class of congestion notification
constexpr uint32_t RESERVE = 4096;    //!< default of SharedBuffer::ReserveBytes

/// @return an acknowledgement as RC sends it  @param psn its PSN, counted from the first one
inline ns3::aifabric::AckReport
AckOf(uint32_t psn)
{
    ns3::aifabric::AckReport report;
    report.psn = psn;
    return report;
}

/// @return a NAK as RC sends it  @param psn its PSN: the packet that is expected
inline ns3::aifabric::NackReport
NackOf(uint32_t psn)
{
    ns3::aifabric::NackReport report;
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
    if (ns3::Time::GetResolution() != ns3::Time::FS)
    {
        ns3::Time::SetResolution(ns3::Time::FS);
    }
}

/// A test case that leaves no trace: femtoseconds and a fixed seed at its begin, defaults and an
/// empty simulator at its end.
class FabricTestCase : public ns3::TestCase
{
  public:
    explicit FabricTestCase(const std::string& name)
        : ns3::TestCase(name)
    {
    }

  protected:
    void DoSetup() override
    {
        UseFemtoseconds();
        ns3::RngSeedManager::SetSeed(1);
        ns3::RngSeedManager::SetRun(1);
    }

    void DoTeardown() override
    {
        ns3::Simulator::Destroy();
        ns3::Config::Reset();
    }
};

inline ns3::aifabric::FabricGraph
LeafSpine(int64_t leaves, int64_t spines, int64_t hostsPerLeaf, int64_t planes = 1)
{
    ns3::aifabric::LeafSpineConfig config;
    config.leaves = leaves;
    config.spines = spines;
    config.hostsPerLeaf = hostsPerLeaf;
    config.planes = planes;
    return ns3::aifabric::MakeLeafSpine(config);
}

/// @return a k-ary fat-tree
inline ns3::aifabric::FabricGraph
FatTree(int64_t k)
{
    ns3::aifabric::FatTreeConfig config;
    config.k = k;
    return ns3::aifabric::MakeFatTree(config);
}

/// @return random integers for flow lists
inline ns3::aifabric::UniformInteger
Uniform(int64_t stream)
{
    auto random = ns3::CreateObject<ns3::UniformRandomVariable>();
    random->SetStream(stream);
    return [random](uint32_t bound) { return random->GetInteger(0, bound - 1); };
}

/// Schedule flows on a fabric.  @return what drives them
inline ns3::Ptr<ns3::aifabric::FlowDriver>
StartFlows(const ns3::aifabric::Fabric& fabric, const std::vector<ns3::aifabric::Flow>& flows)
{
    const std::vector<ns3::Ptr<ns3::aifabric::RoceNetDevice>>& nics = fabric.GetNicList();
    auto driver = ns3::CreateObject<ns3::aifabric::FlowDriver>();
    driver->Install(nics, flows);
    return driver;
}

/// @return a frame that no queue pair will answer, to be handed to the port of a host
/// @param bytes its size on the wire
inline ns3::Ptr<ns3::aifabric::FabricFrame>
MakeFrame(const ns3::aifabric::Fabric& fabric,
          uint32_t source,
          uint32_t destination,
          uint8_t trafficClass,
          uint16_t bytes)
{
    ns3::Ptr<ns3::aifabric::FabricFrame> frame = fabric.GetPool()->Create();
    frame->opcode = ns3::aifabric::RC_WRITE_MIDDLE;
    frame->source = source;
    frame->destination = destination;
    ns3::aifabric::FrameCodec::SetFlow(*frame, 0xC000 + source);
    frame->SetTos(trafficClass << 5);
    frame->wireBytes = bytes;
    return frame;
}

/// Put a frame in the queue of a host's first port.
inline void
SendFrame(const ns3::aifabric::Fabric& fabric, ns3::Ptr<ns3::aifabric::FabricFrame> frame)
{
    fabric.GetNic(frame->source)
        ->GetPort(0)
        ->GetTransmitter()
        .Send(frame, ns3::aifabric::FabricClock::Now());
}

/// Do something with every port of a fabric.
inline void
ForEachPort(const ns3::aifabric::Fabric& fabric,
            const std::function<void(ns3::aifabric::FabricPort&)>& action)
{
    for (std::size_t i = 0; i < fabric.GetChannelCount(); ++i)
    {
        action(*fabric.GetChannel(i)->GetPort(0));
        action(*fabric.GetChannel(i)->GetPort(1));
    }
}

/// Make a port schedule its departures, by observing them.
inline void
MakeEager(ns3::aifabric::FabricPort& port)
{
    port.TraceConnectWithoutContext(
        "Send",
        ns3::aifabric::FunctionCallback<void, ns3::Ptr<const ns3::aifabric::FabricFrame>>(
            [](ns3::Ptr<const ns3::aifabric::FabricFrame>) {}));
}

/// @return frames for which the switches had no room
inline uint64_t
CountRefused(const ns3::aifabric::Fabric& fabric)
{
    uint64_t refused = 0;
    for (uint32_t id = 0; id < fabric.GetSwitchCount(); ++id)
    {
        refused += fabric.GetSwitch(id)->GetDropped(ns3::aifabric::FabricSwitch::NO_BUFFER);
    }
    return refused;
}

/// @return a factory of shared buffers
inline ns3::ObjectFactory
BufferFactory(uint64_t bytes, uint8_t lossless)
{
    return ns3::ObjectFactory("ns3::aifabric::SharedBuffer",
                              "BufferBytes",
                              ns3::UintegerValue(bytes),
                              "LosslessClasses",
                              ns3::UintegerValue(lossless));
}

/// @return the shared buffer of a switch
inline ns3::aifabric::SharedBuffer&
GetBuffer(const ns3::aifabric::Fabric& fabric, uint32_t id)
{
    return *ns3::DynamicCast<ns3::aifabric::SharedBuffer>(fabric.GetSwitch(id)->GetAdmission());
}

inline ns3::Ptr<ns3::aifabric::FabricFrame>
MakePfc(const ns3::aifabric::Fabric& fabric, uint8_t trafficClass, uint16_t quanta)
{
    ns3::Ptr<ns3::aifabric::FabricFrame> frame = fabric.GetPool()->Create();
    frame->kind = ns3::aifabric::FrameKind::PFC;
    frame->Extra().pause.classes = 1 << trafficClass;
    frame->Extra().pause.quanta[trafficClass] = quanta;
    frame->wireBytes = ns3::aifabric::FrameCodec::WireBytes(*frame);
    return frame;
}

/// @return the path of the next packet
inline ns3::aifabric::PathChoice
ChoosePath(ns3::aifabric::HostBalancer& balancer, uint32_t planes = 1)
{
    return balancer.Choose({planes}).value();
}

/// @return what policies are told of a NIC with one port
/// @param mtu payload of a full packet, in bytes
inline ns3::aifabric::FabricFacts
MakeFacts(const std::string& rate, uint32_t mtu)
{
    ns3::aifabric::FabricFacts facts;
    facts.portRate = ns3::DataRate(rate);
    facts.mtu = mtu;
    return facts;
}

/// Tell a balancer that a packet has arrived.  @param sentAt when it was sent, in picoseconds
/// @param now when its acknowledgement comes, in picoseconds
inline void
Acknowledge(ns3::aifabric::HostBalancer& balancer,
            uint32_t entropy,
            bool marked,
            int64_t sentAt,
            int64_t now)
{
    using ns3::aifabric::PathEvent;
    balancer.Feedback(entropy, marked ? PathEvent::MARKED : PathEvent::GOOD, now - sentAt, now);
}

/// @return a report  @param marked whether the packet was marked that triggered it
/// @param sentAt when that packet was sent, in picoseconds
inline ns3::aifabric::AckReport
MakeReport(bool marked, int64_t sentAt)
{
    ns3::aifabric::AckReport report;
    report.marked = marked;
    report.sentAt = sentAt;
    return report;
}

} // namespace fabrictest

#endif /* FABRIC_TEST_H */
