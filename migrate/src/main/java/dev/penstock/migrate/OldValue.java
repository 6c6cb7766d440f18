package dev.penstock.migrate;

/**
 * A value of the old client.
 *
 * @param from its origin, as shown in comments, for instance {@code maxConnections=1000}
 */
record OldValue<T>(T value, String from) {}
