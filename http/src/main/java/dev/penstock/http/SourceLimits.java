package dev.penstock.http;

import java.time.Duration;

/** What bounds the connections of a source; see {@link HttpSourceBuilder} for what each one does. */
record SourceLimits(int maxHeaders, Duration headerTime, Duration bodyTime, Duration idleTime, int maxConnections) {
    /** How long what still comes in is read and dropped after an answer that ends a connection. */
    static final Duration LINGER = Duration.ofSeconds(1);
    /** How long the last words to a slow client may take to leave. */
    static final Duration LAST_WORDS = Duration.ofSeconds(1);
}
