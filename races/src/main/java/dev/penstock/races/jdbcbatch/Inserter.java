package dev.penstock.races.jdbcbatch;

import dev.penstock.Service;

/**
 * A contestant: writes a row with this number, and answers after its commit. Other endings are exceptions. Thread-safe.
 */
interface Inserter extends Service<Long, Boolean>, AutoCloseable {
    /** Closes its threads and connections. */
    @Override
    void close();
}
