/**
 * Receives no more messages than can be processed, and acknowledges those that have ended. With Artemis and AMQP 1.0 one
 * thread owns the session, and each message is acknowledged individually:
 *
 * <pre>{@code
 *            capacity?                       a virtual thread each
 *   owner --- receive ---> HeldMessage ---> MessageHandling ---> flow ---> target
 *     ^                                          |
 *     |                               MessageOutcome: done, dead letter, or given back
 *     +---- acknowledge  <---- ended ------------+
 * }</pre>
 *
 * <p>With any other client each message has a session and a transaction of its own; a session has one virtual thread:
 *
 * <pre>{@code
 *   capacity? --- receive ---> HeldMessage ---> MessageHandling ---> flow ---> target
 *     ^                                               |
 *     +--------------- commit, or rollback <----------+
 * }</pre>
 *
 * <p>A message is in flight from its receipt until it is acknowledged or given back; at most {@code in_flight} are.
 * Rejected messages, and failed ones that may be tried again, stay in flight. Closing the session gives back all
 * messages in flight.
 *
 * <p>Design note: the prefetch of a client (credits) does not limit the messages in process, since credits return when a
 * message is received and not when it is acknowledged. Not receiving does. A session belongs to one thread (JMS 3.1
 * section 2.14), so the thread that receives also acknowledges or
 * commits.
 */
@NullMarked
package dev.penstock.jms.source;

import org.jspecify.annotations.NullMarked;
