/**
 * The race {@code jms-flow}: a queue that never runs dry, and consumers that may have 500 messages in flight.
 *
 * <pre>
 *   Backlog.fill --> BrokerProcess --TCP--> Contestant --> Handling
 *    before the       Artemis in a           in a JVM       takes its time, counts
 *    start            process of its own     of its own     each number
 *                         |                                    |
 *                         +--- Backlog.drain ---> Audit <------+
 *                              what is left         what is lost, or handled twice
 * </pre>
 */
@NullMarked
package dev.penstock.races.jmsflow;

import org.jspecify.annotations.NullMarked;
