/**
 * For tests and races: a real Artemis broker in its own process, to start, kill and restart on the same journal ({@link
 * dev.penstock.jms.kit.BrokerProcess}). Shipped as the test-jar of jms.
 */
@NullMarked
package dev.penstock.jms.kit;

import org.jspecify.annotations.NullMarked;
