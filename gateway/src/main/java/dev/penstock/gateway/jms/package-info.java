/** Queues in the gateway: {@code from.jms}, {@code to.jms} and the embedded broker. */
@NullMarked
package dev.penstock.gateway.jms;

import org.jspecify.annotations.NullMarked;
