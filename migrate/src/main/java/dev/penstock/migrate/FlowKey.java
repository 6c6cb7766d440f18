package dev.penstock.migrate;

/** The keys of a flow that importers write, in the order of the file, each with what it allows. */
enum FlowKey {
    PORT("from.http.port", Unit.COUNT, 0, 65_535),
    HOST("from.http.host", Unit.TEXT, 0, 0),
    PATH("from.http.path", Unit.TEXT, 0, 0),
    MAX_BODY("from.http.max_body", Unit.SIZE, 1, 1L << 30),
    HEADER_TIME("from.http.header_time", Unit.TIME, 10, 3_600_000),
    BODY_TIME("from.http.body_time", Unit.TIME, 10, 3_600_000),
    IDLE_TIME("from.http.idle_time", Unit.TIME, 10, 3_600_000),
    MAX_CONNECTIONS("from.http.max_connections", Unit.COUNT, 1, 100_000),
    MAX_HEADERS("from.http.max_headers", Unit.SIZE, 1 << 10, 1 << 20),
    URL("to.http.url", Unit.TEXT, 0, 0),
    DEADLINE("deadline", Unit.TIME, 1, 3_600_000),
    ATTEMPTS("retry.attempts", Unit.COUNT, 1, 10),
    BACKOFF("retry.backoff", Unit.TIME, 0, 60_000),
    BACKOFF_MAX("retry.backoff_max", Unit.TIME, 0, 60_000),
    COLLAPSE_URL("collapse.url", Unit.TEXT, 0, 0),
    COLLAPSE_MAX("collapse.max", Unit.COUNT, 1, 100_000),
    COLLAPSE_BUDGET("collapse.budget", Unit.TIME, 0, 60_000),
    COLLAPSE_SAME("collapse.same", Unit.FLAG, 0, 0),
    LIMIT("limit", Unit.COUNT, 1, 1_000_000),
    QUEUE_TIME("queue.time", Unit.TIME, 0, 3_600_000),
    QUEUE_LENGTH("queue.length", Unit.COUNT, 0, 1_000_000),
    BREAKER("breaker", Unit.TEXT, 0, 0),
    FAILURE_PERCENT("breaker.failure_percent", Unit.PERCENT, 1, 100),
    MIN_CALLS("breaker.min_calls", Unit.COUNT, 1, 1_000_000),
    OPEN("breaker.open", Unit.TIME, 1, 3_600_000),
    TRIALS("breaker.trials", Unit.COUNT, 1, 1_000),
    /** None: the property is dropped. */
    NONE("", Unit.TEXT, 0, 0);

    /** How a value is written. */
    enum Unit {
        COUNT,
        PERCENT,
        /** In the old file milliseconds, unless it has a unit. */
        TIME,
        /** In the old file bytes, unless it has a unit. */
        SIZE,
        FLAG,
        TEXT
    }

    final String path;
    final Unit unit;
    final long min;
    final long max;

    FlowKey(String path, Unit unit, long min, long max) {
        this.path = path;
        this.unit = unit;
        this.min = min;
        this.max = max;
    }

    /** Whether a negative number means no limit in old clients. */
    boolean negativeIsUnlimited() {
        return unit == Unit.TIME || unit == Unit.SIZE || this == MAX_CONNECTIONS || this == COLLAPSE_MAX;
    }
}
