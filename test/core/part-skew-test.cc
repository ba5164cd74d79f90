/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/part-skew.h"

#include <numeric>
#include <sstream>

namespace
{

/// @return the parts of four ranks  @param text of the file
std::vector<uint64_t>
Read(const std::string& text)
{
    std::istringstream input(text);
    return ReadPartSizes(input, "m", 4).GetBytes();
}

/// @return why a text is refused
std::string
WhyNot(const std::string& text)
{
    return RefusalOf([&text]() { Read(text); });
}

/// @return what each rank gets of another
std::vector<uint64_t>
Skew(const std::string& text, uint32_t ranks, uint64_t bytes)
{
    const PartSizes parts = SkewParts(ParsePartSkew(text).value(), ranks, bytes);
    EXPECT_EQ(parts.GetBytes().size(), ranks * ranks);
    return {parts.GetBytes().begin(), parts.GetBytes().begin() + ranks};
}

} // namespace

TEST(PartSkew, AHotRankGetsAMultiple)
{
    EXPECT_EQ(Skew("hot:4", 4, 400), (std::vector<uint64_t>{400, 100, 100, 100}));
    EXPECT_EQ(Skew("hot:1", 3, 10), (std::vector<uint64_t>{3, 3, 4}));
    EXPECT_EQ(Skew("hot:0", 2, 10), (std::vector<uint64_t>{0, 5}));
    EXPECT_EQ(Skew("hot:2.5e1", 2, 10), (std::vector<uint64_t>{125, 5}));
}

TEST(PartSkew, ZipfKeepsTheSum)
{
    EXPECT_EQ(Skew("zipf:1", 4, 25 * 12), (std::vector<uint64_t>{144, 72, 48, 36}));
    EXPECT_EQ(Skew("zipf:0", 4, 400), (std::vector<uint64_t>{100, 100, 100, 100}));
    for (const std::string exponent : {"0.3", "1.2", "7", "100"})
    {
        for (const uint64_t bytes : {1, 1000, 99'999'999})
        {
            const std::vector<uint64_t> parts = Skew("zipf:" + exponent, 57, bytes);
            EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), uint64_t{0}), bytes);
            EXPECT_GE(parts[0] + 1, parts[1]);
        }
    }
}

TEST(PartSkew, RefusesOtherTexts)
{
    for (const std::string text : {"",
                                   "hot",
                                   "hot:",
                                   "hot:x",
                                   "hot:-1",
                                   "hot:1e7",
                                   "hot:1 ",
                                   "hot:nan",
                                   "zipf:101",
                                   "zipf:1:2",
                                   "Zipf:1",
                                   ":1",
                                   "hot:0x4"})
    {
        EXPECT_FALSE(ParsePartSkew(text)) << text;
    }
}

TEST(PartSkew, ReadsALineForEachRank)
{
    EXPECT_EQ(Read("# by sender\n0 1 2 3\n4,5,6,7\n\n8, 9, 1kB, 11\r\n0 0 0 1MiB"),
              (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1000, 11, 0, 0, 0, 1048576}));
}

TEST(PartSkew, NamesTheLineThatIsWrong)
{
    EXPECT_EQ(WhyNot("0 1 2 3\n0 1 2\n"),
              "m:2: 3 numbers, of 4 ranks; a line has the bytes that a rank has for each");
    EXPECT_EQ(WhyNot("0 1 2 3\n0 1 -2 3\n"),
              "m:2: '-2' is not a number of bytes, such as 4096 or 6MiB (0..1099511627776)");
    EXPECT_EQ(WhyNot("1TiB 1 0 0\n"), "m:1: a rank has more bytes than 1099511627776");
    EXPECT_EQ(WhyNot(""), "m: has 0 lines with numbers, of 4 ranks");
    const std::string row = "1 2 3 4\n";
    EXPECT_EQ(WhyNot(row + row + row), "m: has 3 lines with numbers, of 4 ranks");
    EXPECT_EQ(WhyNot(row + row + row + row + row), "m:5: more lines than the 4 ranks");
    EXPECT_THROW(ReadPartSizesFile(testing::TempDir(), 4), std::invalid_argument);
}
