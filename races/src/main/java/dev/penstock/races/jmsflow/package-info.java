/**
 * The race {@code jms-flow}: a queue that never runs dry, and consumers with at most 500 messages in flight.
 *
 * <pre>{@code
 *   Backlog.fill --> BrokerProcess --TCP--> contestant --> MessageWork
 *    before the       Artemis in a           in its        takes its time, counts
 *    start            separate process       own JVM       each number
 *                         |                                    |
 *                         +--- Backlog.drain --> MessageAudit <+
 *                              remaining         lost, or handled twice
 * }</pre>
 */
@NullMarked
package dev.penstock.races.jmsflow;

import org.jspecify.annotations.NullMarked;
