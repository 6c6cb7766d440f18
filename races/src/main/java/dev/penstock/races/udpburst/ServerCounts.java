package dev.penstock.races.udpburst;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The counters that a server reported.
 *
 * @param values by name as in {@link ServerMain}
 */
record ServerCounts(Map<String, Long> values) {
    /** The prefix of the name of a drop counter; the place follows. */
    static final String DROPPED = "dropped.";

    ServerCounts {
        values = Map.copyOf(values);
    }

    /** Parses text such as {@code received=9 answered=8}. */
    static ServerCounts read(String text) {
        Map<String, Long> counts = new TreeMap<>();
        for (String part : text.strip().split(" ", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("unexpected counts from a server: " + text);
            }
            counts.put(part.substring(0, equals), Long.valueOf(part.substring(equals + 1)));
        }
        return new ServerCounts(counts);
    }

    long received() {
        return values.getOrDefault("received", 0L);
    }

    long answered() {
        return values.getOrDefault("answered", 0L);
    }

    /** A value that not every server reports. */
    OptionalLong value(String name) {
        Long number = values.get(name);
        return number == null || number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /** The datagrams dropped since an earlier reading, by place; empty if the server does not count them. */
    Map<String, Long> droppedSince(ServerCounts before) {
        Map<String, Long> dropped = new TreeMap<>();
        values.forEach((name, count) -> {
            if (name.startsWith(DROPPED)) {
                dropped.put(name.substring(DROPPED.length()), count - before.values.getOrDefault(name, 0L));
            }
        });
        return dropped;
    }
}
