/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTION_VALUE_H
#define OPTION_VALUE_H

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// An option that cannot be accepted: one line that names it, its value and what is allowed.
class OptionError : public std::invalid_argument
{
  public:
    /// @param name the option's name  @param value its value as it was given  @param allowed what
    /// is allowed, or what is wrong
    OptionError(const std::string& name, const std::string& value, const std::string& allowed);

    /// @return what is allowed, and what may have been meant: one of some names
    /// @param value as above  @param known the names  @param other another value; may be empty
    static std::string OneOf(const std::string& value,
                             const std::vector<std::string>& known,
                             const std::string& other = "");

    /// Throw one.  @param isWrong whether to throw it  @param name as above  @param value as above
    /// @param allowed as above
    static void ThrowIf(bool isWrong,
                        const std::string& name,
                        const std::string& value,
                        const std::string& allowed);
};

/// @return a message in one line, with the option that sets the attribute where it begins with one:
/// "--ns3::aifabric::PrimeBalancer::PartSizes=0: ..."  @param message such as
/// "PrimeBalancer::PartSizes=0: ..."
std::string NameOption(const std::string& message);

// ns-3's own parsers (DataRate, Time) abort at a bad text or take more than is meant, so a message
// that says what is allowed needs these.

/// @return the number, if the text is one that fits  @param text a whole number
std::optional<int64_t> ParseInteger(const std::string& text);

/// @return the rate in bit/s, if the text is a whole one  @param text a rate with its unit, such as
/// 800Gb/s or 800Gbps
std::optional<uint64_t> ParseRate(const std::string& text);

/// Rates that a link may have, for messages.
constexpr const char* LINK_RATES =
    "a rate with its unit, of at least 1 Mb/s, at which a byte takes a whole number of "
    "picoseconds: 10, 25, 40, 50, 100, 200, 400, 800 Gb/s and others";

/// @return whether a link may have a rate: one of LINK_RATES  @param rate in bit/s
bool IsLinkRate(uint64_t rate);

/// @return the number, if the text is one  @param text operations a second, such as 312TFLOPS,
/// 312TFLOP/s or 3.12e14
std::optional<double> ParseOperationRate(const std::string& text);

/// @return the bytes a second, if the text says them  @param text bytes a second, such as 2TB/s, or
/// bits a second, such as 400Gb/s, or a number of bytes a second, such as 2e12
std::optional<double> ParseByteRate(const std::string& text);

/// @return the time in picoseconds, rounded, if the text is one of at most 1000 s.
/// (ParseDuration(), for files that people write, refuses fractions of a picosecond; options are
/// computed by scripts.)  @param text a time with its unit: ps, ns, us, ms or s; only zero needs
/// none
std::optional<int64_t> ParseTime(const std::string& text);

/// When something begins and ends.
struct TimeRange
{
    int64_t startPs{0};            //!< when it begins, in picoseconds
    std::optional<int64_t> stopPs; //!< when it ends; never, if not given
};

/// @return the times, if the text says them and the second one is later  @param text a time as
/// ParseTime() reads it, or two with a dash between them, such as 10us-50us
std::optional<TimeRange> ParseTimeRange(const std::string& text);

/// @return its index, if the text is a host  @param text a host, such as host-3
std::optional<uint32_t> ParseHost(const std::string& text, uint32_t hosts);

/// @return the number, if the text is one  @param text a whole number; decimals that are 0, or an
/// exponent, may be there: 2.0, 1e6
std::optional<int64_t> ParseWhole(const std::string& text);

/// @return the number, if the text is one  @param given a number with or without decimals and
/// exponent
std::optional<double> ParseNumber(const std::string& given);

} // namespace aifabric
} // namespace ns3

#endif /* OPTION_VALUE_H */
