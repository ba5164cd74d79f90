/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRACE_OPTIONS_H
#define TRACE_OPTIONS_H

#include "option-section.h"

#include "ns3/chakra-options.h"

#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options that say how Chakra traces are read.
 */
class TraceOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Refuse all of the options, with other traffic.
    void RefuseAll();

    /// @return how Chakra traces are read, but where ranks are
    ChakraOptions Read();

  private:
    /// @return the value of an option with two values, the first if it is auto  @param name of the
    /// option  @param first the one value  @param second the other
    std::string ReadChoice(const std::string& name,
                           const std::string& first,
                           const std::string& second);

    /// @return the value of an option that is a rate, 0 if it is not given  @param name of the
    /// option  @param parse reads a rate  @param allowed what is allowed
    double ReadRate(const std::string& name,
                    std::optional<double> (*parse)(const std::string&),
                    const std::string& allowed) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* TRACE_OPTIONS_H */
