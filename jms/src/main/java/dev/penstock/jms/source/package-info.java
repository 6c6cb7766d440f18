/**
 * Receives no more messages than can be processed, and acknowledges those that have ended.
 *
 * <pre>
 *            capacity?                       a virtual thread each
 *   owner --- receive ---> HeldMessage ---> MessageHandling ---> flow ---> target
 *     ^                                          |
 *     |                               MessageOutcome: done, dead letter, or given back
 *     +---- acknowledge  <---- ended ------------+
 * </pre>
 *
 * <p>A message is in flight from its receipt until it is acknowledged or given back; at most {@code in_flight} are.
 * Rejected messages, and failed ones that may be tried again, stay in flight. Closing the session gives back all
 * messages in flight.
 *
 * <p>Design note: the prefetch of a client (credits) does not limit the messages in process, since credits return when a
 * message is received and not when it is acknowledged. Not receiving does. A session belongs to one thread (JMS 3.1
 * section 2.14), so that thread also acknowledges.
 */
@NullMarked
package dev.penstock.jms.source;

import org.jspecify.annotations.NullMarked;
