package dev.penstock.migrate;

/**
 * A property of an older pool.
 *
 * @param name the name in the manual of that pool
 * @param use its meaning
 * @param why why it is dropped; empty if it is not
 */
record OldName(String name, OldUse use, String why) {
    /** The meaning of a property of an older pool of database connections. */
    enum OldUse {
        URL,
        USER,
        PASSWORD,
        MAX,
        MIN,
        /** How long to wait for a connection, in milliseconds. */
        WAIT_MILLIS,
        /** The maximum idle time of a connection. */
        IDLE_MILLIS,
        IDLE_SECONDS,
        /** The maximum age of a connection. */
        AGE_MILLIS,
        AGE_SECONDS,
        INIT_SQL,
        TEST_QUERY,
        AUTO_COMMIT,
        READ_ONLY,
        ISOLATION,
        /** A property for the driver. */
        DRIVER,
        /** Dropped. */
        NONE
    }

    /** Common reasons why properties of older pools are dropped. */
    static final class DroppedReasons {
        static final String KEPT_ALIVE =
                "not needed: idle connections are kept alive within half of the learned time after which the network drops them";
        static final String VALIDATED =
                "not needed: before use the socket of a connection is checked, and a connection idle for longer than any seen alive"
                        + " is validated, with a timeout learned from round trips";
        static final String ON_DEMAND = "not needed: connections are opened on demand and concurrently";
        static final String BOUNDED_BY_WAIT = "not needed: connection attempts are limited by the wait time of callers";
        static final String LEAKS =
                "not supported: a flow always returns its connection; in your own program use try-with-resources";
        static final String STATEMENTS =
                "not supported: the driver caches prepared statements (PostgreSQL's caches 256 per connection)";
        static final String METRICS = "not needed: counters and times are at /metrics, settings at /settings";
        static final String THREADS = "not needed: background work uses virtual threads";
        static final String DRIVER_BY_URL = "not needed: the URL selects the driver";
        static final String INTERNAL = "internal to the old pool";
        static final String STARTS_ANYWAY =
                "not needed: the gateway starts without the database, and callers get an error";

        private DroppedReasons() {}
    }
}
