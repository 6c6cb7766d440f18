package dev.penstock.jdbc.store;

import org.jspecify.annotations.Nullable;

/**
 * A change that a process reports about a key.
 *
 * @param keepMillis for how long it is kept
 * @param ending what a repeat gets from now on; null when the key is released
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record KeyChange(String id, long owner, long keepMillis, byte @Nullable [] ending) {}
