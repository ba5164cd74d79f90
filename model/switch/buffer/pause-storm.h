/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_STORM_H
#define PAUSE_STORM_H

#include "pause-sender.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A fault: a port, usually of a NIC, pauses one class of its peer for a long time, whatever room it
 * has. NICs whose receiver has stopped do this. The port sends a PFC frame at Start, refreshes the
 * pause after half of its time, and lets the class resume at Stop.
 */
class PauseStorm : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PauseStorm();
    ~PauseStorm() override;

    /// Set which port sends the frames. To be called before Initialize().  @param port the port,
    /// which is connected
    void SetPort(Ptr<FabricPort> port);

    /// @return the port that sends the frames
    const Ptr<FabricPort>& GetPort() const
    {
        return m_port;
    }

    /// @return the class that is paused
    uint8_t GetClass() const
    {
        return m_class;
    }

    /// @return PFC frames sent
    uint64_t GetFrames() const
    {
        return m_sender.GetFrames();
    }

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// The storm begins or ends.
    void Toggle();

    uint8_t m_class{0};     //!< the class that is paused
    uint16_t m_quanta{0};   //!< pause time of a frame, in quanta
    Time m_start;           //!< begin
    Time m_stop;            //!< end; 0: never
    Ptr<FabricPort> m_port; //!< the port
    PauseSender m_sender;   //!< sends the frames
    EventId m_startEvent;   //!< the begin
    EventId m_stopEvent;    //!< the end
};

} // namespace aifabric
} // namespace ns3

#endif /* PAUSE_STORM_H */
