/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-trace.h"

#include "workload-text.h"

#include <algorithm>
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
constexpr int NODE_ATTRIBUTE = 10;   //!< of a node: an attribute, a message
constexpr int ATTRIBUTE_NAME = 1;    //!< of an attribute: name, a string
constexpr int ATTRIBUTE_STRING = 29; //!< of an attribute: a string
constexpr int ATTRIBUTE_BOOLS = 28;  //!< of an attribute: a message with booleans
constexpr int BOOLS_VALUES = 1;      //!< of the booleans: the values

constexpr int MAX_TEXT = 4096;       //!< characters of a text that is read
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

/// Reads the trace of a rank.
class TraceParser
{
  public:
    /// @param bytes the trace; must outlive the parser  @param name its name
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

    /// @return a text, cut if it is too long  @param tag the tag of its field
    std::string ReadText(uint32_t tag)
    {
        Require(WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
        const int length = ReadLength();
        std::string text;
        Require(m_input.ReadString(&text, std::min(length, MAX_TEXT)) &&
                m_input.Skip(std::max(0, length - MAX_TEXT)));
        return text;
    }

    /// Skip a field.  @param tag its tag
    void Skip(uint32_t tag)
    {
        Require(WireFormatLite::SkipField(&m_input, tag));
    }

    /// Read a field of the metadata.  @param tag its tag
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

    /// Read a field of a node.  @param tag its tag  @param node the node
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
            node.isCalled = true;
            Skip(tag);
            break;
        case NODE_DATA:
            ReadDependencies(tag, node);
            break;
        case NODE_DURATION:
            node.durationMicros = ReadVarint(tag);
            break;
        case NODE_ATTRIBUTE:
            ReadAttribute(tag, node);
            break;
        default:
            Skip(tag);
        }
    }

    /// Read one dependency, or a packed list of them.  @param tag the field's tag  @param node
    /// whose
    void ReadDependencies(uint32_t tag, ChakraNode& node)
    {
        if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED)
        {
            AddDependency(ReadVarint(tag), node);
            return;
        }
        const auto limit = m_input.PushLimit(ReadLength());
        while (m_input.BytesUntilLimit() > 0)
        {
            uint64_t id = 0;
            Require(m_input.ReadVarint64(&id));
            AddDependency(id, node);
        }
        m_input.PopLimit(limit);
    }

    /// Add a dependency.  @param id on which node  @param node whose
    void AddDependency(uint64_t id, ChakraNode& node)
    {
        if (++m_dependencies > MAX_CHAKRA_DEPENDENCIES)
        {
            Fail("more than " + std::to_string(MAX_CHAKRA_DEPENDENCIES) + " dependencies");
        }
        node.dependencies.push_back(id);
    }

    /// Read an attribute and keep it if it is of use.  @param tag the field's tag  @param node
    /// whose
    void ReadAttribute(uint32_t tag, ChakraNode& node)
    {
        Require(WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
        Attribute attribute;
        ReadMessage([this, &attribute](uint32_t field) { ReadAttributeField(field, attribute); });
        const std::string& name = attribute.name;
        const bool isNumber = name == "comm_type" || name == "comm_size" || name == "comm_src" ||
                              name == "comm_dst" || name == "comm_tag" || name == "is_cpu_op";
        const bool isText = name == "pg_name";
        const bool isBools = name == "involved_dim";
        if ((isNumber && !attribute.isNumber) || (isText && !attribute.isText) ||
            (isBools && !attribute.isBools))
        {
            Fail("attribute " + Quoted(name) + " is not " +
                 (isNumber ? "a whole number"
                  : isText ? "a text"
                           : "a list of booleans"));
        }
        if (isNumber)
        {
            node.numbers[name] = attribute.number;
        }
        if (isText)
        {
            node.texts[name] = attribute.text;
        }
        node.leavesOutDimension = node.leavesOutDimension || (isBools && attribute.hasFalse);
    }

    /// Read a field of an attribute.  @param tag its tag  @param attribute the attribute
    void ReadAttributeField(uint32_t tag, Attribute& attribute)
    {
        switch (WireFormatLite::GetTagFieldNumber(tag))
        {
        case ATTRIBUTE_NAME:
            attribute.name = ReadText(tag);
            break;
        case ATTRIBUTE_STRING:
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

    /// Read booleans, packed or not.  @param tag the field's tag  @param attribute whose
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

    /// Read a value if it is a whole number, in any of the ways to write one.  @param tag the
    /// field's tag  @param attribute whose
    void ReadNumber(uint32_t tag, Attribute& attribute)
    {
        uint32_t word = 0;
        uint64_t words = 0;
        switch (WireFormatLite::GetTagFieldNumber(tag))
        {
        case 5:  // int32
        case 7:  // int64
        case 9:  // uint32
        case 11: // uint64
        case 27: // bool
            attribute.number = static_cast<int64_t>(ReadVarint(tag));
            break;
        case 15: // sint32
        case 17: // sint64
            attribute.number = WireFormatLite::ZigZagDecode64(ReadVarint(tag));
            break;
        case 19: // fixed32
        case 23: // sfixed32
            Require(WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_FIXED32 &&
                    m_input.ReadLittleEndian32(&word));
            attribute.number = WireFormatLite::GetTagFieldNumber(tag) == 19
                                   ? static_cast<int64_t>(word)
                                   : static_cast<int32_t>(word);
            break;
        case 21: // fixed64
        case 25: // sfixed64
            Require(WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_FIXED64 &&
                    m_input.ReadLittleEndian64(&words));
            attribute.number = static_cast<int64_t>(words);
            break;
        default:
            Skip(tag);
            return;
        }
        attribute.isNumber = true;
    }

    const std::string& m_name;     //!< name of the trace
    std::string m_what;            //!< what is being read
    CodedInputStream m_input;      //!< the trace
    std::size_t m_size;            //!< its size
    std::size_t m_dependencies{0}; //!< number of dependencies read
};

} // namespace

std::vector<ChakraNode>
ParseChakraTrace(const std::string& bytes, const std::string& name)
{
    constexpr std::string_view GZIP = "\x1f\x8b";
    constexpr std::size_t MAX_BYTES = std::size_t{1} << 30;
    if (std::string_view(bytes).substr(0, GZIP.size()) == GZIP)
    {
        throw std::invalid_argument(name + ": is compressed (gunzip it)");
    }
    if (bytes.size() > MAX_BYTES)
    {
        throw std::invalid_argument(name + ": is longer than 1 GiB");
    }
    return TraceParser(bytes, name).Parse();
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
