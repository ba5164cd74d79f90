/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-row.h"

#include "option-value.h"

#include "ns3/message-text.h"
#include "ns3/workload-text.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return a number, null if there is none or it is not allowed  @tparam T of the number
/// @param isRight whether it is allowed
template <typename T, typename F>
nlohmann::ordered_json
Checked(const std::optional<T>& value, F isRight)
{
    return value && isRight(*value) ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

} // namespace

OptionType
Whole(int64_t low, int64_t high, const nlohmann::ordered_json& automatic)
{
    const std::string range = std::to_string(low) + " to " + std::to_string(high);
    return {"count",
            automatic,
            high == 0 ? "" : "a whole number from " + range,
            {},
            [=](auto& text) {
                return Checked(ParseWhole(text),
                               [=](int64_t value) { return value >= low && value <= high; });
            }};
}

OptionType
Bytes(int64_t low, const nlohmann::ordered_json& automatic)
{
    return {"bytes",
            automatic,
            "a number of bytes, such as 4096, 800kB or 1MiB, of at least " + std::to_string(low),
            {},
            [low](auto& text) {
                return Checked(ParseBytes(text), [low](uint64_t value) {
                    return value >= static_cast<uint64_t>(low);
                });
            }};
}

OptionType
Duration(int64_t low, const nlohmann::ordered_json& automatic)
{
    return {"time",
            automatic,
            std::string("a time with its unit (ps, ns, us, ms, s), such as 500ns, ") +
                (low > 0 ? "above zero and of" : "of") + " at most 1000s",
            {},
            [low](auto& text) {
                return Checked(ParseTime(text), [low](int64_t value) { return value >= low; });
            }};
}

OptionType
Number(const std::string& allowed, bool (*isRight)(double), const nlohmann::ordered_json& automatic)
{
    return {"number", automatic, allowed, {}, [isRight](auto& text) {
                return Checked(ParseNumber(text), isRight);
            }};
}

OptionType
Flag(const std::string& unit, const nlohmann::ordered_json& automatic)
{
    return {unit, automatic, "true or false", {}, [](auto& text) {
                const bool isTrue = text == "true" || text == "True";
                const bool isFalse = text == "false" || text == "False";
                return isTrue || isFalse ? nlohmann::ordered_json(isTrue)
                                         : nlohmann::ordered_json();
            }};
}

OptionType
Choice(const std::vector<std::string>& choices)
{
    const std::string allowed = "one of " + Listed(choices, choices.size());
    return {"choice", choices.front(), allowed, choices, [choices](auto& text) {
                const bool isKnown = std::count(choices.begin(), choices.end(), text) > 0;
                return isKnown ? nlohmann::ordered_json(text) : nlohmann::ordered_json();
            }};
}

} // namespace aifabric
} // namespace ns3
