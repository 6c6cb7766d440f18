package dev.penstock.gateway.migrate;

/**
 * A value of the old client.
 *
 * @param from what it comes from, as a comment shows it, for instance {@code maxConnections=1000}
 */
record OldValue<T>(T value, String from) {}
