/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * A balancer of the hosts, for a library outside of the module (doc/add-a-balancer.rst).
 */

#include "ns3/entropy-balancer.h"
#include "ns3/uinteger.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/// Keeps a random label until a packet that has it is marked or lost, and then draws another one.
class StickyBalancer : public EntropyBalancer
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override;
    void Count(PolicyCounters& counters) const override;

  private:
    uint16_t NextLabel(int64_t now) override;

    uint32_t m_labels{0};            //!< how many labels to draw from
    std::optional<uint16_t> m_label; //!< the label, once a packet was sent
    uint64_t m_changes{0};           //!< how often it was changed
};

NS_OBJECT_ENSURE_REGISTERED(StickyBalancer);

TypeId
StickyBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::StickyBalancer")
                            .SetParent<EntropyBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<StickyBalancer>()
                            .AddAttribute("Labels",
                                          "Labels to draw from.",
                                          UintegerValue(ENTROPIES),
                                          MakeUintegerAccessor(&StickyBalancer::m_labels),
                                          MakeUintegerChecker<uint32_t>(1, ENTROPIES));
    return tid;
}

// The page: labels
uint16_t
StickyBalancer::NextLabel(int64_t)
{
    if (!m_label)
    {
        m_label = Draw(CountLabels(m_labels));
    }
    return *m_label;
}

void
StickyBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t)
{
    const bool isOfLabel = m_label && entropy == uint32_t{PathChoice::FIRST_PORT} + *m_label;
    if (isOfLabel && event != PathEvent::GOOD)
    {
        m_label.reset();
        ++m_changes;
    }
}

// The page: end
void
StickyBalancer::Count(PolicyCounters& counters) const
{
    counters["sticky_changes"] += m_changes;
}

} // namespace aifabric
} // namespace ns3
