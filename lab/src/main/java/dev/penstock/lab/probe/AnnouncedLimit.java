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
    private static final String MAX_CONNECTIONS = "max_connections";
    private static final String IN_USE = "connections in use";
    private static final long UNBOUNDED = Long.MAX_VALUE;

    /**
     * The number of connections to use of those announced: nine tenths, so that some are left for others;
     * {@link Integer#MAX_VALUE} when none are announced.
     */
    public static int connections(List<AnnouncedLimit> announced) {
        long most = number(announced, MAX_CONNECTIONS, UNBOUNDED);
        return most == UNBOUNDED ? Integer.MAX_VALUE : (int) Math.max(1, most * 9 / 10);
    }

    /** As {@link #connections}, minus the connections in use now, if announced; 0 or more. */
    static int free(List<AnnouncedLimit> announced) {
        int most = connections(announced);
        return most == Integer.MAX_VALUE ? most : (int) Math.max(0, most - number(announced, IN_USE, 0));
    }

    private static long number(List<AnnouncedLimit> announced, String name, long otherwise) {
        return announced.stream()
                .filter(one -> one.name.equals(name) && one.value.matches("\\d{1,9}"))
                .mapToLong(one -> Long.parseLong(one.value))
                .min()
                .orElse(otherwise);
    }
}
