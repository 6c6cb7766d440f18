package dev.penstock.races.jdbcbatch;

import java.util.Map;

/** What is wrong with the database of a course. */
@SuppressWarnings("ImmutableEnumChecker") // its map is a copy
enum DatabaseFault {
    /** Nothing. */
    NONE("", Map.of()),
    /** Whatever is written to its log takes 5 ms longer, as on a disk across a network. */
    SLOW_DISK(", on a disk that takes 5 ms (commit_delay)", Map.of("commit_delay", "5000", "commit_siblings", "0")),
    /** It is killed in the middle of what is measured. */
    KILL("", Map.of());

    private final String words;
    private final Map<String, String> settings;

    DatabaseFault(String words, Map<String, String> settings) {
        this.words = words;
        this.settings = settings;
    }

    /** What there is to say of it beside when it is killed; empty for nothing. */
    String words() {
        return words;
    }

    /** Of PostgreSQL. */
    Map<String, String> settings() {
        return settings;
    }
}
