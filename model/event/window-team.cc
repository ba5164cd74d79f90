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
WindowTeam::Member::Do(const Part& part, uint32_t worker)
{
    const Clock::time_point begin = Clock::now();
    part(worker);
    m_took = Clock::now() - begin;
}

template <typename Condition>
void
WindowTeam::Member::WaitUntil(Condition holds, WindowTeam& team)
{
    constexpr uint32_t SOME = 1000;   // questions, in some microseconds
    constexpr uint32_t HURRIED = 256; // waits
    constexpr Clock::duration USUAL = std::chrono::microseconds(100);
    const Clock::time_point until = Clock::now() + USUAL + 2 * m_took;
    do
    {
        for (uint32_t asked = 0; asked < SOME; ++asked)
        {
            if (holds())
            {
                m_hurried -= m_hurried > 0;
                return;
            }
        }
    } while (m_hurried == 0 && Clock::now() < until);
    m_hurried = m_hurried > 0 ? m_hurried - 1 : HURRIED;
    std::unique_lock lock(team.m_mutex);
    team.m_changed.wait(lock, holds);
}

void
WindowTeam::Wake()
{
    {
        const std::lock_guard lock(m_mutex); // who has just asked in vain waits by now
    }
    m_changed.notify_all();
}

void
WindowTeam::Begin(const Part* part)
{
    m_part = part;
    m_left.store(m_threads.size(), std::memory_order_relaxed);
    m_round.fetch_add(1, std::memory_order_release);
    Wake();
}

void
WindowTeam::Run(const Part& part)
{
    if (m_threads.empty())
    {
        part(0); // there is no other one to wait for, or to wake
        return;
    }
    Begin(&part);
    m_caller.Do(part, 0);
    m_caller.WaitUntil([this]() { return m_left.load(std::memory_order_acquire) == 0; }, *this);
}

void
WindowTeam::Work(uint32_t worker)
{
    WorkerNumber::Set(worker);
    Member member;
    for (uint32_t seen = 0;; ++seen)
    {
        member.WaitUntil([this, seen]() { return m_round.load(std::memory_order_acquire) != seen; },
                         *this);
        if (!m_part)
        {
            return;
        }
        member.Do(*m_part, worker);
        if (m_left.fetch_sub(1, std::memory_order_release) == 1)
        {
            Wake();
        }
    }
}

} // namespace aifabric
} // namespace ns3
