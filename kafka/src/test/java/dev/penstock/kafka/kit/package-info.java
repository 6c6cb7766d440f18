/**
 * For tests and races: a real Kafka broker in its own process, to start, suspend, kill and restart on the same log ({@link
 * dev.penstock.kafka.kit.KafkaBroker}). Shipped as the test-jar of kafka; needs {@code kafka_2.13} on the class path.
 */
@NullMarked
package dev.penstock.kafka.kit;

import org.jspecify.annotations.NullMarked;
