/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-trace.h"

#include "chakra-attribute.h"
#include "protobuf-reader.h"

#include "ns3/message-text.h"

#include <stdexcept>
#include <string_view>

namespace ns3
{
namespace aifabric
{

#ifdef AI_FABRIC_PROTOBUF

namespace
{

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
constexpr int MAX_INPUTS = 1 << 24;  //!< characters of the inputs of metadata that are read
constexpr std::size_t MAX_NAME = 80; //!< characters of a node's name that are kept

/// Reads the trace of a rank.
class TraceParser
{
  public:
    /// @param bytes the trace; must outlive the parser
    TraceParser(const std::string& bytes, const std::string& name)
        : m_reader(bytes, name)
    {
    }

    /// @return the nodes
    std::vector<ChakraNode> Parse()
    {
        if (m_reader.IsAtEnd())
        {
            m_reader.Fail("is empty");
        }
        m_reader.SetPlace("metadata");
        m_reader.ReadMessage([this](uint32_t tag) { ReadMetadataField(tag); });
        std::vector<ChakraNode> nodes;
        while (!m_reader.IsAtEnd())
        {
            m_reader.SetPlace("message " + std::to_string(nodes.size()) + " after the metadata");
            if (nodes.size() == MAX_CHAKRA_NODES)
            {
                m_reader.Fail("more than " + std::to_string(MAX_CHAKRA_NODES) + " nodes");
            }
            nodes.emplace_back();
            ChakraNode& node = nodes.back();
            m_reader.ReadMessage([this, &node](uint32_t tag) { ReadNodeField(tag, node); });
        }
        return nodes;
    }

  private:
    /// Read a field of the metadata.
    void ReadMetadataField(uint32_t tag)
    {
        if (ProtobufReader::NumberOf(tag) != METADATA_VERSION)
        {
            m_reader.Skip(tag);
            return;
        }
        const std::string version = m_reader.ReadText(tag);
        const bool isKnown =
            version.empty() || version.rfind("0.0.4", 0) == 0 || version.rfind("1.", 0) == 0;
        if (!isKnown)
        {
            m_reader.Fail("version " + Quoted(version) + " is not known (0.0.4 and 1.x are)");
        }
    }

    /// Read a field of a node.
    void ReadNodeField(uint32_t tag, ChakraNode& node)
    {
        switch (ProtobufReader::NumberOf(tag))
        {
        case NODE_ID:
            node.id = m_reader.ReadVarint(tag);
            break;
        case NODE_NAME:
            node.name = m_reader.ReadText(tag).substr(0, MAX_NAME);
            break;
        case NODE_TYPE:
            node.type = m_reader.ReadVarint(tag);
            break;
        case NODE_CONTROL:
            ReadDependencies(tag, node.callers);
            break;
        case NODE_DATA:
            ReadDependencies(tag, node.dependencies);
            break;
        case NODE_DURATION:
            node.durationMicros = m_reader.ReadVarint(tag);
            break;
        case NODE_INPUTS:
            ReadInputs(tag, node);
            break;
        case NODE_ATTRIBUTE:
            m_reader.Require(ProtobufReader::HasLength(tag));
            ChakraAttribute(m_reader).KeepIn(node);
            break;
        default:
            m_reader.Skip(tag);
        }
    }

    /// Read one dependency, or a packed list of them.  @param tag the field's tag  @param ids where
    /// to add them
    void ReadDependencies(uint32_t tag, std::vector<uint64_t>& ids)
    {
        m_reader.ReadVarints(tag, [this, &ids](uint64_t id) {
            if (++m_dependencies > MAX_CHAKRA_DEPENDENCIES)
            {
                m_reader.Fail("more than " + std::to_string(MAX_CHAKRA_DEPENDENCIES) +
                              " dependencies");
            }
            ids.push_back(id);
        });
    }

    /// Read the inputs of a node, if it is metadata.  @param tag the field's tag
    void ReadInputs(uint32_t tag, ChakraNode& node)
    {
        if (node.type != ChakraNode::METADATA)
        {
            m_reader.Skip(tag);
            return;
        }
        m_reader.Require(ProtobufReader::HasLength(tag));
        m_reader.ReadMessage([this, &node](uint32_t field) {
            if (ProtobufReader::NumberOf(field) != INPUTS_VALUES)
            {
                m_reader.Skip(field);
                return;
            }
            node.inputs = m_reader.ReadText(field, MAX_INPUTS);
        });
    }

    ProtobufReader m_reader;       //!< the trace
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
