/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-trace.h"

#include "ns3/message-text.h"
#include "ns3/table-reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

#ifdef AI_FABRIC_PROTOBUF
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#endif

namespace ns3
{
namespace aifabric
{

#ifdef AI_FABRIC_PROTOBUF

namespace
{

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

// Numbers of fields, from the schema of MLCommons Chakra (et_def.proto of versions 0.0.4 and 1.0).
constexpr int METADATA_VERSION = 1;  //!< of the metadata: version, a string
constexpr int NODE_ID = 1;           //!< of a node: id, an unsigned number
constexpr int NODE_NAME = 2;         //!< of a node: name, a string
constexpr int NODE_TYPE = 3;         //!< of a node: type, an enumeration
constexpr int NODE_CONTROL = 4;      //!< of a node: control dependencies, ids
constexpr int NODE_DATA = 5;         //!< of a node: data dependencies, ids
constexpr int NODE_DURATION = 7;     //!< of a node: duration, in microseconds
constexpr int NODE_INPUTS = 8;       //!< of a node: what goes into it, a message
constexpr int INPUTS_VALUES = 1;     //!< of the inputs: their values, a string
constexpr int NODE_ATTRIBUTE = 10;   //!< of a node: an attribute, a message
constexpr int ATTRIBUTE_NAME = 1;    //!< of an attribute: name, a string
constexpr int ATTRIBUTE_STRING = 29; //!< of an attribute: a string
constexpr int ATTRIBUTE_BOOLS = 28;  //!< of an attribute: a message with booleans
constexpr int ATTRIBUTE_BYTES = 31;  //!< of an attribute: bytes
constexpr int BOOLS_VALUES = 1;      //!< of the booleans: the values

constexpr int MAX_TEXT = 4096;       //!< characters of a text that is read
constexpr int MAX_INPUTS = 1 << 24;  //!< characters of the inputs of metadata that are read
constexpr std::size_t MAX_NAME = 80; //!< characters of a node's name that are kept

/// The value of an attribute.
struct Attribute
{
    std::string name;     //!< its name
    bool isNumber{false}; //!< whether it is a whole number
    int64_t number{0};    //!< the number
    bool isText{false};   //!< whether it is a text
    std::string text;     //!< the text
    bool isBools{false};  //!< whether it is a list of booleans
    bool hasFalse{false}; //!< whether one of them is false
};

/// Attributes that are whole numbers, and whether a trace is refused in which one is not.
const std::map<std::string, bool> NUMBERS = {{"comm_type", true},
                                             {"comm_size", true},
                                             {"comm_src", true},
                                             {"comm_dst", true},
                                             {"comm_tag", true},
                                             {"is_cpu_op", true},
                                             {"num_ops", true},
                                             {"tensor_size", false},
                                             {"stream", false},
                                             {"runtime", false}};

/// Reads the trace of a rank.
class TraceParser
{
  public:
    /// @param bytes the trace; must outlive the parser
    TraceParser(const std::string& bytes, const std::string& name)
        : m_name(name),
          m_input(reinterpret_cast<const uint8_t*>(bytes.data()), static_cast<int>(bytes.size())),
          m_size(bytes.size())
    {
    }

    /// @return the nodes
    std::vector<ChakraNode> Parse()
    {
        if (IsAtEnd())
        {
            Fail("is empty");
        }
        m_what = "metadata";
        ReadMessage([this](uint32_t tag) { ReadMetadataField(tag); });
        std::vector<ChakraNode> nodes;
        while (!IsAtEnd())
        {
            m_what = "message " + std::to_string(nodes.size()) + " after the metadata";
            if (nodes.size() == MAX_CHAKRA_NODES)
            {
                Fail("more than " + std::to_string(MAX_CHAKRA_NODES) + " nodes");
            }
            nodes.emplace_back();
            ChakraNode& node = nodes.back();
            ReadMessage([this, &node](uint32_t tag) { ReadNodeField(tag, node); });
        }
        return nodes;
    }

  private:
    /// Refuse the trace.  @param why what is wrong
    [[noreturn]] void Fail(const std::string& why) const
    {
        throw std::invalid_argument(m_name + ": " + (m_what.empty() ? "" : m_what + ": ") + why);
    }

    /// @return whether all has been read
    bool IsAtEnd() const
    {
        return static_cast<std::size_t>(m_input.CurrentPosition()) >= m_size;
    }

