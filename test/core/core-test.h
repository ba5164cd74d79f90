/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CORE_TEST_H
#define CORE_TEST_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{
}
} // namespace ns3

/// What the tests of algorithms have in common; this header also includes what most of them use of
/// the standard library, and names their namespaces.
namespace coretest
{

/// @return what() of the exception that a call throws, "" if none
template <typename Exception = std::invalid_argument, typename Call>
std::string
RefusalOf(Call&& call)
{
    try
    {
        call();
    }
    catch (const Exception& error)
    {
        return error.what();
    }
    return "";
}

/// @return what is wrong with a merge; nothing if it can be made
template <typename Series>
std::string
FindMergeFault(Series a, const Series& b)
{
    return RefusalOf([&] { a.Merge(b); });
}

/// @return the lines of events of a recording, which has comments and a line of names before them
inline std::vector<std::string>
ReadRecording(const std::string& path)
{
    std::ifstream file(path);
    std::vector<std::string> lines;
    bool isNamed = false;
    for (std::string line; std::getline(file, line);)
    {
        if (line.front() == '#')
        {
            continue;
        }
        if (isNamed)
        {
            lines.push_back(line);
        }
        isNamed = true;
    }
    return lines;
}

/// @return the events of a recording  @param read makes one of a line
template <typename Event>
std::vector<Event>
ReadEvents(const std::string& path, Event (*read)(const std::string&))
{
    std::vector<Event> events;
    for (const std::string& line : ReadRecording(path))
    {
        events.push_back(read(line));
    }
    return events;
}

} // namespace coretest

using namespace coretest;
using namespace ns3::aifabric;

#endif /* CORE_TEST_H */
