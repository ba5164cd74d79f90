/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSPORT_TRAITS_H
#define TRANSPORT_TRAITS_H

#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What policies can expect of a transport, and which policies it usually has.
struct TransportTraits
{
    /// Its acknowledgements carry a bitmap: its recovery is one that needs that
    /// (RecoveryTraits::needsReports), or one that does not.
    bool sendsReports{false};
    /// Its packets can announce demand for credit, and its answers give credit, as a congestion
    /// control may need (CongestionControl::UsesCredits).
    bool carriesCredits{false};
    /// Its packets carry telemetry of switches to the receiver and back, as a congestion control
    /// may need (CongestionControl::NeedsTelemetry).
    bool carriesTelemetry{false};
    /// It sends the probes that a balancer may need (HostBalancer::NeedsProbes()).
    bool sendsPathProbes{false};
    /// Its packets can ask for data, and be those that answer that (QueuePair::SetReads).
    bool carriesReads{false};
    /// Its receiver answers marked packets with CNPs, if its control is a CnpListener.
    bool sendsCnps{false};

    std::optional<TypeId> recovery;  //!< usual LossRecovery; none: whatever the NIC gives it
    std::optional<TypeId> ackPolicy; //!< usual AckPolicy; none: whatever the NIC gives it
    std::optional<TypeId> control;   //!< usual CongestionControl; none: whatever the NIC gives it
    std::optional<TypeId> balancer;  //!< usual balancer; none: any

    /// Values that attributes of other classes usually have with it, by their full names.
    std::vector<std::pair<std::string, std::string>> attributes;
};

} // namespace aifabric
} // namespace ns3

#endif /* TRANSPORT_TRAITS_H */
