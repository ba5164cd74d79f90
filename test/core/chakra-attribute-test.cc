/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/chakra-attribute.h"

#ifdef AI_FABRIC_PROTOBUF

namespace
{

/// @return a node with an attribute  @param name its name  @param value the field of its value
ChakraNode
NodeWith(const std::string& name, const std::string& value)
{
    const std::string field = std::string("\x0A") + static_cast<char>(name.size()) + name + value;
    const std::string bytes = static_cast<char>(field.size()) + field;
    const std::string trace = "a trace";
    ProtobufReader reader(bytes, trace);
    ChakraNode node;
    ChakraAttribute(reader).KeepIn(node);
    return node;
}

} // namespace

// All ways to write a value are tested with whole traces, in chakra-reader-test.cc.

TEST(ChakraAttribute, KeepsWhatIsOfUse)
{
    EXPECT_EQ(NodeWith("comm_size", "\x48\x07").numbers.at("comm_size"), 7);
    EXPECT_EQ(NodeWith("is_cpu_op", "\xEA\x01\x04True").numbers.at("is_cpu_op"), 1);
    EXPECT_EQ(NodeWith("pg_name", "\x48\x07").texts.at("pg_name"), "7");
    EXPECT_TRUE(NodeWith("unknown", "\x48\x07").numbers.empty());
}

TEST(ChakraAttribute, RefusesAValueOfAnotherType)
{
    EXPECT_EQ(RefusalOf([]() { NodeWith("comm_size", "\xEA\x01\x01x"); }),
              "a trace: attribute 'comm_size' is not a whole number");
    EXPECT_EQ(RefusalOf([]() { NodeWith("involved_dim", "\x48\x07"); }),
              "a trace: attribute 'involved_dim' is not a list of booleans");
    EXPECT_TRUE(NodeWith("stream", "\xEA\x01\x01x").numbers.empty()) << "it may be anything";
}

#endif
