package dev.penstock.http;

import java.time.Duration;

/** The limits of the connections of a source; see {@link HttpSourceBuilder}. */
record SourceLimits(int maxHeaders, Duration headerTime, Duration bodyTime, Duration idleTime, int maxConnections) {
    /** How long received bytes are read and discarded after an answer that ends a connection. */
    static final Duration LINGER = Duration.ofSeconds(1);
    /** Time limit for writing the 408 answer to a slow client. */
    static final Duration FINAL_ANSWER = Duration.ofSeconds(1);
}
