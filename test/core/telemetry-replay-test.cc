/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

// HPCC and TIMELY against the simulator of HPCC's authors, PowerTCP against the control of its
// authors in that simulator, from which data/hpcc-*.csv, timely-*.csv and power-tcp-*.csv were
// recorded: the same acknowledgements and telemetry lead to the same rates.

#include "ns3/boolean.h"
#include "ns3/congestion-control.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric-facts.h"
#include "ns3/hpcc-control.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/path-telemetry.h"
#include "ns3/power-tcp-control.h"
#include "ns3/timely-control.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

constexpr double TOLERANCE = 1e-6;                                //!< share of a recorded rate
constexpr int64_t PS = 1000;                                      //!< of a nanosecond
constexpr uint32_t PAYLOAD = 1000;                                //!< bytes of a packet
const std::string PATH = AI_FABRIC_SOURCE_DIR "/test/core/data/"; //!< of the recordings

/// What the simulator did in one scenario.
struct Recording
{
    std::string file;                 //!< name of the file
    Ptr<CongestionControl> (*make)(); //!< the control with the constants of the simulator
    uint64_t lineRate;                //!< of the hosts, in Gb/s
    int64_t baseRtt;                  //!< in ns
    size_t events;                    //!< number of events in the file
    bool startsAtZero{false};         //!< the first report is compared with one of zeros
};

/// Name a recording in the output of the tests.
void
PrintTo(const Recording& recording, std::ostream* os)
{
    *os << recording.file;
}

/// One line of a recording: an acknowledgement.
struct Event
{
    uint32_t flow{0};        //!< its number in the file
    int64_t time{0};         //!< in ns
    int64_t sent{0};         //!< when its packet was sent, in ns
    double rate{0};          //!< behind the event, in bit/s
    PathTelemetry telemetry; //!< what the packet brought; none of TIMELY
};

Event
ReadEvent(const std::string& text)
{
    std::istringstream line(text);
    std::vector<double> numbers;
    for (std::string number; std::getline(line, number, ',');)
    {
        numbers.push_back(std::stod(number));
    }
    EXPECT_EQ(numbers.size() % 4, 0) << text;
    Event event;
    event.flow = static_cast<uint32_t>(numbers.at(0));
    event.time = static_cast<int64_t>(numbers.at(1));
    event.sent = static_cast<int64_t>(numbers.at(2));
    event.rate = numbers.at(3);
    event.telemetry.path = 7;
    for (size_t column = 4; column < numbers.size(); column += 4)
    {
        HopTelemetry& hop = event.telemetry.hop[event.telemetry.hops++];
        hop.time = static_cast<uint64_t>(numbers[column]);
        hop.sent = static_cast<uint64_t>(numbers[column + 1]);
        hop.queue = static_cast<uint64_t>(numbers[column + 2]);
        hop.rate = static_cast<float>(numbers[column + 3] / 8);
    }
    return event;
}

/// HPCC as its authors ran it.  @tparam stages maxStage  @tparam increase bytes of a round trip
template <uint64_t stages, uint64_t increase>
Ptr<CongestionControl>
MakeHpcc()
{
    const Ptr<HpccControl> control = CreateObject<HpccControl>();
    control->SetAttribute("MaxStage", UintegerValue(stages));
    control->SetAttribute("Increase", UintegerValue(increase));
    return control;
}

/// PowerTCP as its authors ran it.  @tparam increase bytes of a round trip
template <uint64_t increase>
Ptr<CongestionControl>
MakePowerTcp()
{
    const Ptr<PowerTcpControl> control = CreateObject<PowerTcpControl>();
    control->SetAttribute("Increase", UintegerValue(increase));
    control->SetAttribute("TargetPower", DoubleValue(0.95));
    control->SetAttribute("WeighsNoted", BooleanValue(true));
    return control;
}

/// TIMELY as HPCC's authors ran it, but for the hyperactive increase, which is as the others.
Ptr<CongestionControl>
MakeTimely()
{
    const Ptr<TimelyControl> control = CreateObject<TimelyControl>();
    control->SetAttribute("Segment", UintegerValue(0));
    control->SetAttribute("MinRtt", TimeValue(MicroSeconds(20)));
    control->SetAttribute("AdditiveIncrease", DataRateValue(DataRate("50Mb/s")));
    control->SetAttribute("HyperFactor", DoubleValue(1));
    return control;
}

/// @return the control of a flow that begins
Ptr<CongestionControl>
Begin(const Recording& recording, const PathTelemetry& first)
{
    FabricFacts facts;
    facts.portRate = DataRate(recording.lineRate * 1'000'000'000);
    facts.mtu = PAYLOAD;
    facts.baseRtt = NanoSeconds(recording.baseRtt);
    facts.telemetry = true;
    const Ptr<CongestionControl> control = recording.make();
    control->Start(facts);
    if (recording.startsAtZero)
    {
        PathTelemetry zeros = first;
        for (HopTelemetry& hop : zeros.hop)
        {
            hop.time = hop.sent = hop.queue = 0;
        }
        control->TelemetryReceived(zeros, 0, 0);
    }
    return control;
}

/// The recordings.
struct TelemetryReplay : testing::TestWithParam<Recording>
{
};

// Each flow begins as that of the simulator and is never corrected, so differences would add up.
TEST_P(TelemetryReplay, RatesAreThoseOfTheAuthorsSimulator)
{
    const std::vector<Event> events = ReadEvents(PATH + GetParam().file, ReadEvent);
    ASSERT_EQ(events.size(), GetParam().events) << PATH << GetParam().file;
    std::map<uint32_t, Ptr<CongestionControl>> controls;
    double largest = 0;
    for (size_t i = 0; i < events.size(); ++i)
    {
        const Event& event = events[i];
        Ptr<CongestionControl>& control = controls[event.flow];
        control = control ? control : Begin(GetParam(), event.telemetry);
        AckReport report;
        report.sentAt = event.sent * PS;
        if (control->NeedsTelemetry())
        {
            control->TelemetryReceived(event.telemetry, report.sentAt, event.time * PS);
        }
        control->Acknowledged(PAYLOAD, report, event.time * PS);
        const auto rate = static_cast<double>(control->GetRate().GetBitRate());
        largest = std::max(largest, std::abs(rate / event.rate - 1));
        ASSERT_LE(largest, TOLERANCE) << "event " << i + 1 << " of " << GetParam().file << ": "
                                      << rate << " instead of " << event.rate << " bit/s";
    }
    std::ostringstream text; // to_string would write 0.000000
    text << largest;
    RecordProperty("LargestDifference", text.str());
}

INSTANTIATE_TEST_SUITE_P(
    Recordings,
    TelemetryReplay,
    testing::Values(Recording{"hpcc-incast.csv", MakeHpcc<0, 26>, 100, 4160, 1450},
                    Recording{"hpcc-stages.csv", MakeHpcc<5, 26>, 100, 4160, 1100},
                    Recording{"hpcc-path.csv", MakeHpcc<5, 62>, 100, 6200, 1150},
                    Recording{"power-tcp-incast.csv", MakePowerTcp<78>, 100, 4160, 1400, true},
                    Recording{"power-tcp-path.csv", MakePowerTcp<117>, 100, 6240, 1150, true},
                    Recording{"timely-far.csv", MakeTimely, 100, 100160, 1500}));

} // namespace
