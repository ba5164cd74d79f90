/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/message-text.h"

using namespace ns3;

TEST(MessageText, HintsAtWhatIsNear)
{
    EXPECT_EQ(Hint("repeet", {"name", "repeat"}), " (did you mean 'repeat'?)");
    EXPECT_EQ(Hint("all-redcue", {"all-gather", "all-reduce"}), " (did you mean 'all-reduce'?)");
    EXPECT_EQ(Hint("H100", {"v100", "a100", "h100"}), " (did you mean 'h100'?)");
    EXPECT_EQ(Hint("color", {"name", "repeat"}), "");
    EXPECT_EQ(Hint("x", {}), "");
    EXPECT_EQ(Hint(std::string(1'000'000, 'x'), {"name"}), "");
}

TEST(MessageText, QuotesForOneLine)
{
    EXPECT_EQ(Quoted("a\nb\xff."), "'a?b?.'");
    EXPECT_EQ(Quoted(std::string(81, 'a')), "'" + std::string(80, 'a') + "...'");
    EXPECT_EQ(Hint("le_t", {"lef\t"}), " (did you mean 'lef?'?)");
    EXPECT_EQ(Listed({"a\n", std::string(81, 'a')}), "a?, " + std::string(80, 'a') + "...");
    EXPECT_EQ(Listed(std::vector<std::string>(21, "a")).size(), 20U + 38U + 5U);
    EXPECT_EQ(Listed(std::vector<std::string>(30, "a"), 30).size(), 30U + 58U);
    EXPECT_EQ(Listed({"a", "b"}), "a, b");
    EXPECT_EQ(Listed({}), "");
}
