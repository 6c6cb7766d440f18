/**
 * Receives no more than can be carried, and acknowledges what has ended.
 *
 * <pre>
 *              room?                     a virtual thread each
 *   owner --- receive ---> Held ---> Handling ---> flow ---> target
 *     ^                                  |
 *     |                               Outcome: done, dead letter, or given back
 *     +---- acknowledge  <--- ended -----+
 * </pre>
 *
 * <p>A message is in hand from its receipt until its outcome is told to the broker; at most {@code in_flight} are. What is
 * rejected, or failed and may be tried again, waits in hand. Who closes the session gives back all that is still in hand.
 *
 * <p>Design note: the number of messages that a client has asked for (credits, prefetch) does not bound what is in process,
 * since credits return when a message is received and not when it is acknowledged. Not receiving does. A session belongs to
 * one thread (JMS 3.1 section 2.14), so that thread also acknowledges.
 */
@NullMarked
package dev.penstock.jms.source;

import org.jspecify.annotations.NullMarked;
