package dev.penstock.http.pool;

/** What a connection shows that nobody uses. */
enum Liveness {
    /** Nothing: it may be used. */
    QUIET,
    /** The peer closed or reset it. */
    ENDED,
    /** The peer sent what nobody asked for: it must not be used, for that would be read as an answer. */
    TALKED
}
