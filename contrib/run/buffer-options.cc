/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"
#include "policy-kinds.h"
#include "policy-section.h"

#include "ns3/buffer-admission.h"
#include "ns3/csv-writer.h"
#include "ns3/dscp-table.h"
#include "ns3/dwrr-egress-scheduler.h"
#include "ns3/fabric-port.h"
#include "ns3/frame-codec.h"
#include "ns3/policy-misfit.h"
#include "ns3/queue-pair.h"
#include "ns3/shared-buffer.h"
#include "ns3/trimming-buffer.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <limits>
#include <string>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Reads what switches do with full queues: whom they drop, trim and pause.
class BufferOptions : public PolicySection
{
  public:
    using PolicySection::PolicySection;

    /// Read the buffers of switches.
    void ReadBuffers()
    {
        m_scenario.admission = ReadUsual("admission", FindUsualAdmission(m_scenario.transport));
        DeriveTrimming();
        CheckBuffer();
        CheckRecovery();
        CheckTrimming();
        CheckTrimmedClasses();
        CheckLastHop();
        CheckEgressScheduler();
    }

  private:
    /// Have switches trim at the queues of the transport, if it expects trimming and the buffer is
    /// not given.
    void DeriveTrimming()
    {
        constexpr double LAST_HOP = 1.5; // bandwidth-delay products, as Ultra Ethernet has it
        for (const char* derived : {"trimmingThreshold", "trimmingLastHop", "trimmingSource"})
        {
            m_scenario.options[derived] = nullptr;
        }
        if (m_table.At("buffer").IsSet() || m_scenario.admission != TrimmingBuffer::GetTypeId() ||
            m_scenario.admission != FindUsualAdmission(m_scenario.transport))
        {
            return;
        }
        const uint64_t product = GetFacts().GetPortBdp();
        const uint64_t lastHop = std::llround(LAST_HOP * static_cast<double>(product));
        SetDefault("ns3::aifabric::TrimmingBuffer::LastHopBytes", UintegerValue(lastHop));
        SetDefault("ns3::aifabric::TrimmingBuffer::OtherBytes", UintegerValue(product));
        m_scenario.bufferBytes = product;
        m_scenario.options["buffer"] = product;
        if (!IsSet("spineBuffer"))
        {
            m_scenario.spineBufferBytes = product;
            m_scenario.options["spineBuffer"] = product;
        }
        m_scenario.options["trimmingThreshold"] = product;
        m_scenario.options["trimmingLastHop"] =
            FindDefault<UintegerValue>(m_scenario.admission, "LastHopBytes").value();
        m_scenario.options["trimmingSource"] =
            "1 and " + FormatNumber(LAST_HOP) +
            " bandwidth-delay products of a port, for --transport=" +
            Registry("transport").NameOf(m_scenario.transport);
    }

    /// Refuse buffers that are too large to be counted.
    void CheckBuffer() const
    {
        TypeId::AttributeInformation shared;
        if (!m_scenario.admission.LookupAttributeByName("BufferBytes", &shared))
        {
            return;
        }
        for (const FabricSwitchSpec& spec : m_scenario.graph->Switches())
        {
            const bool isAbove = spec.tier > m_scenario.graph->LeafTier();
            const bool isOther = isAbove && IsSet("spineBuffer");
            const uint64_t bytes = isAbove ? m_scenario.spineBufferBytes : m_scenario.bufferBytes;
            RefuseIf(bytes * spec.portCount > std::numeric_limits<uint32_t>::max(),
                     isOther ? "spineBuffer" : "buffer",
                     "for all " + std::to_string(spec.portCount) +
                         " ports of a switch together less than 4 GiB");
        }
    }

    /// Refuse a recovery that needs what the fabric does not give.
    void CheckRecovery() const
    {
        const PolicyMisfit::Fabric fabric{
            CreateObject<DscpTable>(),
            MakePolicy<BufferAdmission>(m_scenario.admission)->Trims(),
            m_scenario.acksInFabric,
            m_scenario.telemetry};
        for (const PolicyMisfit& misfit :
             PolicyMisfit::Find(*MakeQueuePair(m_scenario.transport), fabric))
        {
            Refuse("recovery", misfit.why);
        }
    }

