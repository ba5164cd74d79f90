/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/chakra-groups.h"
#include "ns3/json-text.h"

#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <string>

using namespace ns3::aifabric;

namespace
{

/// @return what is wrong with a text of groups  @param text the text
std::string
ErrorOf(const std::string& text)
{
    try
    {
        ReadChakraGroups(text, "g.json");
    }
    catch (const std::invalid_argument& error)
    {
        const std::string what = error.what();
        return what.substr(0, what.find(" (lists of ranks"));
    }
    return "";
}

} // namespace

TEST(ChakraGroups, ReadsAnObjectOfLists)
{
    const auto groups = ReadChakraGroups("{\n \"1\": [0, 1 ,2],\"tp\\\"\":[3]\n}\n", "g.json");
    EXPECT_EQ(groups, (ChakraGroups{{"1", {0, 1, 2}}, {"tp\"", {3}}}));
    EXPECT_EQ(ReadChakraGroups("{}", "g.json"), ChakraGroups());
}

TEST(ChakraGroups, NamesTheLine)
{
    EXPECT_EQ(ErrorOf(""), "g.json: line 1: is no JSON as expected here ({)");
    EXPECT_EQ(ErrorOf("[0, 1]"), "g.json: line 1: is no JSON as expected here ({)");
    EXPECT_EQ(ErrorOf("{\n\"1\": 3}"), "g.json: line 2: is no JSON as expected here ([)");
    EXPECT_EQ(ErrorOf("{\"1\": [0 1]}"), "g.json: line 1: is no JSON as expected here (,)");
    EXPECT_EQ(ErrorOf("{\"1\": [-1]}"), "g.json: line 1: is no whole number as expected here");
    EXPECT_EQ(ErrorOf("{\"1\": [1.5]}"), "g.json: line 1: is no whole number as expected here");
    EXPECT_EQ(ErrorOf("{\"1\": [4294967295]}"), "g.json: line 1: 4294967295 is no rank");
    EXPECT_EQ(ErrorOf("{\"1\": []}"), "g.json: line 1: group '1' has no ranks");
    EXPECT_EQ(ErrorOf("{\"1\": [0],\n\"1\": [1]}"), "g.json: line 2: there is another group '1'");
    EXPECT_EQ(ErrorOf("{\"1\": [0]} x"), "g.json: line 1: something stands after the end");
    EXPECT_EQ(ErrorOf("{\"1"), "g.json: line 1: is no JSON as expected here (\")");
    EXPECT_EQ(ErrorOf("{\"\\x\": [0]}"), "g.json: line 1: is no JSON: an escape is not known");
}

TEST(ChakraGroups, ReadsWhatPyTorchWrites)
{
    const ChakraGroups two{{"0", {}}, {"1", {0, 2}}};
    const std::string plain =
        R"([{"pg_name": "0", "backend_id": 82149104, "pg_desc": "a [{b}]", "ranks": []}, )"
        R"({"pg_name": 1, "ranks": [0, 2], "more": {"x": [1, {"y": null}], "z": -1.5e3}}])";
    EXPECT_EQ(ReadPyTorchGroups(plain), two);
    EXPECT_EQ(ReadPyTorchGroups("['" + plain + "']"), two);
    std::string escaped;
    for (const char c : plain)
    {
        escaped += c == '"' ? "\\\"" : std::string(1, c);
    }
    EXPECT_EQ(ReadPyTorchGroups("[\"" + escaped + "\"]"), two);
    for (const char* const other : {"",
                                    "[]",
                                    "[[4, 5, 0, 'cuda:0']]",
                                    "[{",
                                    "}][{",
                                    "[{}]",
                                    "[{'a': 1}]",
                                    "[{\"ranks\": 1}]"})
    {
        EXPECT_EQ(ReadPyTorchGroups(other), ChakraGroups()) << other;
    }
}

/// However deep a text is, it is skipped; whatever the bytes are, they are read or refused.
TEST(JsonText, SkipsOrRefusesAnything)
{
    constexpr std::size_t DEPTH = 1'000'000;
    const std::string deep = std::string(DEPTH, '[') + std::string(DEPTH, ']');
    JsonText json(deep);
    json.Skip();
    EXPECT_NO_THROW(json.End());
    JsonText open(std::string_view(deep).substr(0, DEPTH));
    EXPECT_THROW(open.Skip(), std::invalid_argument);
    const std::string text = R"({"1": [0, 1], "x": {"y": [true, null, "\u00e9\n", -1e5]}})";
    std::mt19937 random(5);
    uint32_t refused = 0;
    constexpr uint32_t RUNS = 2000;
    for (uint32_t run = 0; run < RUNS; ++run)
    {
        std::string bytes = text;
        for (auto changes = random() % 4; changes > 0; --changes)
        {
            bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        JsonText changed(bytes);
        try
        {
            changed.Skip();
            changed.End();
        }
        catch (const std::invalid_argument&)
        {
            ++refused;
        }
    }
    EXPECT_GT(refused, RUNS / 10);
    EXPECT_LT(refused, RUNS);
}
