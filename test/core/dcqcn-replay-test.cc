/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

// The reaction point of DCQCN against the simulator of HPCC, from which data/dcqcn-hpcc-*.csv were
// recorded: the same CNPs lead to the same rates, targets, alphas and expirations of timers.

#include "ns3/dcqcn-presets.h"
#include "ns3/dcqcn-rate.h"

namespace
{

constexpr double TOLERANCE = 1e-6;                                //!< share of a recorded value
constexpr double GBPS = 1e9;                                      //!< bit/s
constexpr int64_t NS = 1000;                                      //!< picoseconds
const std::string PATH = AI_FABRIC_SOURCE_DIR "/test/core/data/"; //!< of the recordings

/// What the simulator did in one scenario.
struct Recording
{
    std::string file;          //!< name of the file
    DcqcnPresets::Name preset; //!< whose constants it used
    double lineRate;           //!< of the port, in Gb/s
    bool clamps;               //!< it had a rate at the first CNP and a target that is clamped
    size_t events;             //!< number of events in the file
};

/// Name a recording in the output of the tests.
void
PrintTo(const Recording& recording, std::ostream* os)
{
    *os << recording.file;
}

/// One line of a recording.
struct Event
{
    uint32_t flow{0};      //!< its number in the file
    int64_t time{0};       //!< in ns
    std::string kind;      //!< cnp or timer
    double rate{0};        //!< behind the event, in bit/s
    double target{0};      //!< behind the event, in bit/s
    double alpha{0};       //!< behind the event
    uint32_t timeStage{0}; //!< behind the event
};

Event
ReadEvent(const std::string& text)
{
    std::istringstream line(text);
    Event event;
    char comma = ',';
    line >> event.flow >> comma >> event.time >> comma;
    std::getline(line, event.kind, ',');
    line >> event.rate >> comma >> event.target >> comma >> event.alpha >> comma >> event.timeStage;
    EXPECT_FALSE(line.fail()) << text;
    return event;
}

/// @return the rate of a flow of the simulator
DcqcnRate::Parameters
GetParameters(const Recording& recording)
{
    DcqcnRate::Parameters parameters =
        DcqcnPresets::Get(recording.preset, recording.lineRate * GBPS);
    if (recording.clamps)
    {
        // An increase and a check for a cut are due at the same time, from event 301 on. There the
        // simulator increases first, as it scheduled this earlier; DcqcnRate only cuts. So the
        // increase is due 1 ps earlier here.
        parameters.ratePeriod -= 1;
        parameters.firstRate = 0.5;
        parameters.clampsTarget = true;
        parameters.additive = 0.05 * GBPS;
        parameters.hyper = 0.1 * GBPS;
        parameters.leastRate = 0.1 * GBPS;
    }
    return parameters;
}

/// Replays a recording.
struct Replay
{
    /// @param lineRate of the port, in bit/s
    Replay(double lineRate, const DcqcnRate::Parameters& parameters)
        : m_lineRate(lineRate),
          m_parameters(parameters)
    {
    }

    /// Let a flow process an event.
    /// @return whether its state is that of the simulator, before and behind it
    testing::AssertionResult Process(const Event& event)
    {
        while (event.flow >= m_rates.size())
        {
            m_rates.emplace_back(m_parameters, m_lineRate);
            Event first;
            first.rate = first.target = m_lineRate;
            m_states.push_back(first);
        }
        DcqcnRate& rate = m_rates[event.flow];
        Event& before = m_states[event.flow];
        rate.Advance((event.time - 2) * NS); // no timer expires early
        if (std::abs(rate.GetRate() / before.rate - 1) > TOLERANCE)
        {
            return testing::AssertionFailure() << "before it " << rate.GetRate()
                                               << " bit/s instead of " << before.rate << " bit/s";
        }
        event.kind == "cnp" ? rate.Notified(event.time * NS) : rate.Advance(event.time * NS);
        before = event;
        return Compare(rate, event);
    }

    /// @return the largest difference of a rate, as a share
    double GetLargest() const
    {
        return m_largest;
    }

    /// @return whether a flow has the recorded state
    testing::AssertionResult Compare(const DcqcnRate& rate, const Event& event)
    {
        const double difference = std::max({std::abs(rate.GetRate() / event.rate - 1),
                                            std::abs(rate.GetTarget() / event.target - 1),
                                            std::abs(rate.GetAlpha() / event.alpha - 1)});
        m_largest = std::max(m_largest, difference);
        if (difference <= TOLERANCE && rate.GetTimeStage() == event.timeStage)
        {
            return testing::AssertionSuccess();
        }
        return testing::AssertionFailure()
               << event.kind << " of flow " << event.flow << " at " << event.time << " ns: rate "
               << rate.GetRate() << " instead of " << event.rate << ", target " << rate.GetTarget()
               << " instead of " << event.target << ", alpha " << rate.GetAlpha() << " instead of "
               << event.alpha << ", T " << rate.GetTimeStage() << " instead of " << event.timeStage;
    }

    double m_lineRate;                  //!< of the port, in bit/s
    DcqcnRate::Parameters m_parameters; //!< of the flows
    std::vector<DcqcnRate> m_rates;     //!< by flow
    std::vector<Event> m_states;        //!< of the simulator, by flow
    double m_largest{0};                //!< difference
};

/// The recordings.
struct DcqcnReplay : testing::TestWithParam<Recording>
{
};

// Each flow begins as that of the simulator and is never corrected, so differences would add up.
TEST_P(DcqcnReplay, StateIsThatOfHpccsSimulator)
{
    const std::vector<Event> events = ReadEvents(PATH + GetParam().file, ReadEvent);
    ASSERT_EQ(events.size(), GetParam().events) << PATH << GetParam().file;
    Replay replay(GetParam().lineRate * GBPS, GetParameters(GetParam()));
    for (size_t i = 0; i < events.size(); ++i)
    {
        ASSERT_TRUE(replay.Process(events[i])) << "event " << i + 1 << " of " << GetParam().file;
    }
    std::ostringstream largest; // to_string would write 0.000000
    largest << replay.GetLargest();
    RecordProperty("LargestDifference", largest.str());
}

INSTANTIATE_TEST_SUITE_P(
    Recordings,
    DcqcnReplay,
    testing::Values(
        Recording{"dcqcn-hpcc-repo.csv", DcqcnPresets::HPCC_REPO, 100, false, 1514},
        Recording{"dcqcn-hpcc-repo-400g.csv", DcqcnPresets::HPCC_REPO, 400, false, 1017},
        Recording{"dcqcn-hpcc-repo-paper.csv", DcqcnPresets::HPCC_PAPER, 100, false, 758},
        Recording{"dcqcn-hpcc-default.csv", DcqcnPresets::HPCC_DEFAULT, 40, false, 830},
        Recording{"dcqcn-hpcc-clamp.csv", DcqcnPresets::HPCC_REPO, 25, true, 1299}));

} // namespace
