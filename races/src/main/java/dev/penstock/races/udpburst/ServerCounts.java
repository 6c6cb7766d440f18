package dev.penstock.races.udpburst;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a server said that it did.
 *
 * @param byWord as in {@link ServerMain}
 */
record ServerCounts(Map<String, Long> byWord) {
    /** Begins the word of a place where it drops. */
    static final String DROPPED = "dropped.";

    ServerCounts {
        byWord = Map.copyOf(byWord);
    }

    /** Reads {@code received=9 answered=8}. */
    static ServerCounts read(String text) {
        Map<String, Long> counts = new TreeMap<>();
        for (String part : text.strip().split(" ", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("a server said " + text);
            }
            counts.put(part.substring(0, equals), Long.valueOf(part.substring(equals + 1)));
        }
        return new ServerCounts(counts);
    }

    long received() {
        return byWord.getOrDefault("received", 0L);
    }

    long answered() {
        return byWord.getOrDefault("answered", 0L);
    }

    /** A figure that not every server has. */
    OptionalLong told(String word) {
        Long value = byWord.get(word);
        return value == null || value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /** What it dropped since an earlier look, by place; empty when it does not count that. */
    Map<String, Long> droppedSince(ServerCounts before) {
        Map<String, Long> dropped = new TreeMap<>();
        byWord.forEach((word, count) -> {
            if (word.startsWith(DROPPED)) {
                dropped.put(word.substring(DROPPED.length()), count - before.byWord.getOrDefault(word, 0L));
            }
        });
        return dropped;
    }
}
