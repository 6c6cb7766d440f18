/** Kafka's topics in the gateway: {@code from.kafka} and {@code to.kafka}. */
@NullMarked
package dev.penstock.gateway.kafka;

import org.jspecify.annotations.NullMarked;
