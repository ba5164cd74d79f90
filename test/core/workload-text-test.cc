/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/table-reader.h"
#include "ns3/workload-text.h"

TEST(WorkloadText, ParsesBytes)
{
    EXPECT_EQ(ParseBytes("4096"), 4096U);
    EXPECT_EQ(ParseBytes("1B"), 1U);
    EXPECT_EQ(ParseBytes("2kB"), 2000U);
    EXPECT_EQ(ParseBytes("6MiB"), 6291456U);
    EXPECT_EQ(ParseBytes("0.5KiB"), 512U);
    EXPECT_EQ(ParseBytes("1.125GiB"), 1207959552U);
    EXPECT_EQ(ParseBytes("1.10MB"), 1100000U);
    EXPECT_EQ(ParseBytes("1TiB"), uint64_t{1} << 40);
    EXPECT_EQ(ParseBytes("9223372036854775807"), 9223372036854775807U);
    for (const std::string text : {"",
                                   "B",
                                   ".5KiB",
                                   "1.KiB",
                                   "1.5",
                                   "0.1KiB",
                                   "1.2.5MB",
                                   "-1",
                                   "+1",
                                   "1e",
                                   "1 MB",
                                   "1mb",
                                   "1Mb",
                                   "9223372036854775808",
                                   "99999999999999999999",
                                   "8388608TiB",
                                   "1.1000000000000000000000000000001MB"})
    {
        EXPECT_EQ(ParseBytes(text), std::nullopt) << text;
    }
}

TEST(WorkloadText, ExpandsExponents)
{
    for (const auto& [text, plain] : std::map<std::string, std::string>{{"1e6", "1000000"},
                                                                        {"1.5E3B", "1500B"},
                                                                        {"2e+1kB", "20kB"},
                                                                        {"25e-1", "2.5"},
                                                                        {"5e-3s", "0.005s"},
                                                                        {"1.234e2", "123.4"},
                                                                        {"0e0", "0"},
                                                                        {"1e-5e5", "0.00001e5"}})
    {
        EXPECT_EQ(ExpandExponent(text), plain);
    }
    for (const char* text : {"", "e5", "1e", "1EB/s", "1e+", "1e+-2", "1e41", "1.2.3e4", "0x1e4"})
    {
        EXPECT_EQ(ExpandExponent(text), text);
    }
    EXPECT_EQ(ParseBytes("1.5e3KiB"), 1536000U);
    EXPECT_EQ(ParseBytes("1e-1B"), std::nullopt);
}

TEST(WorkloadText, ParsesDurations)
{
    EXPECT_EQ(ParseDuration("0"), 0);
    EXPECT_EQ(ParseDuration("1ps"), 1);
    EXPECT_EQ(ParseDuration("1.5ns"), 1500);
    EXPECT_EQ(ParseDuration("0.123456789ms"), 123456789);
    EXPECT_EQ(ParseDuration("1000s"), 1'000'000'000'000'000);
    for (const std::string text : {"1", "1.5ps", "1 ns", "ns", "1h", "-1ns", "10000000s", "0.0"})
    {
        EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
    }
}
