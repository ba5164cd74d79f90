/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_ATTRIBUTE_H
#define CHAKRA_ATTRIBUTE_H

#ifdef AI_FABRIC_PROTOBUF

#include "chakra-trace.h"
#include "protobuf-reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * An attribute of a node of a Chakra execution trace: its name, and its value if that is a whole
 * number, in any of the ways to write one, a text, a list of whole numbers, or one of booleans.
 */
class ChakraAttribute
{
  public:
    /// Read an attribute.  @param reader stands at the message
    explicit ChakraAttribute(ProtobufReader& reader);

    /// Keep it if it is of use, and refuse it if it is of use and has no value of its type.
    void KeepIn(ChakraNode& node) const;

  private:
    /// Keep a whole number.  @param isNeeded whether it has to be one
    void KeepNumber(bool isNeeded, ChakraNode& node) const;

    /// Keep whole numbers, which a text may have in brackets.
    void KeepSplits(ChakraNode& node) const;

    /// Refuse the attribute, unless it has a value of its type.  @param ok whether it has
    /// @param what what it has to be
    void Require(bool ok, const char* what) const;

    /// Read a field.
    void ReadField(uint32_t tag);

    /// Read booleans, packed or not.  @param tag the field's tag
    void ReadBools(uint32_t tag);

    /// Read whole numbers, packed or not.  @param tag the field's tag
    void ReadNumbers(uint32_t tag);

    /// Read a value if it is a number.  @param tag the field's tag
    void ReadNumber(uint32_t tag);

    /// Take a whole number as the value.
    void SetNumber(int64_t number);

    /// Take a number with decimals as a whole one, if it is.
    void SetReal(double value);

    ProtobufReader& m_reader;        //!< what is read
    std::string m_name;              //!< its name
    bool m_isNumber{false};          //!< whether it is a whole number
    int64_t m_number{0};             //!< the number
    bool m_isText{false};            //!< whether it is a text
    std::string m_text;              //!< the text
    bool m_isNumbers{false};         //!< whether it is a list of whole numbers
    std::vector<uint64_t> m_numbers; //!< the numbers
    bool m_isBools{false};           //!< whether it is a list of booleans
    bool m_hasFalse{false};          //!< whether one of them is false
};

} // namespace aifabric
} // namespace ns3

#endif

#endif /* CHAKRA_ATTRIBUTE_H */
