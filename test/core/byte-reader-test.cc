/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"

#include <cstring>

namespace
{

constexpr const char* TAG = "Example 1"; //!< what the strings hold

struct Record
{
    uint64_t number; //!< any number
    double real;     //!< any bits
};

/// What is written and read.
struct Content
{
    uint64_t number;             //!< a number
    std::string text;            //!< a text
    Record record;               //!< a record
    std::vector<Record> records; //!< some more
};

/// @return a double of any bits
double
AnyDouble(std::mt19937_64& random)
{
    const uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

Content
AnyContent(std::mt19937_64& random)
{
    Content content;
    content.number = random();
    for (std::size_t left = random() % 20; left > 0; --left)
    {
        content.text += static_cast<char>(random());
    }
    content.record = {random(), AnyDouble(random)};
    for (std::size_t left = random() % 20; left > 0; --left)
    {
        content.records.push_back({random(), AnyDouble(random)});
    }
    return content;
}

/// @return a content as a string of bytes
std::string
Write(const Content& content)
{
    ByteWriter writer(TAG);
    writer.WriteNumber(content.number);
    writer.WriteText(content.text);
    writer.WriteRecord(content.record);
    writer.WriteRecords(content.records);
    return writer.Finish();
}

Content
Read(const std::string& bytes)
{
    ByteReader reader(TAG, bytes);
    Content content;
    content.number = reader.ReadNumber();
    content.text = reader.ReadText();
    content.record = reader.ReadRecord<Record>();
    content.records = reader.ReadRecords<Record>();
    reader.Finish();
    return content;
}

/// @return why a string of bytes is refused; empty: it is not
std::string
Fault(const std::string& bytes)
{
    return RefusalOf([&] { Read(bytes); });
}

} // namespace

TEST(ByteReader, ReadsWhatWasWritten)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 200; ++i)
    {
        const Content content = AnyContent(random);
        const Content read = Read(Write(content));
        EXPECT_EQ(read.number, content.number);
        EXPECT_EQ(read.text, content.text);
        EXPECT_EQ(std::memcmp(&read.record, &content.record, sizeof(Record)), 0);
        ASSERT_EQ(read.records.size(), content.records.size());
        for (std::size_t k = 0; k < read.records.size(); ++k)
        {
            EXPECT_EQ(std::memcmp(&read.records[k], &content.records[k], sizeof(Record)), 0);
        }
    }
}

TEST(ByteReader, TheWriterBeginsAnew)
{
    ByteWriter writer(TAG);
    EXPECT_NE(writer.Finish(), "");
    ByteWriter other(TAG);
    other.WriteNumber(1);
    const std::string first = other.Finish();
    EXPECT_EQ(first.size(), 8 + std::string(TAG).size() + 8 + 8);
}

TEST(ByteReader, RefusesWhatIsCutOff)
{
    std::mt19937_64 random(2);
    for (int i = 0; i < 20; ++i)
    {
        const std::string bytes = Write(AnyContent(random));
        for (std::size_t size = 0; size < bytes.size(); ++size)
        {
            EXPECT_NE(Fault(bytes.substr(0, size)), "") << size << " of " << bytes.size();
        }
    }
    EXPECT_NE(Fault("").find("is cut off"), std::string::npos);
}

TEST(ByteReader, RefusesAnyByteThatHasChanged)
{
    std::mt19937_64 random(3);
    std::string bytes = Write(AnyContent(random));
    for (char& byte : bytes)
    {
        for (int change = 1; change < 256; ++change)
        {
            byte = static_cast<char>(byte ^ change);
            EXPECT_NE(Fault(bytes).find("is damaged"), std::string::npos);
            byte = static_cast<char>(byte ^ change);
        }
    }
    EXPECT_EQ(Fault(bytes), "");
}

TEST(ByteReader, RefusesRandomBytes)
{
    std::mt19937_64 random(4);
    for (int i = 0; i < 2000; ++i)
    {
        std::string bytes;
        for (std::size_t left = random() % 100; left > 0; --left)
        {
            bytes += static_cast<char>(random());
        }
        EXPECT_NE(Fault(bytes), "");
    }
}

TEST(ByteReader, RefusesAnotherVersion)
{
    ByteWriter writer("Example 2");
    EXPECT_EQ(Fault(writer.Finish()),
              "the string of bytes that should hold \"Example 1\" holds \"Example 2\"");
}

TEST(ByteReader, RefusesMoreThanItReads)
{
    ByteWriter writer(TAG);
    writer.WriteNumber(1);
    writer.WriteText("text");
    writer.WriteRecord(Record{});
    writer.WriteRecords(std::vector<Record>(3));
    writer.WriteNumber(1);
    EXPECT_NE(Fault(writer.Finish()).find("has 8 bytes too many"), std::string::npos);
}

TEST(ByteReader, RefusesNumbersOfThingsThatAreNotThere)
{
    for (const uint64_t announced : {uint64_t{4}, uint64_t{1} << 60, ~uint64_t{0}})
    {
        ByteWriter texts(TAG);
        texts.WriteNumber(1);
        texts.WriteNumber(announced);
        EXPECT_NE(Fault(texts.Finish()).find("too short"), std::string::npos) << announced;

        ByteWriter records(TAG);
        records.WriteNumber(1);
        records.WriteText("text");
        records.WriteRecord(Record{});
        records.WriteNumber(announced);
        records.WriteRecord(Record{});
        EXPECT_NE(Fault(records.Finish()).find("too short"), std::string::npos) << announced;
    }
}
