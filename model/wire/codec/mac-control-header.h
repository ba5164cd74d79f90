/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MAC_CONTROL_HEADER_H
#define MAC_CONTROL_HEADER_H

#include "ns3/fabric-frame.h"
#include "ns3/header.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Contents of an Ethernet MAC control frame that pauses the other end of a link.
 *
 * | Opcode | Name                               | Contents after the 2 bytes of the opcode      |
 * |--------|------------------------------------|-----------------------------------------------|
 * | 0x0001 | PAUSE (IEEE 802.3, Annex 31B)      | pause time 2                                  |
 * | 0x0101 | PFC (IEEE 802.1Q, clause 36;       | class enable vector 2 (high byte reserved),   |
 * |        | IEEE 802.3, Annex 31D)             | pause times 8 x 2                             |
 *
 * A pause time counts quanta of 512 bit times. The sender of the frame fills it up to the minimum
 * frame size. Of any other opcode only the opcode itself is read and written.
 */
class MacControlHeader : public Header
{
  public:
    static constexpr uint16_t ETHER_TYPE = 0x8808; //!< EtherType of MAC control frames
    static constexpr uint16_t PAUSE = 0x0001;      //!< opcode: all classes
    static constexpr uint16_t PFC = 0x0101;        //!< opcode: priority-based flow control
    static constexpr uint32_t OPCODE_SIZE = 2;     //!< size in bytes of the opcode

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param opcode what the frame commands, PAUSE or PFC
    void SetOpcode(uint16_t opcode);
    /// @return what the frame commands
    uint16_t GetOpcode() const;

    /// @param vector the pause times; PAUSE carries only the first
    void SetPauseVector(const PauseVector& vector);
    /// @return the pause times
    const PauseVector& GetPauseVector() const;

    // Inherited
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint16_t m_opcode{PFC}; //!< what the frame commands
    PauseVector m_vector{}; //!< the pause times
};

} // namespace aifabric
} // namespace ns3

#endif /* MAC_CONTROL_HEADER_H */
