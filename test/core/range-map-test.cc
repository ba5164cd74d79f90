/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/range-map.h"

namespace
{

using Values = std::vector<uint32_t>;

constexpr RangeMapLimits LIMITS{1, 9};

/// @return eight values after a text is read
Values
Read(const std::string& text)
{
    return ReadRangeMap(text, Values(8, 5), LIMITS);
}

/// @return what is wrong with a text
std::string
Complaint(const std::string& text)
{
    return RefusalOf([&] { Read(text); });
}

} // namespace

TEST(RangeMap, ReadsKeysAndRanges)
{
    EXPECT_EQ(Read(""), Values(8, 5));
    EXPECT_EQ(Read("0:1"), Values({1, 5, 5, 5, 5, 5, 5, 5}));
    EXPECT_EQ(Read("2-4:9,7:1"), Values({5, 5, 9, 9, 9, 5, 5, 1}));
    EXPECT_EQ(Read("4-7:2,0-3:3"), Values({3, 3, 3, 3, 2, 2, 2, 2}));
    EXPECT_EQ(Read("6-6:2"), Values({5, 5, 5, 5, 5, 5, 2, 5}));
}

TEST(RangeMap, RefusesInOneLineThatNamesTheEntry)
{
    for (const std::string wrong : {"8:1",
                                    "0-8:1",
                                    "3-2:1",
                                    "0:0",
                                    "0:10",
                                    "a:1",
                                    "0",
                                    "0:",
                                    ":1",
                                    "-:1",
                                    "0:1:2",
                                    " 0:1",
                                    "-1:2",
                                    "0:-1",
                                    "0:99999999999999999999",
                                    "0\n:1"})
    {
        for (const std::string& text : {wrong, "1:1," + wrong})
        {
            const std::string words = Complaint(text);
            EXPECT_NE(words.find("keys of 0 to 7 and values of 1 to 9"), std::string::npos) << text;
            EXPECT_EQ(words.find('\n'), std::string::npos) << text;
            EXPECT_EQ(words.find("1:1,"), std::string::npos) << "only the entry is quoted";
        }
    }
    for (const std::string comma : {",", "0:1,", ",0:1", "0:1,,1:1"})
    {
        EXPECT_NE(Complaint(comma), "") << comma;
    }
    EXPECT_EQ(Complaint("0-3:1,3:1"), "\"3:1\": 3 stands in two entries; one is allowed");
    EXPECT_EQ(Complaint("0-3:1,2-5:1"), "\"2-5:1\": 2 stands in two entries; one is allowed");
}

TEST(RangeMap, WritesWhatItReads)
{
    EXPECT_EQ(WriteRangeMap({1, 1, 2, 2, 3}), "0-1:1,2-3:2,4:3");
    std::mt19937 random(1);
    for (int round = 0; round < 1000; ++round)
    {
        Values values(1 + random() % 70);
        for (uint32_t& value : values)
        {
            value = 1 + random() % 3;
        }
        EXPECT_EQ(ReadRangeMap(WriteRangeMap(values), Values(values.size()), LIMITS), values);
    }
}
