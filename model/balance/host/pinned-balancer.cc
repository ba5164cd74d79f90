/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pinned-balancer.h"

#include "ns3/abort.h"
#include "ns3/fork-object.h"
#include "ns3/path-label-balancer.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PinnedBalancer);

TypeId
PinnedBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PinnedBalancer")
                            .SetParent<HostBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PinnedBalancer>()
                            .HideFromDocumentation();
    return tid;
}

std::string
PinnedBalancer::GetClosNeed() const
{
    return "it names whole paths, up to one switch and down";
}

void
PinnedBalancer::SetPath(std::optional<uint16_t> label, uint16_t plane)
{
    NS_ABORT_MSG_IF(label && *label >= ENTROPIES,
                    "PinnedBalancer: label " << *label << "; labels are below " << ENTROPIES);
    m_label = label;
    m_plane = plane;
}

std::optional<uint16_t>
PinnedBalancer::GetPath() const
{
    return m_label;
}

uint16_t
PinnedBalancer::GetPlane() const
{
    return m_plane;
}

void
PinnedBalancer::SetFailureCallback(FailureCallback choose)
{
    m_choose = choose;
}

std::optional<PathChoice>
PinnedBalancer::Choose(const PathRequest& request)
{
    if (m_label)
    {
        return PathChoice{uint32_t{PathChoice::FIRST_PORT} + *m_label, m_plane};
    }
    std::optional<PathChoice> choice = HostBalancer::Choose(request);
    choice->entropy &=
        ~ENTROPIES; // PathLabelBalancer takes ports from PathChoice::FIRST_PORT on for labels
    return choice;
}

void
PinnedBalancer::Feedback(uint32_t, PathEvent event, int64_t, int64_t)
{
    if (event == PathEvent::TIMED_OUT && m_label && !m_choose.IsNull())
    {
        const std::optional<uint16_t> label = m_choose(*m_label);
        SetPath(label, m_plane);
    }
}

TypeId
PinnedBalancer::GetSwitchBalancer() const
{
    return PathLabelBalancer::GetTypeId();
}

void
PinnedBalancer::DoDispose()
{
    m_choose = FailureCallback();
    HostBalancer::DoDispose();
}

bool
PinnedBalancer::KeepsPaths() const
{
    return true;
}

Ptr<HostBalancer>
PinnedBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
