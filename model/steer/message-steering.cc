/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-steering.h"

#include "piece-carrier.h"

#include "ns3/boolean.h"
#include "ns3/object-lock.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MessageSteering);

TypeId
MessageSteering::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::MessageSteering")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddAttribute("Renew",
                          "Each piece of a message has a queue pair of its own until it is "
                          "acknowledged, whose congestion control, source port and balancer begin "
                          "anew, as if it had just been opened. Else queue pairs are shared and "
                          "stay as they are.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MessageSteering::m_renews),
                          MakeBooleanChecker());
    return tid;
}

void
MessageSteering::DoDispose()
{
    m_carrier = nullptr;
    m_random = nullptr;
    Object::DoDispose();
}

void
MessageSteering::Install(PieceCarrier* carrier, uint32_t host)
{
    m_carrier = carrier;
    m_host = host;
}

MessageService&
MessageSteering::GetService() const
{
    return m_carrier->GetService();
}

std::optional<TypeId>
MessageSteering::GetBalancer() const
{
    return std::nullopt;
}

void
MessageSteering::WriteAcknowledged(uint32_t, uint32_t, uint64_t)
{
}

void
MessageSteering::Count(PolicyCounters&) const
{
}

uint32_t
MessageSteering::CountLanes(const Flow& flow) const
{
    return m_renews ? 0 : DoCountLanes(flow);
}

uint32_t
MessageSteering::DoCountLanes(const Flow&) const
{
    return 0;
}

uint64_t
MessageSteering::CountPieces(uint32_t messages, uint64_t, uint32_t) const
{
    return messages;
}

uint64_t
MessageSteering::CountQueuePairs(uint32_t messages, uint64_t bytes, uint32_t paths) const
{
    return CountPieces(messages, bytes, paths);
}

int64_t
MessageSteering::AssignStreams(int64_t stream)
{
    m_stream = stream;
    if (m_random)
    {
        m_random->SetStream(stream);
    }
    return 1;
}

uint32_t
MessageSteering::Draw(uint32_t bound)
{
    if (!m_random)
    {
        const ObjectLock lock;
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(m_stream);
    }
    return m_random->GetInteger(0, bound - 1);
}

uint32_t
MessageSteering::Post(uint32_t message, uint64_t bytes, uint32_t lane)
{
    if (!m_renews)
    {
        return m_carrier->Post(message, bytes, lane);
    }
    uint32_t number = 0;
    m_carrier->PostAlone(message, bytes, [&number](const Ptr<QueuePair>& queuePair, bool isNew) {
        number = queuePair->GetNumber();
        if (!isNew)
        {
            queuePair->Renew();
        }
    });
    return number;
}

} // namespace aifabric
} // namespace ns3
