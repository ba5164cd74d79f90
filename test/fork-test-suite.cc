/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/host-random-balancer.h"
#include "ns3/rc-queue-pair.h"
#include "ns3/selective-repeat-recovery.h"
#include "ns3/spray-queue-pair.h"

#include <tuple>
#include <typeinfo>

static Suite g_fork("ai-fabric-fork", TestSuite::Type::SYSTEM);

namespace
{

/// Texts of the values of attributes, by name.
using Texts = std::map<std::string, std::string>;

/// What a frame says, and when it was sent: host, time, PSN, source port, opcode, payload.
using Sent = std::tuple<uint32_t, int64_t, uint32_t, uint16_t, uint32_t, uint32_t>;

/// A user's balancer: it adds to one whose Fork() copies, and knows nothing of forks.
struct OddBalancer : HostRandomBalancer
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<OddBalancer, HostRandomBalancer>("OddBalancer")
                                .AddAttribute("Bit",
                                              "What each label has.",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&OddBalancer::m_bit),
                                              MakeUintegerChecker<uint16_t>(1, 8));
        return tid;
    }

    std::optional<PathChoice> Choose(const PathRequest& request) override
    {
        std::optional<PathChoice> choice = HostRandomBalancer::Choose(request);
        choice->entropy |= m_bit;
        return choice;
    }

    uint16_t m_bit{0}; //!< what each label has
};

NS_OBJECT_ENSURE_REGISTERED(OddBalancer);

/// @return the classes of a kind that can be made  @param base what they have in common
std::vector<TypeId>
TypesOf(TypeId base)
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if ((type == base || type.IsChildOf(base)) && type.HasConstructor())
        {
            types.push_back(type);
        }
    }
    return types;
}

/// Do something for each attribute of a class.
void
ForAttributes(TypeId type, const std::function<void(const TypeId::AttributeInformation&)>& action)
{
    for (; type != Object::GetTypeId(); type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            action(type.GetAttribute(i));
        }
    }
}

/// @return the values of all attributes of an object
Texts
AttributesOf(const Object& object)
{
    Texts attributes;
    ForAttributes(object.GetInstanceTypeId(), [&](const TypeId::AttributeInformation& attribute) {
        const Ptr<AttributeValue> value = attribute.checker->Create();
        object.GetAttribute(attribute.name, *value);
        attributes[attribute.name] = value->SerializeToString(attribute.checker);
    });
    return attributes;
}

/// @return a number like another
uint64_t
DrawLike(uint64_t number, std::mt19937& random)
{
    return number > 0 ? number / 2 + 1 + random() % (number + 1) : random() % 8192 >> random() % 14;
}

/// @return a value that may be right for an attribute, not too far from its default value
Ptr<AttributeValue>
DrawCandidate(const TypeId::AttributeInformation& attribute, std::mt19937& random)
{
    const double factor = 0.75 + random() % 1000 * 0.0005;
    const Ptr<AttributeValue> value = attribute.initialValue->Copy();
    const std::string names = attribute.checker->GetUnderlyingTypeInformation();
    if (const auto integer = DynamicCast<UintegerValue>(value))
    {
        integer->Set(DrawLike(integer->Get(), random));
    }
    else if (const auto real = DynamicCast<DoubleValue>(value))
    {
        real->Set(real->Get() * factor);
    }
    else if (const auto boolean = DynamicCast<BooleanValue>(value))
    {
        boolean->Set(random() % 2);
    }
    else if (const auto time = DynamicCast<TimeValue>(value))
    {
        const int64_t ps = time->Get().GetPicoSeconds();
        time->Set(PicoSeconds(static_cast<int64_t>(DrawLike(ps, random))));
    }
    else if (const auto rate = DynamicCast<DataRateValue>(value))
    {
        rate->Set(DataRate(static_cast<uint64_t>(rate->Get().GetBitRate() * factor)));
    }
    else if (attribute.checker->GetValueTypeName().find("EnumValue") != std::string::npos)
    {
        const std::size_t middle = names.find('|');
        const std::size_t next = names.find('|', middle + 1);
        value->DeserializeFromString(random() % 2 ? names.substr(0, middle)
                                                  : names.substr(middle + 1, next - middle - 1),
                                     attribute.checker);
    }
    else if (attribute.checker->GetValueTypeName().find("StringValue") != std::string::npos)
    {
        return attribute.initialValue->Copy(); // which texts are valid only the policy knows
    }
    else
    {
        return nullptr;
    }
    return value;
}

