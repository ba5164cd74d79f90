/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AGGREGATION_RATES_H
#define AGGREGATION_RATES_H

#include "option-section.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// How much workers of in-network aggregation send, and parameter servers process.
class AggregationRates : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    static constexpr double SLOWEST = 6; //!< standard deviations of the longest computation

    /// @return fragments that a worker may have outstanding, unless --aggregationWindow says so: as
    /// many a round trip as at 100 Gb/s, as far as a port has room for those that wait; with less
    /// room as many as at 100 Gb/s  @param spec with its jobs
    int64_t FindWindow(const AggregationSpec& spec) const;

    /// @return packets that a parameter server processes per second, unless its attribute says so
    uint64_t FindServiceRate() const;

    /// Refuse rates of packets at which nothing comes of a run.  @param spec all jobs
    void Check(const AggregationSpec& spec) const;

    /// @return after how long without a sum a run has stalled, by default, in picoseconds
    /// @param spec all jobs  @param roundTripPs delays of the links there and back, in picoseconds
    static int64_t FindPatiencePs(const AggregationSpec& spec, double roundTripPs);

  private:
    /// @return how many times the 100 Gb/s a link has for which ATP and SwitchML (both NSDI 2021)
    /// state windows and slots; at least 1
    double FindSpeed() const;

    /// @return how many sums of a fragment may wait for one link: balancers of flows may send those
    /// of all racks but that of the server over one, and the first one does not wait
    int64_t CountWaiting() const;

    /// @return how many jobs have a part in the traffic of one host, at most: in an iteration all
    /// of them send at once  @param spec all jobs
    static int64_t CountSharing(const AggregationSpec& spec);

    /// @return packets of the windows of all workers  @param spec all jobs
    static uint64_t CountWindows(const AggregationSpec& spec);

    /// @return the time that an iteration of a parameter server may take without a sum, in
    /// picoseconds  @param spec all jobs  @param roundTripPs delays of the links there and back
    static double FindServicePs(const AggregationSpec& spec, double roundTripPs);
};

} // namespace aifabric
} // namespace ns3

#endif /* AGGREGATION_RATES_H */
