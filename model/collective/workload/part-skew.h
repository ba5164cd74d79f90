/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PART_SKEW_H
#define PART_SKEW_H

#include "ns3/part-sizes.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How unequally an all-to-all loads its receivers, as tokens load the experts of a mixture of
 * experts. All ranks have parts of the same size for a receiver; those for rank 0 are the largest,
 * unless the factor is below 1.
 */
struct PartSkew
{
    /// What it is.
    enum class Kind
    {
        HOT,  //!< rank 0 gets a multiple of what each other rank gets
        ZIPF, //!< what rank r gets is in proportion to (r + 1) to the power of -value
    };

    Kind kind{Kind::HOT}; //!< what it is
    double value{1};      //!< the factor of HOT (0..1e6), the exponent of ZIPF (0..100)

    static constexpr const char* ALLOWED =
        "hot:FACTOR (0..1e6) or zipf:EXPONENT (0..100)"; //!< texts
};

/// @return the skew that a text means, if it means one  @param text such as hot:4 or zipf:1.2
std::optional<PartSkew> ParsePartSkew(const std::string& text);

/**
 * @param skew how unequal they are
 * @param bytes size of the collective: the parts of a rank together without any skew. ZIPF keeps
 * this; with HOT all others have a part of it, and rank 0 the multiple of that
 * @return the parts
 */
PartSizes SkewParts(const PartSkew& skew, uint32_t ranks, uint64_t bytes);

/**
 * Read the parts of an all-to-all from a text: a line for each rank, with the bytes that it has for
 * each rank, and commas or blanks between them. Blank lines and lines that begin with '#' are
 * skipped.
 *
 * @param name what to call the text in messages, such as the file's name
 * @param ranks number of ranks
 * @throws std::invalid_argument with one line that names the text, the line and what is allowed
 */
PartSizes ReadPartSizes(std::istream& input, const std::string& name, uint32_t ranks);

/// Read the parts of an all-to-all from a file, as ReadPartSizes() does.  @param path the file
PartSizes ReadPartSizesFile(const std::string& path, uint32_t ranks);

} // namespace aifabric
} // namespace ns3

#endif /* PART_SKEW_H */
