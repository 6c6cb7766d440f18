package dev.penstock.lab.probe;

import java.util.List;

/**
 * A limit that a target announces.
 *
 * @param name the target's name for it, for instance {@code Keep-Alive: timeout} or {@code max_connections}
 * @param value as announced
 * @param meaning its consequence, in one sentence
 */
public record AnnouncedLimit(String name, String value, String meaning) {
    private static final long UNBOUNDED = Long.MAX_VALUE;

    /**
     * The number of connections that the peer has left for this client: nine tenths of those announced, without those
     * reserved for administrators and those that others use now; at least 1. {@link Integer#MAX_VALUE} when none are
     * announced.
     */
    public static int connections(List<AnnouncedLimit> announced) {
        long most =
                Math.min(number(announced, "max_connections", UNBOUNDED), number(announced, "connections", UNBOUNDED));
        if (most == UNBOUNDED) {
            return Integer.MAX_VALUE;
        }
        long reserved =
                number(announced, "superuser_reserved_connections", 0) + number(announced, "reserved_connections", 0);
        // Of those in use, one is the connection of this probe that read the number.
        long others = Math.max(0, number(announced, "connections in use", 1) - 1);
        return (int) Math.max(1, (most - reserved - others) * 9 / 10);
    }

    private static long number(List<AnnouncedLimit> announced, String name, long otherwise) {
        return announced.stream()
                .filter(one -> one.name.equals(name) && one.value.matches("\\d{1,9}"))
                .mapToLong(one -> Long.parseLong(one.value))
                .min()
                .orElse(otherwise);
    }
}
