/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EV_TEMPLATE_H
#define EV_TEMPLATE_H

#include <array>
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
 * How the bits of an entropy value (EV) of MRC become what switches forward by (OCP MRC 1.0, EV
 * formats and profiles): a UDP source port, a structured EV, or the micro-SIDs of an IPv6 address
 * and of one segment of an SRH.
 *
 * A template is a list of fields. Each has a value, and a mask of the bits of this value that the
 * EV fills. The bits of the EV are read from its most significant one on, field by field, and in a
 * field from the most significant bit of the mask on. So one template and a number name a path.
 */
class EvTemplate
{
  public:
    /// What the template makes.
    enum class Format : uint8_t
    {
        ECMP,     //!< a UDP source port, 16 bits: switches hash it
        STEV,     //!< a structured EV, 32 bits: switches read parts of it
        SRV6,     //!< an IPv6 address, 128 bits
        SRV6_SRH, //!< an IPv6 address and a segment of an SRH, 256 bits
    };

    /// A part of the result.
    struct Field
    {
        uint32_t width;    //!< bits, 1 to 32
        uint32_t value{0}; //!< what the EV does not change
        uint32_t mask{0};  //!< bits that the EV fills
    };

    static constexpr uint32_t MOST_BITS = 32; //!< of an EV, and of a field

    /// The result: the first bit is the most significant one of the first byte; zeros at the end.
    using Value = std::array<uint8_t, 32>;

    /**
     * @param format what the template makes
     * @throws std::invalid_argument with one line, if they do not fit the format, or a value or
     * mask its field, or if masks have more than MOST_BITS bits
     */
    EvTemplate(Format format, std::vector<Field> fields);

    /**
     * @param text a format (ecmp, stev, srv6, srv6-srh), ":fields=", and for each field, by commas,
     * width/value/mask; a value or a mask of 0 may be left out. Numbers are decimal, or hexadecimal
     * with 0x
     * @return the template
     * @throws std::invalid_argument with one line
     */
    static EvTemplate Read(const std::string& text);

    /// @return a number  @param text decimal, or hexadecimal with 0x
    /// @throws std::invalid_argument with one line, if it is no number of 32 bits
    static uint32_t ReadNumber(const std::string& text);

    /// @return the parts of a text  @param separator between two parts
    static std::vector<std::string> Split(const std::string& text, char separator);

    /// @return what the template makes
    Format GetFormat() const
    {
        return m_format;
    }

    /// @return the bits that an EV has: those of all masks
    uint32_t GetBits() const
    {
        return m_bits;
    }

    /// @return what an EV stands for  @param ev the EV, a number of GetBits() bits
    /// @throws std::invalid_argument with one line, if it has more bits
    Value Expand(uint32_t ev) const;

  private:
    Format m_format;             //!< what it makes
    std::vector<Field> m_fields; //!< its parts
    uint32_t m_bits{0};          //!< of an EV
};

} // namespace aifabric
} // namespace ns3

#endif /* EV_TEMPLATE_H */
