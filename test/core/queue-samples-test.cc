/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "series-laws.h"

#include "ns3/queue-samples.h"
#include "ns3/run-measures.h"

namespace
{

constexpr std::size_t LAYERS = 4; //!< of the fabric

/// What a port of a layer holds at a time.
struct PortState
{
    std::size_t layer; //!< its layer
    uint64_t frames;   //!< waiting or in transmission
    uint64_t bytes;    //!< waiting
    bool paused;       //!< a class is paused
};

/// Add what a port holds at a time.
void
Add(QueueSamples& samples, std::size_t time, const PortState& port)
{
    QueueSamples::LayerState& state = samples.states[time * LAYERS + port.layer];
    state.frames += port.frames;
    state.bytes += port.bytes;
    state.maxFrames = std::max(state.maxFrames, port.frames);
    state.pausedPorts += port.paused;
}

/// @return samples of idle ports
QueueSamples
IdleSamples(std::size_t times)
{
    QueueSamples samples;
    for (std::size_t i = 0; i < times; ++i)
    {
        samples.times.push_back(static_cast<int64_t>(i) * 100'000);
    }
    samples.states.resize(times * LAYERS);
    return samples;
}

/// Expect two samples to be the same.
void
ExpectSame(const QueueSamples& a, const QueueSamples& b)
{
    EXPECT_EQ(a.times, b.times);
    ASSERT_EQ(a.states.size(), b.states.size());
    for (std::size_t i = 0; i < a.states.size(); ++i)
    {
        EXPECT_EQ(a.states[i].frames, b.states[i].frames);
        EXPECT_EQ(a.states[i].bytes, b.states[i].bytes);
        EXPECT_EQ(a.states[i].maxFrames, b.states[i].maxFrames);
        EXPECT_EQ(a.states[i].pausedPorts, b.states[i].pausedPorts);
    }
}

} // namespace

TEST(QueueSamples, ThePartsOfARunMergeIntoIt)
{
    for (uint32_t seed = 1; seed <= 100; ++seed)
    {
        std::mt19937_64 random(seed);
        const std::size_t times = random() % 20;
        const std::size_t ports = 1 + random() % 20;
        QueueSamples whole = IdleSamples(times);
        std::vector<QueueSamples> parts(1 + random() % 5, whole);
        for (std::size_t port = 0; port < ports; ++port)
        {
            QueueSamples& part = parts[random() % parts.size()]; // it is idle in all others
            const std::size_t layer = random() % LAYERS;
            for (std::size_t time = 0; time < times; ++time)
            {
                const PortState state{layer, random() % 50, random() % 100'000, random() % 2 == 1};
                Add(whole, time, state);
                Add(part, time, state);
            }
        }
        std::shuffle(parts.begin(), parts.end(), random);
        QueueSamples merged = parts[0];
        for (std::size_t i = 1; i < parts.size(); ++i)
        {
            merged.Merge(QueueSamples::Read(parts[i].Write()));
        }
        ExpectSame(merged, whole);
    }
}

TEST(QueueSamples, OtherTimesAreRefused)
{
    const std::string words = "samples that were taken at different times cannot be merged";
    EXPECT_EQ(FindMergeFault(IdleSamples(5), IdleSamples(5)), "");
    EXPECT_EQ(FindMergeFault(IdleSamples(5), IdleSamples(6)), words);
    EXPECT_EQ(FindMergeFault(IdleSamples(5), IdleSamples(0)), words);
    QueueSamples later = IdleSamples(5);
    ++later.times[3];
    EXPECT_EQ(FindMergeFault(IdleSamples(5), later), words);
}

TEST(QueueSamples, OtherLayersAreRefused)
{
    QueueSamples more = IdleSamples(5);
    more.states.resize(5 * (LAYERS + 2));
    EXPECT_EQ(FindMergeFault(IdleSamples(5), more), "samples of different layers cannot be merged");
}

TEST(QueueSamples, RefusesWhatIsDamaged)
{
    const std::string bytes = IdleSamples(3).Write();
    ExpectSame(QueueSamples::Read(bytes), IdleSamples(3));
    ExpectEachDamageRefused<QueueSamples>(bytes);
    EXPECT_THROW(QueueSamples::Read(RunMeasures().Write()), std::invalid_argument);
    EXPECT_THROW(RunMeasures::Read(bytes), std::invalid_argument);
}
