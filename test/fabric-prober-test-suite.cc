/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/fabric-prober.h"
#include "ns3/link-fault.h"
#include "ns3/mrc-balancer.h"

/// FabricProber and EvDenylist.
static Suite g_fabricProber("ai-fabric-prober");

namespace
{

constexpr uint32_t HOSTS = 3;  //!< below each leaf
constexpr uint32_t SPINES = 4; //!< of a plane
constexpr uint32_t PLANES = 2; //!< of the fabric

/// @return EVs of a queue pair that are denied
uint32_t
CountDenied(const Ptr<QueuePair>& queuePair, uint16_t plane)
{
    const auto balancer = DynamicCast<MrcBalancer>(queuePair->GetBalancer());
    return balancer->CountEvs(plane).states[static_cast<std::size_t>(EntropySet::State::DENIED)];
}

} // namespace

/// An element fails and works again, in a fabric with traffic: it is classified, the entropy values
/// of the queue pairs whose paths cross it are denied and allowed again, and no other ones.
struct ElementTestCase : FabricTestCase
{
    static constexpr uint16_t PLANE = 1; //!< where it fails

    /// @param denied EVs of its plane that are denied of a queue pair from leaf 0 to leaf 1
    void Check(FabricElement::Kind kind, const std::string& forwarder, uint32_t denied)
    {
        m_kind = kind;
        m_expected = {0, denied};
        ClosHelper clos;
        clos.SetBalancerType(MrcBalancer::GetTypeId());
        clos.SetForwarder(FactoryOf(forwarder));
        clos.SetNicAttribute("IpVersion", StringValue("6"));
        clos.SetNicAttribute("Mtu", UintegerValue(9000));
        m_fabric = InstallFabric(clos, LeafSpine(3, SPINES, HOSTS, PLANES));
        for (const Ptr<FabricSwitch>& fabricSwitch : m_fabric->GetSwitchList())
        {
            fabricSwitch->SetAttribute("DetectionDelay", TimeValue(Time::Max())); // static routes
        }
        const FabricGraph& graph = m_fabric->GetGraph();
        m_prober = CreateObject<FabricProber>();
        m_prober->SetAttribute("Interval", TimeValue(MicroSeconds(20)));
        m_prober->TraceConnectWithoutContext("ElementState",
                                             MakeCallback(&ElementTestCase::TakeChange, this));
        m_prober->Install(graph, m_fabric->GetNicList(), m_fabric->GetSwitchList());
        RoceHelper roce = MrcHelper();
        m_hit = roce.Connect(m_fabric->GetNic(0), m_fabric->GetNic(HOSTS)).first;
        m_spared = roce.Connect(m_fabric->GetNic(HOSTS + 1), m_fabric->GetNic(2 * HOSTS)).first;
        for (const Ptr<QueuePair>& queuePair : {m_hit, m_spared})
        {
            queuePair->PostWrite(50000000);
        }
        const std::vector<Ptr<LinkFault>> faults = Fail();
        Simulator::Schedule(MicroSeconds(290), &ElementTestCase::CheckDenied, this);
        Simulator::Stop(MicroSeconds(500));
        Simulator::Run();
        const std::string name = Element().GetName(graph);
        NS_TEST_EXPECT_MSG_EQ(m_changes, "+" + name + " -" + name, "it fails, and works again");
        NS_TEST_EXPECT_MSG_EQ(CountDenied(m_hit, PLANE), 0, "all EVs are allowed again");
        NS_TEST_EXPECT_MSG_EQ(m_hit->HasFailed(), false, "the queue pair lives");
        const FabricProber::Counters counters = m_prober->GetCounters();
        const uint64_t round = graph.HostCount() * PLANES + 3 * SPINES * PLANES;
        NS_TEST_EXPECT_MSG_EQ(counters.sent, 25 * round, "a round each 20 us, and one more");
        NS_TEST_EXPECT_MSG_GT(counters.lost, 0, "probes were lost");
        NS_TEST_EXPECT_MSG_LT(counters.lost, counters.sent / 2, "and others were not");
        m_prober->Dispose();
        m_fabric->Dispose();
    }

