/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIZE_DISTRIBUTION_H
#define SIZE_DISTRIBUTION_H

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The lengths of messages, as a cumulative distribution: points (bytes, probability), neither of
 * which goes down from one point to the next. Between two points lengths are uniform. Two points of
 * the same length are a length of its own; two of the same probability are lengths that do not
 * occur. What the first point has of probability is its own length, and the last one has 1.
 *
 * ns-3's EmpiricalRandomVariable stays aside because it keeps one length a probability, so that
 * lengths that do not occur cannot be said, and because it does not know its mean.
 */
class SizeDistribution
{
  public:
    /// A point.
    struct Point
    {
        double bytes{0};       //!< a length
        double probability{0}; //!< that a message is at most so long
    };

    /**
     * @param points the points, at least one, as above
     * @throws std::invalid_argument with one line, if they are no distribution
     */
    explicit SizeDistribution(std::vector<Point> points);

    /**
     * @param uniform a number, uniform in [0, 1)
     * @return a length, at least 1 byte
     */
    uint64_t Draw(double uniform) const;

    /// @return the mean of the lengths, in bytes, before they are rounded to whole bytes
    double GetMean() const;

  private:
    std::vector<Point> m_points; //!< the points
};

/**
 * Read a distribution from a CSV text. Its first line is `bytes,probability`; each further line is
 * a point. Bytes are 1..MAX_FLOW_BYTES. Blank lines and lines that begin with '#' are skipped.
 *
 * @param input the text
 * @param name what to call the text in messages, such as the file's name
 * @return the distribution
 * @throws std::invalid_argument with one line that names the text, line, column, value and what is
 *         allowed
 */
SizeDistribution ReadSizeDistribution(std::istream& input, const std::string& name);

/**
 * Read a distribution from a CSV file.
 *
 * @param path the file
 * @return the distribution
 * @throws std::invalid_argument as ReadSizeDistribution(), and if it is no file that can be read
 */
SizeDistribution ReadSizeDistributionFile(const std::string& path);

} // namespace aifabric
} // namespace ns3

#endif /* SIZE_DISTRIBUTION_H */