/// @return a value that an attribute may have; null if its kind is not known here
Ptr<AttributeValue>
DrawValue(const TypeId::AttributeInformation& attribute, std::mt19937& random)
{
    constexpr int TRIES = 1000;
    for (int i = 0; i < TRIES; ++i)
    {
        const Ptr<AttributeValue> value = DrawCandidate(attribute, random);
        if (value && attribute.checker->Check(*value))
        {
            return value;
        }
    }
    return nullptr;
}

} // namespace

/// Whatever the attributes of a policy are, and whichever policy it is, also one that is added
/// later: queue pairs that are forked from one send what queue pairs send that are constructed.
struct ForkPolicyTestCase : FabricTestCase
{
    /// The policies of a queue pair, each with its attributes.
    struct Policies
    {
        ObjectFactory recovery{"ns3::aifabric::SackRecovery"}; //!< how it survives loss
        ObjectFactory control{"ns3::aifabric::FixedControl"};  //!< how much and how fast it sends
        ObjectFactory balancer{"ns3::aifabric::HostRandomBalancer"}; //!< by which paths
    };

    /// Compare, for several values of its attributes.
    void Try(TypeId type, ObjectFactory Policies::*which)
    {
        constexpr int RUNS = 4;
        for (int run = 0; run < RUNS; ++run)
        {
            Policies policies;
            (policies.*which).SetTypeId(type);
            std::mt19937 random(run);
            ForAttributes(type, [&](const TypeId::AttributeInformation& attribute) {
                const Ptr<AttributeValue> value = DrawValue(attribute, random);
                NS_TEST_EXPECT_MSG_EQ((value != nullptr),
                                      true,
                                      type.GetName() << "::" << attribute.name << ": a value");
                if (value && run > 0) // else the defaults
                {
                    (policies.*which).Set(attribute.name, *value);
                }
            });
            CompareAttributes(policies, which);
            const std::vector<Sent> constructed = Send(policies, false);
            const std::vector<Sent> forked = Send(policies, true);
            NS_TEST_EXPECT_MSG_GT(constructed.size(),
                                  (run == 0 ? 180 : 5), // all, or what a small window allows
                                  type.GetName() << " sends");
            NS_TEST_EXPECT_MSG_EQ((forked == constructed), true, type.GetName() << ", run " << run);
        }
    }

    /// A fork has the class and the attributes of what it is forked from.
    void CompareAttributes(const Policies& policies, ObjectFactory Policies::*which)
    {
        const Ptr<QueuePair> model = MakeModel(policies);
        const Ptr<QueuePair> fork = model->Fork();
        const auto policyOf = [which](const QueuePair& queuePair) -> const Object& {
            if (which == &Policies::recovery)
            {
                return queuePair.GetRecovery();
            }
            return which == &Policies::control
                       ? static_cast<const Object&>(*queuePair.GetControl())
                       : static_cast<const Object&>(*queuePair.GetBalancer());
        };
        const Object& before = policyOf(*model);
        const Object& after = policyOf(*fork);
        NS_TEST_EXPECT_MSG_NE(&after, &before, "it is another one");
        NS_TEST_EXPECT_MSG_EQ((typeid(after) == typeid(before)), true, "of the same class");
        NS_TEST_EXPECT_MSG_EQ(after.GetInstanceTypeId(), before.GetInstanceTypeId(), "and type");
        NS_TEST_EXPECT_MSG_EQ((AttributesOf(after) == AttributesOf(before)), true, "attributes");
        fork->Dispose();
        model->Dispose();
    }

