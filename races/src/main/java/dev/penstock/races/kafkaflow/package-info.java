/**
 * The race {@code kafka-flow}: a topic of 3 partitions that never runs dry, and consumers with at most 500 records in flight.
 *
 * <pre>{@code
 *   Topic.fill --> KafkaBroker --TCP--> contestant --> MessageWork
 *    before the    in a separate        in its own     takes its time, counts
 *    start         process              JVM            each number
 *                      |                                   |
 *                      +---- Topic.left --> MessageAudit <-+
 *                            not committed  lost, or handled twice
 * }</pre>
 *
 * <p>In the course {@code kill} the contestant has a process that is killed, as the broker is:
 *
 * <pre>{@code
 *   KillRun --> KafkaBroker --TCP--> KilledConsumerMain --> EffectLog
 *    sends records, kills,                                  read by KillRun:
 *    starts again                                           lost, repeated
 * }</pre>
 */
@NullMarked
package dev.penstock.races.kafkaflow;

import org.jspecify.annotations.NullMarked;
