/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interrupt-cleanup.h"

#include <unistd.h>

namespace ns3
{
namespace aifabric
{

static_assert(std::atomic<const void*>::is_always_lock_free, "a signal handler reads it");

std::atomic<const InterruptCleanup::Entry*> InterruptCleanup::g_last{nullptr};

InterruptCleanup::Hold::Hold()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : SIGNALS)
    {
        sigaddset(&signals, number);
    }
    pthread_sigmask(SIG_BLOCK, &signals, &m_before);
}

InterruptCleanup::Hold::~Hold()
{
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

InterruptCleanup::InterruptCleanup()
{
    struct sigaction action = {};
    action.sa_handler = &InterruptCleanup::Handle;
    sigfillset(&action.sa_mask); // one is enough
    for (std::size_t i = 0; i < SIGNALS.size(); ++i)
    {
        sigaction(SIGNALS[i], nullptr, &m_before[i]);
        if (m_before[i].sa_handler != SIG_IGN)
        {
            sigaction(SIGNALS[i], &action, nullptr);
        }
    }
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &ignore, &m_sizeBefore);
}

InterruptCleanup::~InterruptCleanup()
{
    for (std::size_t i = 0; i < SIGNALS.size(); ++i)
    {
        sigaction(SIGNALS[i], &m_before[i], nullptr);
    }
    sigaction(SIGXFSZ, &m_sizeBefore, nullptr);
    Clear();
}

void
InterruptCleanup::Add(const std::string& path)
{
    m_entries.push_back(Entry{path, m_entries.empty() ? nullptr : &m_entries.back()});
    g_last = &m_entries.back();
}

void
InterruptCleanup::Remove()
{
    RemoveFrom(g_last);
    Clear();
}

void
InterruptCleanup::Clear()
{
    g_last = nullptr;
    m_entries.clear();
}

void
InterruptCleanup::RemoveFrom(const Entry* last)
{
    for (const Entry* entry = last; entry; entry = entry->earlier)
    {
        if (unlink(entry->path.c_str()) != 0)
        {
            rmdir(entry->path.c_str());
        }
    }
}

void
InterruptCleanup::Handle(int number)
{
    constexpr int KILLED = 128; // what shells add
    RemoveFrom(g_last);
    _exit(KILLED + number);
}

} // namespace aifabric
} // namespace ns3