    /// @return a queue pair to be forked
    static Ptr<QueuePair> MakeModel(const Policies& policies)
    {
        const Ptr<CongestionControl> control = policies.control.Create<CongestionControl>();
        const Ptr<LossRecovery> recovery =
            control->UsesCredits() ? Ptr<LossRecovery>(CreateObject<SelectiveRepeatRecovery>())
                                   : policies.recovery.Create<LossRecovery>();
        const Ptr<QueuePair> model = recovery->GetTraits().needsReports
                                         ? Ptr<QueuePair>(CreateObject<SprayQueuePair>())
                                         : Ptr<QueuePair>(CreateObject<RcQueuePair>());
        model->SetAttribute("AckTimeout", TimeValue(MicroSeconds(15)));
        model->SetAttribute("RetryLimit", UintegerValue(100));
        model->SetAttribute("Mtu", UintegerValue(1024));
        model->SetRecovery(recovery);
        model->SetControl(control);
        model->SetBalancer(policies.balancer.Create<HostBalancer>());
        return model;
    }

    /// @return what hosts send where frames are lost  @param policies the policies of all queue
    /// pairs  @param forks whether these are forked from one
    std::vector<Sent> Send(const Policies& policies, bool forks)
    {
        RngSeedManager::SetRun(1);
        const Ptr<QueuePair> model = MakeModel(policies);
        ClosHelper helper;
        helper.SetBalancerType(model->GetBalancer()->GetSwitchBalancer());
        if (model->GetControl()->NeedsTelemetry())
        {
            helper.SetEgressStage(FactoryOf("TelemetryStage"));
        }
        const Ptr<Fabric> fabric = InstallFabric(helper, LeafSpine(2, 4, 2), 100);
        for (uint32_t link = 0; link < fabric->GetChannelCount(); ++link)
        {
            fabric->GetChannel(link)->SetLossProbability(0.01);
        }
        std::vector<Sent> sent;
        for (uint32_t host = 0; host < 4; ++host)
        {
            Trace(*fabric->GetNic(host)->GetPort(0),
                  "Send",
                  [&sent, host](Ptr<const FabricFrame> frame) {
                      sent.emplace_back(host,
                                        FabricClock::Now(),
                                        frame->psn,
                                        frame->entropy,
                                        frame->opcode,
                                        frame->payload);
                  });
        }
        const auto add = [&](uint32_t host) {
            const Ptr<QueuePair> queuePair = forks ? model->Fork() : MakeModel(policies);
            fabric->GetNic(host)->AddQueuePair(queuePair);
            return queuePair;
        };
        for (const auto& [from, to] : std::map<uint32_t, uint32_t>{{0, 2}, {1, 2}, {2, 1}})
        {
            const Ptr<QueuePair> source = add(from);
            const Ptr<QueuePair> destination = add(to);
            source->Connect(to, destination->GetNumber());
            destination->Connect(from, source->GetNumber());
            source->PostWrite(30000);
            source->PostWrite(7);
        }
        Simulator::Stop(MicroSeconds(300));
        Simulator::Run();
        Simulator::Destroy();
        model->Dispose();
        return sent;
    }
};

