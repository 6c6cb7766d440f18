package dev.penstock.jdbc.guard;

/** The result of checking a connection. */
enum Health {
    ALIVE,
    /** The server or the network closed or reset it, which is visible without a round trip. */
    CLOSED,
    /** The validation got no answer. */
    SILENT
}
