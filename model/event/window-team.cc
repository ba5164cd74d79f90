/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "window-team.h"

#include "worker-number.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// Wait until something holds.  @param holds whether it does
template <typename Condition>
void
WaitUntil(Condition holds)
{
    constexpr uint32_t PATIENCE = 4000; // questions, in some microseconds
    for (uint32_t asked = 0; !holds(); ++asked)
    {
        if (asked > PATIENCE)
        {
            std::this_thread::yield();
        }
    }
}

} // namespace

WindowTeam::WindowTeam(uint32_t size)
{
    for (uint32_t worker = 1; worker < size; ++worker)
    {
        m_threads.emplace_back([this, worker]() { Work(worker); });
    }
}

WindowTeam::~WindowTeam()
{
    Begin(nullptr);
    for (std::thread& thread : m_threads)
    {
        thread.join();
    }
}

void
WindowTeam::Begin(const Part* part)
{
    m_part = part;
    m_left.store(m_threads.size(), std::memory_order_relaxed);
    m_round.fetch_add(1, std::memory_order_release);
}

void
WindowTeam::Run(const Part& part)
{
    Begin(&part);
    part(0);
    WaitUntil([this]() { return m_left.load(std::memory_order_acquire) == 0; });
}

void
WindowTeam::Work(uint32_t worker)
{
    WorkerNumber::Set(worker);
    for (uint32_t seen = 0;; ++seen)
    {
        WaitUntil([this, seen]() { return m_round.load(std::memory_order_acquire) != seen; });
        if (!m_part)
        {
            return;
        }
        (*m_part)(worker);
        m_left.fetch_sub(1, std::memory_order_release);
    }
}

} // namespace aifabric
} // namespace ns3
