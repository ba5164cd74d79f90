/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/protobuf-reader.h"

#ifdef AI_FABRIC_PROTOBUF

namespace
{

/// @return the numbers of field 1 of a message, and what else is in it is skipped
std::vector<uint64_t>
NumbersIn(const std::string& bytes)
{
    const std::string name = "a trace";
    ProtobufReader reader(bytes, name);
    reader.SetPlace("here");
    std::vector<uint64_t> numbers;
    reader.ReadMessage([&](uint32_t tag) {
        if (ProtobufReader::NumberOf(tag) == 1)
        {
            reader.ReadVarints(tag, [&numbers](uint64_t number) { numbers.push_back(number); });
            return;
        }
        reader.Skip(tag);
    });
    EXPECT_TRUE(reader.IsAtEnd());
    return numbers;
}

} // namespace

TEST(ProtobufReader, NumbersArePackedOrNot)
{
    EXPECT_EQ(NumbersIn("\x03\x08\x96\x01"), std::vector<uint64_t>{150});
    EXPECT_EQ(NumbersIn("\x05\x0A\x03\x96\x01\x07"), (std::vector<uint64_t>{150, 7}));
    EXPECT_EQ(NumbersIn("\x06\x12\x02no\x08\x05"), std::vector<uint64_t>{5}) << "a text is skipped";
}

TEST(ProtobufReader, RefusesWhatIsCutOff)
{
    for (const char* bytes : {"\x03\x08\x96", "\x05\x0A\x04\x96\x01\x07", "\x02\x08\x96\x01"})
    {
        const std::string why = RefusalOf([bytes]() { NumbersIn(bytes); });
        EXPECT_EQ(why.rfind("a trace: here: is cut off or no message of Chakra (byte ", 0), 0U)
            << why;
    }
}

TEST(ProtobufReader, CutsLongTexts)
{
    const std::string bytes = "\x06\x0A\x04"
                              "abcd";
    const std::string name = "a trace";
    ProtobufReader reader(bytes, name);
    std::string text;
    reader.ReadMessage([&](uint32_t tag) { text = reader.ReadText(tag, 2); });
    EXPECT_EQ(text, "ab");
    EXPECT_TRUE(reader.IsAtEnd());
}

#endif