FABRIC_TEST_F(ForkPolicyTestCase, g_fork, "Forked queue pairs are as constructed ones")
{
    std::set<std::string> tried;
    for (const TypeId& type : TypesOf(LossRecovery::GetTypeId()))
    {
        if (ObjectFactory(type.GetName()).Create<LossRecovery>()->GetTraits().needsPaths)
        {
            continue; // only with MrcQueuePair
        }
        Try(type, &Policies::recovery);
        tried.insert(type.GetName());
    }
    for (const TypeId& type : TypesOf(CongestionControl::GetTypeId()))
    {
        Try(type, &Policies::control);
        tried.insert(type.GetName());
    }
    for (const TypeId& type : TypesOf(HostBalancer::GetTypeId()))
    {
        if (ObjectFactory(type.GetName()).Create<HostBalancer>()->NeedsProbes() ||
            type.GetName().find("::Wrong") != std::string::npos)
        {
            continue; // only with MrcQueuePair, or never (those of the suite of misuse)
        }
        Try(type, &Policies::balancer);
        tried.insert(type.GetName());
    }
    for (const std::string name : {"StrictRecovery",
                                   "PacketTimerRecovery",
                                   "MSwiftControl",
                                   "DcqcnControl",
                                   "DctcpControl",
                                   "HpccControl",
                                   "NsccControl",
                                   "RcccControl",
                                   "HostBalancer",
                                   "HostDrBalancer",
                                   "PinnedBalancer",
                                   "OddBalancer"})
    {
        NS_TEST_EXPECT_MSG_EQ(tried.count("ns3::aifabric::" + name), 1, name << " is tried");
    }
}

/// A fork has the attributes of its queue pair, whether they were set on it or are defaults of now.
struct ForkQueuePairTestCase : FabricTestCase
{
    /// @return a queue pair to be forked
    static Ptr<QueuePair> Make()
    {
        const Ptr<QueuePair> model = CreateObject<RcQueuePair>();
        model->SetRecovery(FactoryOf("SackRecovery").Create<LossRecovery>());
        model->SetControl(FactoryOf("FixedControl").Create<CongestionControl>());
        model->SetBalancer(CreateObject<HostRandomBalancer>());
        return model;
    }

    /// @param entropies what the balancer of its fork has
    void CheckFork(const QueuePair& model, const std::string& dscp, const std::string& entropies)
    {
        const Ptr<QueuePair> fork = model.Fork();
        NS_TEST_EXPECT_MSG_EQ(AttributesOf(*fork).at("Dscp"), dscp, "DSCP");
        NS_TEST_EXPECT_MSG_EQ(AttributesOf(*fork->GetBalancer()).at("Entropies"),
                              entropies,
                              "of its balancer");
    }
};

FABRIC_TEST_F(ForkQueuePairTestCase, g_fork, "A fork has the attributes of its queue pair")
{
    Default("RcQueuePair::Dscp", 33);
    Default("HostRandomBalancer::Entropies", 5);
    const Ptr<QueuePair> first = Make();
    Default("RcQueuePair::Dscp", 34);
    Default("HostRandomBalancer::Entropies", 6);
    CheckFork(*first, "33", "5"); // a later default does not reach it
    CheckFork(*Make(), "34", "6");
    std::mt19937 random(1);
    for (int run = 0; run < 20; ++run)
    {
        const Ptr<QueuePair> model = Make();
        std::size_t others = 0;
        const Texts defaults = AttributesOf(*model);
        ForAttributes(RcQueuePair::GetTypeId(), [&](const TypeId::AttributeInformation& attribute) {
            const Ptr<AttributeValue> value = DrawValue(attribute, random);
            if (value)
            {
                model->SetAttribute(attribute.name, *value);
            }
        });
        Texts expected = AttributesOf(*model);
        Texts forked = AttributesOf(*model->Fork());
        for (const std::string policy : {"Recovery", "Control", "Balancer"})
        {
            NS_TEST_EXPECT_MSG_NE(forked[policy], expected[policy], "another " << policy);
            forked.erase(policy);
            expected.erase(policy);
        }
        for (const auto& [name, value] : expected)
        {
            others += value != defaults.at(name);
        }
        NS_TEST_EXPECT_MSG_GT(others, 4, "most attributes are other than by default");
        NS_TEST_EXPECT_MSG_EQ((forked == expected), true, "run " << run);
    }
}
