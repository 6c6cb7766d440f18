package dev.penstock.gateway.migrate;

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
