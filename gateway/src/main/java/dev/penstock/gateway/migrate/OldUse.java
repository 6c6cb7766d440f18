package dev.penstock.gateway.migrate;

/** What a property of an older pool of database connections says. */
enum OldUse {
    URL,
    USER,
    PASSWORD,
    MAX,
    MIN,
    /** How long to wait for a connection, in milliseconds. */
    WAIT_MILLIS,
    /** How long a connection may lie idle. */
    IDLE_MILLIS,
    IDLE_SECONDS,
    /** How old a connection may get. */
    AGE_MILLIS,
    AGE_SECONDS,
    INIT_SQL,
    TEST_QUERY,
    AUTO_COMMIT,
    READ_ONLY,
    ISOLATION,
    /** For the driver. */
    DRIVER,
    /** Nothing that has a place here. */
    NONE
}