    /// Refuse the trace, unless something could be read.  @param ok whether it could
    void Require(bool ok) const
    {
        if (!ok)
        {
            Fail("is cut off or no message of Chakra (byte " +
                 std::to_string(m_input.CurrentPosition()) + ")");
        }
    }

    /**
     * Read a message that begins with its length.
     *
     * @tparam F called with the tag of each field
     * @param readField reads the rest of a field
     */
    template <typename F>
    void ReadMessage(F readField)
    {
        const int length = ReadLength();
        const auto limit = m_input.PushLimit(length);
        while (const uint32_t tag = m_input.ReadTag())
        {
            Require(WireFormatLite::GetTagFieldNumber(tag) > 0);
            readField(tag);
        }
        Require(m_input.ConsumedEntireMessage());
        m_input.PopLimit(limit);
    }

    /// @return a length that is not longer than what is left
    int ReadLength()
    {
        uint32_t length = 0;
        Require(m_input.ReadVarint32(&length));
        const int untilLimit = m_input.BytesUntilLimit();
        const std::size_t left = untilLimit >= 0
                                     ? static_cast<std::size_t>(untilLimit)
                                     : m_size - static_cast<std::size_t>(m_input.CurrentPosition());
        Require(length <= left);
        return static_cast<int>(length);
    }

    /// @return a number  @param tag the tag of its field
    uint64_t ReadVarint(uint32_t tag)
    {
        uint64_t value = 0;
        Require(WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_VARINT &&
                m_input.ReadVarint64(&value));
        return value;
    }

    /// @return a text, cut if it is too long  @param tag the tag of its field  @param most most
    /// characters of it
    std::string ReadText(uint32_t tag, int most = MAX_TEXT)
    {
        Require(WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
        const int length = ReadLength();
        std::string text;
        Require(m_input.ReadString(&text, std::min(length, most)) &&
                m_input.Skip(std::max(0, length - most)));
        return text;
    }

    /// Skip a field.
    void Skip(uint32_t tag)
    {
        Require(WireFormatLite::SkipField(&m_input, tag));
    }

    /// Read a field of the metadata.
    void ReadMetadataField(uint32_t tag)
    {
        if (WireFormatLite::GetTagFieldNumber(tag) != METADATA_VERSION)
        {
            Skip(tag);
            return;
        }
        const std::string version = ReadText(tag);
        const bool isKnown =
            version.empty() || version.rfind("0.0.4", 0) == 0 || version.rfind("1.", 0) == 0;
        if (!isKnown)
        {
            Fail("version " + Quoted(version) + " is not known (0.0.4 and 1.x are)");
        }
    }

    /// Read a field of a node.
    void ReadNodeField(uint32_t tag, ChakraNode& node)
    {
        switch (WireFormatLite::GetTagFieldNumber(tag))
        {
        case NODE_ID:
            node.id = ReadVarint(tag);
            break;
        case NODE_NAME:
            node.name = ReadText(tag).substr(0, MAX_NAME);
            break;
        case NODE_TYPE:
            node.type = ReadVarint(tag);
            break;
        case NODE_CONTROL:
            ReadDependencies(tag, node.callers);
            break;
        case NODE_DATA:
            ReadDependencies(tag, node.dependencies);
            break;
        case NODE_DURATION:
            node.durationMicros = ReadVarint(tag);
            break;
        case NODE_INPUTS:
            ReadInputs(tag, node);
            break;
        case NODE_ATTRIBUTE:
            ReadAttribute(tag, node);
            break;
        default:
            Skip(tag);
        }
    }

    /// Read one dependency, or a packed list of them.  @param tag the field's tag  @param ids where
    /// to add them
    void ReadDependencies(uint32_t tag, std::vector<uint64_t>& ids)
    {
        if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED)
        {
            AddDependency(ReadVarint(tag), ids);
            return;
        }
        const auto limit = m_input.PushLimit(ReadLength());
        while (m_input.BytesUntilLimit() > 0)
        {
            uint64_t id = 0;
            Require(m_input.ReadVarint64(&id));
            AddDependency(id, ids);
        }
        m_input.PopLimit(limit);
    }

    /// Add a dependency.  @param id on which node  @param ids where to add it
    void AddDependency(uint64_t id, std::vector<uint64_t>& ids)
    {
        if (++m_dependencies > MAX_CHAKRA_DEPENDENCIES)
        {
            Fail("more than " + std::to_string(MAX_CHAKRA_DEPENDENCIES) + " dependencies");
        }
        ids.push_back(id);
    }

