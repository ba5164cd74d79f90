/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSPORT_OPTIONS_H
#define TRANSPORT_OPTIONS_H

#include "option-section.h"

#include "ns3/attribute.h"
#include "ns3/fabric-facts.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

class QueuePair;
struct MarkingLaw;

/**
 * @ingroup ai-fabric
 *
 * The options of the policies: who spreads the traffic, how fast it is sent, how losses are
 * repaired, and what switches do with full queues. What a policy needs, and which defaults it
 * derives from the fabric, the policy itself says.
 */
class TransportOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Read the policies.
    void Read();

    /// @return the admission that a transport expects of switches; none: any
    /// @param transport a type of queue pairs
    static std::optional<TypeId> FindUsualAdmission(TypeId transport);

    /// Read after which time without an acknowledgement a queue pair sends again.
    void ReadTimeout();

  private:
    /// Read the transport, and of its recovery and its policy of acknowledgements what is usual.
    void ReadTransport();

    /// Refuse policies that do not suit the transport or each other (PolicyMisfit).
    void CheckTransport() const;

    /// @return a queue pair with the policies of the scenario  @param type its type, such as
    /// RcQueuePair
    Ptr<QueuePair> MakeQueuePair(TypeId type) const;

    /// @return whether the congestion control reacts to CNPs
    bool ListensToCnps() const;

    /// @return the policy of an option
    /// @param usual the policy, if the option is not set; none: the option's default
    TypeId ReadUsual(const std::string& option, const std::optional<TypeId>& usual);

    /// Have switches trim at the queues of the transport, if it expects trimming and the buffer is
    /// not given.
    void DeriveTrimming();

    /// Set the default of an attribute, unless the user has given a value.
    void SetDefault(const std::string& attribute, const AttributeValue& value);

    /// @return what policies may know of the fabric
    FabricFacts GetFacts() const;

    /// Refuse buffers that are too large to be counted.
    void CheckBuffer() const;

    /// Refuse a recovery that needs what the fabric does not give.
    void CheckRecovery() const;

    /// Refuse a queue pair that expects another DSCP of packets that the last switch has trimmed.
    void CheckLastHop() const;

    /// Refuse a queue pair that reads trimmed packets if switches do not trim the class of its
    /// data.
    void CheckTrimmedClasses() const;

    /// @return the value of an attribute for a transport  @param queuePair of that transport
    /// @param attribute its name  @param given the value unless the transport has a usual one
    uint64_t FindUsual(const QueuePair& queuePair,
                       const std::string& attribute,
                       uint64_t given) const;

    /// Refuse senders that never wait where switches trim, and attributes of trimming where
    /// switches do not trim.
    void CheckTrimming() const;

    /// Refuse attributes of an egress scheduler that ports do not have.
    void CheckEgressScheduler() const;

    /// Refuse attributes of traffic engineering without it, and tables that it would not fill.
    void CheckCentral() const;

    /// Read how messages are divided among queue pairs.
    void ReadSteering();

    /// Read how many queue pairs two hosts have.
    void ReadQueuePairs();

    /// Read which switches have another balancer.
    void ReadUpgrade();

    /// Read which messages keep one path.
    void ReadOrdered();

    /// Draw them.  @param share the share of the switches that choose
    void DrawUpgrade(double share);

    /// Read who marks congestion.
    void ReadMarker();

    /// Have switches mark as the balancer or the congestion control needs it, if one does.
    void DeriveMarker();

    /// @return how switches have to mark for the congestion control; none: it needs no marks
    std::optional<MarkingLaw> FindMarkingLaw() const;

    /// Have switches mark as the congestion control needs it.  @param law how
    void Apply(const MarkingLaw& law);

    /// Refuse a congestion control that slows down only by marks, if no switch marks.
    void CheckMarks() const;

    /// @return after which time without an acknowledgement a queue pair sends again, in picoseconds
    int64_t ChooseTimeout() const;
};

} // namespace aifabric
} // namespace ns3

#endif /* TRANSPORT_OPTIONS_H */
