/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_OPTIONS_H
#define TRAFFIC_OPTIONS_H

#include "option-section.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options that say what is sent, and when.
 */
class TrafficOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options, with those of collectives.  @param table where
    static void Declare(OptionTable& table);

    /// Read who sends what.
    void Read();

  private:
    /// Find what the traffic is called, and refuse the files of other traffic.
    void ReadWorkload();

    /// Read flows that start by themselves.
    void ReadMessages();

    /// Read the flows of a file.
    void ReadFlows();

    /// Draw messages that arrive at random.
    void ReadPoisson();

    /// Read whether receivers admit what is sent to them.
    void ReadReceiverAdmission();

    /// Read when messages start.
    void ReadJitter();

    /// Read how acknowledgements go.
    void ReadAcks();
};

} // namespace aifabric
} // namespace ns3

#endif /* TRAFFIC_OPTIONS_H */