    /// Refuse senders that never wait where switches trim, and attributes of trimming where
    /// switches do not trim.
    void CheckTrimming() const
    {
        const bool trims = MakePolicy<BufferAdmission>(m_scenario.admission)->Trims();
        if (!trims && m_scenario.admission == SharedBuffer::GetTypeId())
        {
            RefuseAttributes(m_scenario.admission.GetName(),
                             {"TrimmingBytes", "TrimmedBytes", "TrimmedDscp", "LastHopDscp"},
                             "only with a trimming class "
                             "(--ns3::aifabric::SharedBuffer::TrimmingClasses=8)");
        }
        const std::string retransmissions = "ns3::aifabric::TrimmingBuffer::RetransmissionBytes";
        if (IsAttributeGiven(retransmissions))
        {
            const uint64_t least =
                FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, m_scenario.mtu, m_scenario.ipv6) +
                m_scenario.outerBytes;
            const uint64_t bytes =
                FindDefault<UintegerValue>(TrimmingBuffer::GetTypeId(), "RetransmissionBytes")
                    .value();
            OptionError::ThrowIf(bytes > 0 && bytes < least,
                                 retransmissions,
                                 m_scenario.attributes.at(retransmissions),
                                 "0, or room for a packet, which has " + std::to_string(least) +
                                     " bytes: a smaller queue trims all retransmissions");
        }
    }

    /// Refuse a queue pair that reads trimmed packets if switches do not trim the class of its
    /// data.
    void CheckTrimmedClasses() const
    {
        const auto queuePair = MakePolicy<QueuePair>(m_scenario.transport);
        const auto buffer = MakePolicy<BufferAdmission>(m_scenario.admission);
        const bool isShared = m_scenario.admission == SharedBuffer::GetTypeId();
        const std::string name = isShared ? "TrimmingClasses" : "Classes";
        UintegerValue lastHop; // a transport that has it reads trimmed packets
        UintegerValue classes;
        if (!buffer->Trims() || !queuePair->GetAttributeFailSafe("LastHopDscp", lastHop) ||
            !buffer->GetAttributeFailSafe(name, classes))
        {
            return;
        }
        UintegerValue dscp;
        queuePair->GetAttribute("Dscp", dscp);
        const uint8_t data = CreateObject<DscpTable>()->GetClass(dscp.Get());
        const std::string attribute = FindAttribute(m_scenario.admission, name);
        const uint64_t trimmed = FindUsual(*queuePair, attribute, classes.Get());
        const bool isHere = IsAttributeGiven(attribute);
        const std::string other = FindAttribute(m_scenario.transport, "Dscp");
        const std::string bit =
            std::to_string(1U << data) + " (class " + std::to_string(data) + ")";
        OptionError::ThrowIf(!(trimmed >> data & 1),
                             isHere ? attribute : other,
                             std::to_string(isHere ? trimmed : dscp.Get()),
                             isHere ? "a sum that contains " + bit + ", for " + other
                                    : "no data is trimmed unless " + attribute + ", which is " +
                                          std::to_string(trimmed) + ", contains " + bit);
    }

    /// @return the value of an attribute for a transport  @param queuePair of that transport
    /// @param attribute its name  @param given the value unless the transport has a usual one
    uint64_t FindUsual(const QueuePair& queuePair,
                       const std::string& attribute,
                       uint64_t given) const
    {
        for (const auto& [name, value] : queuePair.GetTraits().attributes)
        {
            if (name == attribute && !IsAttributeGiven(attribute))
            {
                return std::stoul(value);
            }
        }
        return given;
    }

    /// Refuse a queue pair that expects another DSCP of packets that the last switch has trimmed.
    void CheckLastHop() const
    {
        const std::string name = "LastHopDscp";
        const auto queuePair = MakePolicy<QueuePair>(m_scenario.transport);
        const auto buffer = MakePolicy<BufferAdmission>(m_scenario.admission);
        UintegerValue expected;
        UintegerValue marked;
        if (!buffer->Trims() || !queuePair->GetAttributeFailSafe(name, expected) ||
            !buffer->GetAttributeFailSafe(name, marked))
        {
            return;
        }
        const std::string there = FindAttribute(m_scenario.admission, name);
        const uint64_t dscp = FindUsual(*queuePair, there, marked.Get());
        const std::string here = FindAttribute(m_scenario.transport, name);
        const bool isHere = IsAttributeGiven(here);
        OptionError::ThrowIf(expected.Get() != dscp,
                             isHere ? here : there,
                             std::to_string(isHere ? expected.Get() : dscp),
                             "equal to " +
                                 (isHere ? there + ", which is " + std::to_string(dscp)
                                         : here + ", which is " + std::to_string(expected.Get())));
    }

    /// Refuse attributes of an egress scheduler that ports do not have.
    void CheckEgressScheduler() const
    {
        const std::string option = "EgressSchedulerType";
        const TypeId port = FabricPort::GetTypeId();
        const TypeId dwrr = DwrrEgressScheduler::GetTypeId();
        const TypeId scheduler = FindDefault<TypeIdValue>(port, option).value();
        if (scheduler != dwrr && !scheduler.IsChildOf(dwrr))
        {
            RefuseAttributes(dwrr.GetName(),
                             "only with --" + port.GetName() + "::" + option + "=" +
                                 dwrr.GetName());
        }
    }
};

} // namespace

void
ReadBuffers(const OptionTable& table, FabricScenario& scenario)
{
    BufferOptions(table, scenario).ReadBuffers();
}

} // namespace aifabric
} // namespace ns3
