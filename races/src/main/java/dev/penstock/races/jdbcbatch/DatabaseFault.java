package dev.penstock.races.jdbcbatch;

import java.util.Map;

/** The database's fault in a course. */
@SuppressWarnings("ImmutableEnumChecker") // its map is a copy
enum DatabaseFault {
    /** None. */
    NONE("", Map.of()),
    /** Writes to its log take 5 ms longer, as on a network disk. */
    SLOW_DISK(", on a disk that takes 5 ms (commit_delay)", Map.of("commit_delay", "5000", "commit_siblings", "0")),
    /** It is killed during the measurement. */
    KILL("", Map.of());

    private final String description;
    private final Map<String, String> settings;

    DatabaseFault(String description, Map<String, String> settings) {
        this.description = description;
        this.settings = settings;
    }

    /** A description without the time of a kill; empty for none. */
    String describe() {
        return description;
    }

    /** Settings of PostgreSQL. */
    Map<String, String> settings() {
        return settings;
    }
}