    /// Read the inputs of a node, if it is metadata.  @param tag the field's tag
    void ReadInputs(uint32_t tag, ChakraNode& node)
    {
        if (node.type != ChakraNode::METADATA)
        {
            Skip(tag);
            return;
        }
        Require(WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
        ReadMessage([this, &node](uint32_t field) {
            if (WireFormatLite::GetTagFieldNumber(field) != INPUTS_VALUES)
            {
                Skip(field);
                return;
            }
            node.inputs = ReadText(field, MAX_INPUTS);
        });
    }

    /// Read an attribute and keep it if it is of use.  @param tag the field's tag
    void ReadAttribute(uint32_t tag, ChakraNode& node)
    {
        Require(WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
        Attribute attribute;
        ReadMessage([this, &attribute](uint32_t field) { ReadAttributeField(field, attribute); });
        const auto number = NUMBERS.find(attribute.name);
        if (number != NUMBERS.end())
        {
            KeepNumber(attribute, number->second, node);
        }
        else if (attribute.name == "pg_name" || attribute.name == "comm_group")
        {
            KeepText(attribute, node);
        }
        else if (attribute.name == "involved_dim")
        {
            KeepBools(attribute, node);
        }
    }

    /// Keep an attribute that is a whole number.  @param isNeeded whether it has to be one
    void KeepNumber(const Attribute& attribute, bool isNeeded, ChakraNode& node) const
    {
        const std::string& text = attribute.text;
        std::optional<int64_t> number;
        if (attribute.isNumber)
        {
            number = attribute.number;
        }
        else if (attribute.isText && (text == "True" || text == "true"))
        {
            number = 1;
        }
        else if (attribute.isText && (text == "False" || text == "false"))
        {
            number = 0;
        }
        else if (const auto digits = ParseDigits(text); attribute.isText && digits)
        {
            number = static_cast<int64_t>(*digits);
        }
        if (number)
        {
            node.numbers[attribute.name] = *number;
        }
        else if (isNeeded)
        {
            FailAttribute(attribute, "a whole number");
        }
    }

    /// Keep an attribute that is a text or a number.
    void KeepText(const Attribute& attribute, ChakraNode& node) const
    {
        if (!attribute.isText && !attribute.isNumber)
        {
            FailAttribute(attribute, "a text");
        }
        node.texts[attribute.name] =
            attribute.isText ? attribute.text : std::to_string(attribute.number);
    }

    /// Keep whether an attribute that is a list of booleans has a false.
    void KeepBools(const Attribute& attribute, ChakraNode& node) const
    {
        if (!attribute.isBools)
        {
            FailAttribute(attribute, "a list of booleans");
        }
        node.leavesOutDimension = node.leavesOutDimension || attribute.hasFalse;
    }

    /// Refuse an attribute.  @param what what it has to be
    [[noreturn]] void FailAttribute(const Attribute& attribute, const std::string& what) const
    {
        Fail("attribute " + Quoted(attribute.name) + " is not " + what);
    }

    /// Read a field of an attribute.
    void ReadAttributeField(uint32_t tag, Attribute& attribute)
    {
        switch (WireFormatLite::GetTagFieldNumber(tag))
        {
        case ATTRIBUTE_NAME:
            attribute.name = ReadText(tag);
            break;
        case ATTRIBUTE_STRING:
        case ATTRIBUTE_BYTES:
            attribute.isText = true;
            attribute.text = ReadText(tag);
            break;
        case ATTRIBUTE_BOOLS:
            Require(WireFormatLite::GetTagWireType(tag) ==
                    WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
            attribute.isBools = true;
            ReadMessage([this, &attribute](uint32_t field) { ReadBools(field, attribute); });
            break;
        default:
            ReadNumber(tag, attribute);
        }
    }

    /// Read booleans, packed or not.  @param tag the field's tag
    void ReadBools(uint32_t tag, Attribute& attribute)
    {
        if (WireFormatLite::GetTagFieldNumber(tag) != BOOLS_VALUES)
        {
            Skip(tag);
        }
        else if (WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_VARINT)
        {
            attribute.hasFalse = ReadVarint(tag) == 0 || attribute.hasFalse;
        }
        else
        {
            for (const char value : ReadText(tag))
            {
                attribute.hasFalse = value == 0 || attribute.hasFalse;
            }
        }
    }

    /// Read a value if it is a number, in any of the ways to write one.  @param tag the field's tag
    void ReadNumber(uint32_t tag, Attribute& attribute)
    {
        switch (WireFormatLite::GetTagFieldNumber(tag))
        {
        case 7:  // int32
        case 9:  // int64
        case 11: // uint32
        case 13: // uint64
        case 27: // bool
            attribute.number = static_cast<int64_t>(ReadVarint(tag));
            attribute.isNumber = true;
            break;
        case 15: // sint32
        case 17: // sint64
            attribute.number = WireFormatLite::ZigZagDecode64(ReadVarint(tag));
            attribute.isNumber = true;
            break;
        case 3:  // double
        case 5:  // float
        case 19: // fixed32
        case 21: // fixed64
        case 23: // sfixed32
        case 25: // sfixed64
            ReadFixed(tag, attribute);
            break;
        default:
            Skip(tag);
        }
    }

    /// Read a number of 4 or 8 bytes.  @param tag the field's tag
    void ReadFixed(uint32_t tag, Attribute& attribute)
    {
        const int field = WireFormatLite::GetTagFieldNumber(tag);
        const bool isLong = field == 3 || field == 21 || field == 25;
        const auto type =
            isLong ? WireFormatLite::WIRETYPE_FIXED64 : WireFormatLite::WIRETYPE_FIXED32;
        Require(WireFormatLite::GetTagWireType(tag) == type);
        uint32_t word = 0;
        uint64_t words = 0;
        Require(isLong ? m_input.ReadLittleEndian64(&words) : m_input.ReadLittleEndian32(&word));
        switch (field)
        {
        case 3:
            KeepReal(WireFormatLite::DecodeDouble(words), attribute);
            return;
        case 5:
            KeepReal(WireFormatLite::DecodeFloat(word), attribute);
            return;
        case 19:
            attribute.number = word;
            break;
        case 23:
            attribute.number = static_cast<int32_t>(word);
            break;
        default:
            attribute.number = static_cast<int64_t>(words);
        }
        attribute.isNumber = true;
    }

    /// Take a number with decimals as a whole one, if it is.  @param value the number
    static void KeepReal(double value, Attribute& attribute)
    {
        constexpr double MOST = 9e18; // less than 2^63
        attribute.isNumber = std::abs(value) <= MOST && std::floor(value) == value;
        attribute.number = attribute.isNumber ? static_cast<int64_t>(value) : 0;
    }

    const std::string& m_name;     //!< name of the trace
    std::string m_what;            //!< what is being read
    CodedInputStream m_input;      //!< the trace
    std::size_t m_size;            //!< its size
    std::size_t m_dependencies{0}; //!< number of dependencies read
};

/// @return whether a text may be JSON, by its first two characters
bool
MayBeJson(std::string_view text)
{
    constexpr std::string_view BLANKS = " \t\r\n";
    for (const std::string_view allowed : {"{[", "{[\""})
    {
        const std::size_t at = text.find_first_not_of(BLANKS);
        if (at == std::string_view::npos || allowed.find(text[at]) == std::string_view::npos)
        {
            return false;
        }
        text.remove_prefix(at + 1);
    }
    return true;
}

} // namespace

std::vector<ChakraNode>
ParseChakraTrace(const std::string& bytes, const std::string& name)
{
    constexpr std::string_view GZIP = "\x1f\x8b";
    constexpr std::size_t MAX_BYTES = std::size_t{1} << 30;
    if (std::string_view(bytes).substr(0, GZIP.size()) == GZIP)
    {
        throw std::invalid_argument(name + ": is compressed by gzip; gunzip it first");
    }
    if (bytes.size() > MAX_BYTES)
    {
        throw std::invalid_argument(name + ": is longer than 1 GiB");
    }
    try
    {
        return TraceParser(bytes, name).Parse();
    }
    catch (const std::invalid_argument&)
    {
        if (MayBeJson(bytes)) // only now: the bytes of "{" and a new line may begin a trace too
        {
            throw std::invalid_argument(
                name + ": is JSON, and a protobuf trace is expected: the file that chakra_jsonizer "
                       "was given, or what chakra_converter makes of PyTorch's trace");
        }
        throw;
    }
}

#else

std::vector<ChakraNode>
ParseChakraTrace(const std::string& /* bytes */, const std::string& name)
{
    throw std::invalid_argument(name + ": cannot be read, because this program was built without "
                                       "protobuf (Debian package libprotobuf-dev)");
}

#endif

} // namespace aifabric
} // namespace ns3
