package dev.penstock.jdbc.guard;

/** What was found out about a connection. */
enum Health {
    ALIVE,
    /** The other end closed or reset it, and that could be seen without asking. */
    CLOSED,
    /** No answer came. */
    SILENT
}
