/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/chakra-groups.h"

#include <filesystem>
#include <unistd.h>

namespace
{

/// @return what is wrong with a text of groups
std::string
ErrorOf(const std::string& text)
{
    const std::string what = RefusalOf([&] { ReadChakraGroups(text, "g.json"); });
    return what.substr(0, what.find(" (lists of ranks"));
}

} // namespace

TEST(ChakraGroups, ReadsAnObjectOfLists)
{
    const auto groups = ReadChakraGroups("{\n \"1\": [0, 1 ,2],\"tp\\\"\":[3]\n}\n", "g.json");
    EXPECT_EQ(groups, (ChakraGroups{{"1", {0, 1, 2}}, {"tp\"", {3}}}));
    EXPECT_EQ(ReadChakraGroups("{}", "g.json"), ChakraGroups());
    EXPECT_EQ(ReadChakraGroups("{\"a\": [4294967294, 2, 0]}", "g.json"),
              (ChakraGroups{{"a", {4294967294, 2, 0}}}));
}

TEST(ChakraGroups, NamesTheLineOrTheGroup)
{
    const auto isAt = [](const std::string& text, const std::string& line) {
        const std::string error = ErrorOf(text);
        return error.rfind("g.json: " + line + ", column ", 0) == 0 &&
               error.find("last read") == std::string::npos;
    };
    EXPECT_TRUE(isAt("", "line 1"));
    EXPECT_TRUE(isAt("{\"1\": [0 1]}", "line 1"));
    EXPECT_TRUE(isAt("{\"1\": [0],\n\"2\": [1}", "line 2"));
    EXPECT_TRUE(isAt("{\"1\": [0]} x", "line 1"));
    EXPECT_TRUE(isAt("{\"1", "line 1"));
    EXPECT_TRUE(isAt("{\"\\x\": [0]}", "line 1"));
    EXPECT_EQ(ErrorOf("{\"1\": [1e999]}"), "g.json: a number is too large");
    EXPECT_EQ(ErrorOf("[0, 1]"), "g.json: is no object");
    const std::string noRanks = "g.json: group '1' is no list of ranks (0..4294967294)";
    for (const char* const value :
         {"3", "[-1]", "[1.5]", "[4294967295]", "[\"0\"]", "[[0]]", "null"})
    {
        EXPECT_EQ(ErrorOf(std::string("{\"1\": ") + value + "}"), noRanks);
    }
    EXPECT_EQ(ErrorOf("{\"1\": {\"2\": [0]}}"), "g.json: there is an object in the object");
    EXPECT_EQ(ErrorOf("{\"1\": []}"), "g.json: group '1' has no ranks");
    EXPECT_EQ(ErrorOf("{\"1\": [0],\n\"1\": [1]}"), "g.json: there are two groups '1'");
}

TEST(ChakraGroups, RefusesLongFiles)
{
    const std::string path =
        testing::TempDir() + "ai-fabric-long-groups-" + std::to_string(getpid()) + ".json";
    const auto error = [&path](std::size_t size) -> std::string {
        std::ofstream(path) << "{}" << std::string(size - 2, ' ');
        return RefusalOf([&] { ReadChakraGroupsFile(path); });
    };
    constexpr std::size_t MOST = std::size_t{1} << 24;
    EXPECT_EQ(error(MOST), "");
    EXPECT_EQ(error(MOST + 1), path + ": is longer than 16 MiB");
    std::filesystem::remove(path);
    const std::string list = "[{" + std::string(MOST, ' ') + "}]";
    EXPECT_THROW(ReadPyTorchGroups(list), std::invalid_argument);
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
                                    "[{\"ranks\": 1}]",
                                    R"([{"pg_name": "1", "ranks": 1}])",
                                    R"([{"pg_name": "1", "ranks": [-1]}])",
                                    R"([{"pg_name": null, "ranks": [1]}])"})
    {
        EXPECT_EQ(ReadPyTorchGroups(other), ChakraGroups()) << other;
    }
}

/// However deep a text is, it is read or refused; so are any bytes, in one line.
TEST(ChakraGroups, ReadsOrRefusesAnything)
{
    constexpr std::size_t DEPTH = 1'000'000;
    const std::string deep = std::string(DEPTH, '[') + std::string(DEPTH, ']');
    EXPECT_EQ(ErrorOf("{\"1\": " + deep + "}"),
              "g.json: group '1' is no list of ranks (0..4294967294)");
    EXPECT_EQ(ErrorOf(deep.substr(0, DEPTH)).rfind("g.json: line 1, column 1000001: ", 0), 0U);
    const std::string group = R"([{"pg_name": "1", "ranks": [0], "more": )";
    EXPECT_EQ(ReadPyTorchGroups(group + deep + "}]"), (ChakraGroups{{"1", {0}}}));
    EXPECT_EQ(ReadPyTorchGroups(group + deep.substr(0, DEPTH) + "}]"), ChakraGroups());
    const std::string text = "{\"1\": [0, 1],\n \"\\u00e9\\n\": [3, 70, 5]}";
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
        const std::string error = ErrorOf(bytes);
        refused += error.empty() ? 0 : 1;
        for (const char c : error)
        {
            ASSERT_TRUE(c >= ' ' && c <= '~') << error;
        }
    }
    EXPECT_GT(refused, RUNS / 10);
    EXPECT_LT(refused, RUNS);
}
