/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROTOBUF_READER_H
#define PROTOBUF_READER_H

#ifdef AI_FABRIC_PROTOBUF

#include <cstdint>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Reads the fields of protobuf messages, and refuses bytes that are none.
 */
class ProtobufReader
{
  public:
    using Format = google::protobuf::internal::WireFormatLite; //!< how fields are written

    /// @param bytes what is read  @param name what to call it in messages; both outlive the reader
    ProtobufReader(const std::string& bytes, const std::string& name);

    /// @param what what is read from now on, for messages
    void SetPlace(const std::string& what);

    /// Refuse what is read.  @param why what is wrong
    [[noreturn]] void Fail(const std::string& why) const;

    /// Refuse what is read, unless something could be read.  @param ok whether it could
    void Require(bool ok) const;

    /// @return whether all has been read
    bool IsAtEnd() const;

    /// @return the number of a field
    static int NumberOf(uint32_t tag)
    {
        return Format::GetTagFieldNumber(tag);
    }

    /// @return whether a field has a length: a text, a message or a packed list
    static bool HasLength(uint32_t tag)
    {
        return Format::GetTagWireType(tag) == Format::WIRETYPE_LENGTH_DELIMITED;
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
        const auto limit = m_input.PushLimit(ReadLength());
        while (const uint32_t tag = m_input.ReadTag())
        {
            Require(NumberOf(tag) > 0);
            readField(tag);
        }
        Require(m_input.ConsumedEntireMessage());
        m_input.PopLimit(limit);
    }

    /**
     * Read a number, or a packed list of them.
     *
     * @tparam F called with each number
     * @param tag the tag of the field
     */
    template <typename F>
    void ReadVarints(uint32_t tag, F take)
    {
        if (!HasLength(tag))
        {
            take(ReadVarint(tag));
            return;
        }
        const auto limit = m_input.PushLimit(ReadLength());
        while (m_input.BytesUntilLimit() > 0)
        {
            uint64_t value = 0;
            Require(m_input.ReadVarint64(&value));
            take(value);
        }
        m_input.PopLimit(limit);
    }

    /// @return a number  @param tag the tag of its field
    uint64_t ReadVarint(uint32_t tag);

    /// @return a number of 4 bytes  @param tag the tag of its field
    uint32_t ReadFixed32(uint32_t tag);

    /// @return a number of 8 bytes  @param tag the tag of its field
    uint64_t ReadFixed64(uint32_t tag);

    /// @return a text, cut if it is too long  @param tag the tag of its field  @param most most
    /// characters of it
    std::string ReadText(uint32_t tag, int most = 4096);

    /// Skip a field.
    void Skip(uint32_t tag);

  private:
    /// @return a length that is not longer than what is left
    int ReadLength();

    const std::string& m_name;                      //!< what is read
    std::string m_what;                             //!< which part of it
    google::protobuf::io::CodedInputStream m_input; //!< its bytes
    std::size_t m_size;                             //!< how many
};

} // namespace aifabric
} // namespace ns3

#endif

#endif /* PROTOBUF_READER_H */