    /// @return what fails
    FabricElement Element() const
    {
        const FabricGraph& graph = m_fabric->GetGraph();
        const uint32_t leaf = graph.LeafOf(0, PLANE);
        const uint32_t link = graph.LinkAt({false, leaf, HOSTS + 1});
        switch (m_kind)
        {
        case FabricElement::NIC_PORT:
            return {m_kind, 0, PLANE};
        case FabricElement::LINK:
            return {m_kind, link, PLANE};
        case FabricElement::T0:
            return {m_kind, leaf, PLANE};
        default:
            return {m_kind, graph.Links()[link].b.id, PLANE};
        }
    }

    /// Cut its links from 100 us to 300 us.  @return the faults
    std::vector<Ptr<LinkFault>> Fail() const
    {
        FailureHelper helper;
        helper.SetAttribute("Down", BooleanValue(true));
        helper.SetAttribute("Start", TimeValue(MicroSeconds(100)));
        helper.SetAttribute("Stop", TimeValue(MicroSeconds(300)));
        const FabricGraph& graph = m_fabric->GetGraph();
        const FabricElement element = Element();
        std::vector<Ptr<LinkFault>> faults;
        for (uint32_t link = 0; link < graph.Links().size(); ++link)
        {
            const FabricLinkSpec& spec = graph.Links()[link];
            const bool isOf =
                m_kind == FabricElement::LINK ? link == element.id
                : m_kind == FabricElement::NIC_PORT
                    ? link == graph.LinkAt({true, element.id, PLANE})
                    : (!spec.a.isHost && spec.a.id == element.id) || spec.b.id == element.id;
            if (isOf)
            {
                faults.push_back(helper.Install(*m_fabric, link));
            }
        }
        return faults;
    }

    /// Note a change.
    void TakeChange(const FabricElement& element, bool isBad)
    {
        m_changes += std::string(m_changes.empty() ? "" : " ") + (isBad ? "+" : "-") +
                     element.GetName(m_fabric->GetGraph());
    }

    /// See which EVs are denied while the element is bad.
    void CheckDenied()
    {
        const bool isT1 = m_kind == FabricElement::T1;
        for (uint16_t plane = 0; plane < PLANES; ++plane)
        {
            NS_TEST_EXPECT_MSG_EQ(CountDenied(m_hit, plane),
                                  m_expected[plane],
                                  plane << ": denied");
            NS_TEST_EXPECT_MSG_EQ(CountDenied(m_spared, plane),
                                  (isT1 ? m_expected[plane] : 0),
                                  plane << ": spared");
        }
        // A queue pair that is connected now does not use the EVs either.
        const auto late = MrcHelper().Connect(m_fabric->GetNic(0), m_fabric->GetNic(2 * HOSTS));
        late.first->PostWrite(1000000);
        NS_TEST_EXPECT_MSG_EQ(CountDenied(late.first, PLANE), m_expected[PLANE], "denied, too");
    }

    FabricElement::Kind m_kind;       //!< what fails
    std::vector<uint32_t> m_expected; //!< EVs that are denied, by plane
    Ptr<Fabric> m_fabric;             //!< the fabric
    Ptr<FabricProber> m_prober;       //!< the prober
    Ptr<QueuePair> m_hit;             //!< its paths cross the element
    Ptr<QueuePair> m_spared;          //!< its paths do not, unless it is a T1
    std::string m_changes;            //!< what was found
};

FABRIC_ROWS(g_fabricProber)
{
    for (const std::string forwarder : {"ClosForwarder", "Srv6Forwarder"})
    {
        rows.AddRow<ElementTestCase>("link, " + forwarder, FabricElement::LINK, forwarder, 1);
        rows.AddRow<ElementTestCase>("T1, " + forwarder, FabricElement::T1, forwarder, 1);
        rows.AddRow<ElementTestCase>("T0, " + forwarder, FabricElement::T0, forwarder, SPINES);
        rows.AddRow<ElementTestCase>("NIC port, " + forwarder,
                                     FabricElement::NIC_PORT,
                                     forwarder,
                                     SPINES);
    }
}
