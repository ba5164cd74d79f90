/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_APPLICATION_H
#define MESSAGE_APPLICATION_H

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rc-queue-pair.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Sends messages over a queue pair, in periods of activity, as OnOffApplication does over a socket.
 *
 * While it is on, it posts messages of random length. Without an Interval it posts a message as
 * soon as the one before it is acknowledged; with an Interval it posts messages at random times,
 * whether the ones before are acknowledged or not. A period without activity, or the stop of the
 * application, does not end messages that were posted.
 *
 * **Conservation**: messages posted = completed + pending; if the queue pair fails, the pending
 * ones are never completed.
 */
class MessageApplication : public Application
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MessageApplication();
    ~MessageApplication() override;

    /// @param queuePair the queue pair to send over, which is connected
    void SetQueuePair(Ptr<QueuePair> queuePair);

    /// @return the queue pair to send over, or nullptr
    Ptr<QueuePair> GetQueuePair() const;

    /// @return the host index of the destination
    uint32_t GetDestination() const;

    /// @return messages posted so far
    uint64_t GetPosted() const;

    /// @return messages acknowledged whole so far
    uint64_t GetCompleted() const;

    /**
     * Assign fixed random streams to its random variables.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream); // since ns-3.41 of the base class

    /**
     * Signature of the Posted trace source.
     *
     * @param bytes length of the message
     */
    typedef void (*PostedTracedCallback)(uint64_t bytes);

    /**
     * Signature of the Completed trace source.
     *
     * @param bytes length of the message
     * @param duration time from its post to its last acknowledgement
     */
    typedef void (*CompletedTracedCallback)(uint64_t bytes, Time duration);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// A period of activity begins.
    void TurnOn();

    /// A period of activity ends.
    void TurnOff();

    /// Post a message, if one is due, and schedule the next one.
    void Post();

    /// A message is acknowledged.  @param bytes its length
    void MessageCompleted(Ptr<QueuePair> queuePair, uint64_t bytes);

    Ptr<RandomVariableStream> m_bytes;    //!< length of a message, in bytes
    Ptr<RandomVariableStream> m_onTime;   //!< time of activity, in seconds
    Ptr<RandomVariableStream> m_offTime;  //!< time between periods of activity, in seconds
    Ptr<RandomVariableStream> m_interval; //!< time between posts, in seconds, or nullptr
    uint64_t m_maxMessages{0};            //!< messages to post; 0: no limit
    Ptr<QueuePair> m_queuePair;           //!< to send over
    bool m_isOn{false};                   //!< a period of activity
    uint64_t m_posted{0};                 //!< messages posted
    uint64_t m_completed{0};              //!< messages acknowledged whole
    std::deque<Time> m_pending;           //!< when each message was posted that is not acknowledged
    EventId m_turn;                       //!< begin or end of a period of activity
    EventId m_post;                       //!< the next post

    TracedCallback<uint64_t> m_postedTrace;          //!< a message was posted
    TracedCallback<uint64_t, Time> m_completedTrace; //!< a message was acknowledged whole
};

} // namespace aifabric
} // namespace ns3

#endif /* MESSAGE_APPLICATION_H */
