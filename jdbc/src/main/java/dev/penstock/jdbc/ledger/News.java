package dev.penstock.jdbc.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What is told of a key.
 *
 * @param keepMillis for how long it is kept
 * @param ending what those get who ask from now on; null when it is given back
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record News(String id, long owner, long keepMillis, byte @Nullable [] ending) {}
