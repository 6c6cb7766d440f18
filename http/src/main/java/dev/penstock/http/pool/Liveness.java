package dev.penstock.http.pool;

/** The state of an idle connection. */
enum Liveness {
    /** Open, and nothing to read: it may be used. */
    ALIVE,
    /** The peer closed or reset it. */
    CLOSED,
    /** The peer sent data without a request. It must not be used: the data would be read as the next answer. */
    UNEXPECTED_DATA
}
