/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

// The congestion window of NSCC against uet-htsim, from which data/nscc-*.csv were recorded: the
// same acknowledgements, NACKs and timeouts lead to the same windows.

#include "ns3/nscc-window.h"

namespace
{

constexpr double TOLERANCE = 0.01;                                //!< share of the recorded window
const std::string PATH = AI_FABRIC_SOURCE_DIR "/test/core/data/"; //!< of the recordings

/// What uet-htsim did in one scenario. The network RTT is the one that it printed.
struct Recording
{
    std::string file;   //!< name of the file
    double rate;        //!< of a host, in bytes per ps
    int64_t networkRtt; //!< in ps
    bool trims;         //!< switches trim packets
    size_t events;      //!< number of events in the file
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
    uint32_t connection{0};     //!< its number in the file
    int64_t time{0};            //!< in ps
    std::string kind;           //!< ack, nack or timeout
    int64_t sent{0};            //!< bytes put in flight since the previous event
    int64_t bytes{0};           //!< newly acknowledged, or lost
    std::optional<int64_t> rtt; //!< valid sample, in ps
    bool marked{false};         //!< the report has an ECN mark
    double window{0};           //!< of uet-htsim after the event, in bytes
    int64_t inFlight{0};        //!< of uet-htsim after the event, in bytes
};

/// @return the next column of a line, empty at its end
std::string
NextColumn(std::istringstream& line)
{
    std::string column;
    std::getline(line, column, ',');
    return column;
}

Event
ReadEvent(const std::string& text)
{
    std::istringstream line(text);
    Event event;
    event.connection = static_cast<uint32_t>(std::stoul(NextColumn(line)));
    event.time = std::stoll(NextColumn(line));
    event.kind = NextColumn(line);
    event.sent = std::stoll(NextColumn(line));
    event.bytes = std::stoll(NextColumn(line));
    const std::string rtt = NextColumn(line);
    if (!rtt.empty())
    {
        event.rtt = std::stoll(rtt);
    }
    event.marked = NextColumn(line) == "1";
    event.window = std::stod(NextColumn(line));
    event.inFlight = std::stoll(NextColumn(line));
    return event;
}

/// @return a window as a connection of uet-htsim begins with it
NsccWindow
Begin(const Recording& recording)
{
    NsccWindow::Parameters parameters;
    parameters.profile = NsccWindow::UET;
    parameters.networkRtt = recording.networkRtt;
    parameters.rate = recording.rate;
    parameters.trims = recording.trims;
    return NsccWindow{NsccWindow::Constants(parameters)};
}

/// Let a window process an event.
void
Process(NsccWindow& window, const Event& event)
{
    if (event.sent > 0)
    {
        window.Sent(event.sent);
    }
    if (event.kind == "ack")
    {
        NsccWindow::Ack ack;
        ack.bytes = event.bytes;
        ack.rtt = event.rtt;
        ack.marked = event.marked;
        window.Acknowledged(ack, event.time);
    }
    else if (event.kind == "nack")
    {
        window.Trimmed(event.bytes, false, event.time);
    }
    else
    {
        ASSERT_EQ(event.kind, "timeout");
        window.TimedOut(event.bytes);
    }
}

/// The recordings.
struct NsccReplay : testing::TestWithParam<Recording>
{
};

// Each window begins as that of uet-htsim and is never corrected, so differences would add up.
TEST_P(NsccReplay, WindowsAreThoseOfUetHtsim)
{
    const std::vector<Event> events = ReadEvents(PATH + GetParam().file, ReadEvent);
    ASSERT_EQ(events.size(), GetParam().events) << PATH << GetParam().file;
    std::vector<NsccWindow> windows;
    double largest = 0;
    for (size_t i = 0; i < events.size(); ++i)
    {
        const Event& event = events[i];
        while (event.connection >= windows.size())
        {
            windows.push_back(Begin(GetParam()));
        }
        NsccWindow& window = windows[event.connection];
        Process(window, event);
        const double difference = std::abs(window.GetWindow() / event.window - 1);
        largest = std::max(largest, difference);
        ASSERT_LE(difference, TOLERANCE)
            << "event " << i + 1 << " of " << GetParam().file << ": " << event.kind
            << " of connection " << event.connection << " at " << event.time << " ps; "
            << window.GetWindow() << " B instead of " << event.window << " B";
        ASSERT_EQ(window.GetInFlight(), event.inFlight) << "event " << i + 1;
    }
    RecordProperty("LargestDifference", std::to_string(largest));
}

INSTANTIATE_TEST_SUITE_P(
    Recordings,
    NsccReplay,
    testing::Values(Recording{"nscc-trimming.csv", 0.0125, 14'022'720, true, 1555},
                    Recording{"nscc-dropping.csv", 0.0125, 14'022'720, false, 978},
                    Recording{"nscc-one-path.csv", 0.0125, 14'022'720, false, 800},
                    Recording{"nscc-leaf-spine.csv", 0.05, 8'337'120, true, 1695}));

} // namespace
