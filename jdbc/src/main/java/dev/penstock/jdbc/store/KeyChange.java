package dev.penstock.jdbc.store;

import org.jspecify.annotations.Nullable;

/**
 * The ending or the release of a key.
 *
 * @param keepMillis how long the ending is kept, in milliseconds
 * @param ending the ending to repeat from now on; null to release the key
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeyChange(String id, long owner, long keepMillis, byte @Nullable [] ending) {}
