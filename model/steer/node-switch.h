/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NODE_SWITCH_H
#define NODE_SWITCH_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The switch of a node that adds up what GPUs have, and copies what one has to all (NVLink SHARP).
 * GPUs go by their number in the node.
 *
 * A sum, or a copy, of n GPUs is n - 1 *legs*, each between two GPUs. A leg goes up to the switch
 * and then down, each GPU in each direction one after the other. Of a sum of b bytes each GPU sends
 * b up, and one gets b; of a copy one sends b up, and each gets b. The GPU that has the sum, or
 * what is copied, sends and gets them, too. Legs share that evenly (Flow::GetUpBytes()).
 */
class NodeSwitch
{
  public:
    /// A message.
    struct Leg
    {
        uint32_t message;  //!< its number
        uint32_t sender;   //!< a GPU
        uint32_t receiver; //!< another one
        int64_t upPs;      //!< time that it takes up, in picoseconds
        int64_t downPs;    //!< time that it takes down, in picoseconds
        int64_t postedPs;  //!< when it was posted
        uint64_t turn;     //!< its place among those that its sender posted at that time
    };

    /// A leg that is sent.
    struct Passage
    {
        Leg leg;    //!< which
        int64_t ps; //!< when it has come, in picoseconds
    };

    NodeSwitch() = default;

    /// @param gpus of the node
    explicit NodeSwitch(uint32_t gpus);

    /// A GPU has something to send up.
    void Post(const Leg& leg);

    /// A leg has come up.
    void Rise(const Leg& leg);

    /// Send what was posted; to be called when all of that time was.
    /// @param now the current time, in picoseconds  @return what goes up
    std::vector<Passage> SendUp(int64_t now);

    /// The same with what has come up.  @return what goes down
    std::vector<Passage> SendDown(int64_t now);

  private:
    /// Put legs into their order, which does not depend on that in which they came.
    void Sort(std::vector<Leg>& legs) const;

    std::vector<Leg> m_posted;       //!< not sent up yet
    std::vector<Leg> m_risen;        //!< not sent down yet
    std::vector<int64_t> m_upFree;   //!< by GPU: when it has sent all before, in picoseconds
    std::vector<int64_t> m_downFree; //!< by GPU: when it has received all before
};

} // namespace aifabric
} // namespace ns3

#endif /* NODE_SWITCH_H */
