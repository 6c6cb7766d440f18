package dev.penstock.races.jdbcbatch;

import dev.penstock.Service;

/**
 * A contestant: writes the row with a number, and answers once that is committed. Says by its exception how it ended otherwise.
 * Safe for many threads.
 */
interface Inserter extends Service<Long, Boolean>, AutoCloseable {
    /** Ends its threads and connections. */
    @Override
    void close();
}
