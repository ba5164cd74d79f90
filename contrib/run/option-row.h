/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTION_ROW_H
#define OPTION_ROW_H

#include "fabric-scenario.h"

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What the value of an option is, and which values are allowed.
struct OptionType
{
    std::string unit{"text"}; //!< count, bytes, time, rate, number, flag, choice, policy...
    nlohmann::ordered_json
        automatic{};       //!< what "auto" stands for; null: it depends on the scenario
    std::string allowed{}; //!< which values are, without auto; empty: it depends on the scenario
    std::vector<std::string> choices{}; //!< of a choice
    /// The value of a text: null if it is not allowed. None: any text is.
    std::function<nlohmann::ordered_json(const std::string&)> parse{};
    /// Of an option that names a file: whether a text is another value. None: auto and none are.
    std::function<bool(const std::string&)> isWord{};
};

/// When an option has a meaning.
struct OptionWhen
{
    std::string words;                                  //!< such as "only with --upgrade"
    std::function<bool(const FabricScenario&)> holds{}; //!< whether it has one; none: always
};

/// An option as its section declares it: all that is known of it before a command line is read.
struct OptionRow
{
    /// Has the value of an option in the scenario.
    using Setter = std::function<void(FabricScenario&, const nlohmann::ordered_json&)>;

    std::string name;                      //!< its name
    std::string usual;                     //!< its default; auto and none are special
    OptionType type;                       //!< what it may be
    std::string help;                      //!< what it means
    Setter set{};                          //!< the field that it sets; none: a rule reads it
    OptionWhen when{};                     //!< when it has a meaning
    std::vector<std::string> attributes{}; //!< that it stands for, and which are refused
    std::string heading{};                 //!< that of its group
};

/// Options that belong together.
struct OptionGroup
{
    std::string heading;         //!< what stands above them in the help
    std::vector<OptionRow> rows; //!< in the order of the help
};

/// The default of an option that depends on others.
constexpr const char* AUTO = "auto";
/// The default of an option for what may be absent.
constexpr const char* NONE = "none";

/// @return a whole number  @param high the most; 0: it depends on the scenario
/// @param automatic what "auto" stands for
OptionType Whole(int64_t low, int64_t high, const nlohmann::ordered_json& automatic = nullptr);

/// @return a number of bytes  @param automatic what "auto" stands for
OptionType Bytes(int64_t low, const nlohmann::ordered_json& automatic = nullptr);

/// @return a time  @param low the least, in picoseconds  @param automatic what "auto" stands for
OptionType Duration(int64_t low, const nlohmann::ordered_json& automatic = nullptr);

/// @return a decimal number  @param allowed which ones, in words  @param isRight which ones
/// @param automatic what "auto" stands for
OptionType Number(const std::string& allowed,
                  bool (*isRight)(double),
                  const nlohmann::ordered_json& automatic = nullptr);

/// @return true or false  @param unit flag, which needs no value, or boolean
/// @param automatic what "auto" stands for
OptionType Flag(const std::string& unit = "flag",
                const nlohmann::ordered_json& automatic = nullptr);

/// @return one of some names, the first of which "auto" stands for
OptionType Choice(const std::vector<std::string>& choices);

/// @return a value of another unit: rate, policy, list, file or text
inline OptionType
Plain(const std::string& unit)
{
    return {unit};
}

/// @return the path of a file, or another value  @param isWord whether a text is such a value
inline OptionType
FileOr(bool (*isWord)(const std::string&))
{
    OptionType type = Plain("file");
    type.isWord = isWord;
    return type;
}

/// @return what sets a field of the scenario  @tparam T of the field
template <typename T>
OptionRow::Setter
To(T FabricScenario::*field)
{
    return [field](FabricScenario& scenario, const nlohmann::ordered_json& value) {
        scenario.*field = value.get<T>();
    };
}

/// @return what sets a field that may be absent  @tparam T of the field
template <typename T>
OptionRow::Setter
To(std::optional<T> FabricScenario::*field)
{
    return [field](FabricScenario& scenario, const nlohmann::ordered_json& value) {
        scenario.*field = value.get<T>();
    };
}

/// @return what sets a field of a part of the scenario  @tparam P of the part  @tparam T of the
/// field
template <typename P, typename T>
OptionRow::Setter
To(P FabricScenario::*part, T P::*field)
{
    return [part, field](FabricScenario& scenario, const nlohmann::ordered_json& value) {
        scenario.*part.*field = value.get<T>();
    };
}

/// @return when another option has a value  @param option its name
inline OptionWhen
Only(const std::string& option, const std::string& value)
{
    return {"only with --" + option + "=" + value, [option, value](const FabricScenario& scenario) {
                return scenario.options.at(option) == value;
            }};
}

/// @return when another option has another value  @param option its name  @param words when, in
/// words
inline OptionWhen
Not(const std::string& option, const nlohmann::ordered_json& value, const std::string& words)
{
    return {words, [option, value](const FabricScenario& scenario) {
                return scenario.options.at(option) != value;
            }};
}

/// @return when another option, whose default is none, is given  @param option its name
inline OptionWhen
OnlyWith(const std::string& option)
{
    return {"only with --" + option, [option](const FabricScenario& scenario) {
                const nlohmann::ordered_json& value = scenario.options.at(option);
                return !value.is_null() && value != NONE;
            }};
}

} // namespace aifabric
} // namespace ns3

#endif /* OPTION_ROW_H */
