package dev.penstock.lab.probe;

import java.util.List;

/**
 * A limit that a peer tells of itself.
 *
 * @param name as the peer calls it, for instance {@code Keep-Alive: timeout} or {@code max_connections}
 * @param value as it says it
 * @param meaning what follows from it, in one sentence
 */
public record AnnouncedLimit(String name, String value, String meaning) {
    private static final String MOST = "max_connections";
    private static final String IN_USE = "connections in use";
    private static final long UNBOUNDED = Long.MAX_VALUE;

    /** How many of the connections that a peer says it has are for this side: a tenth is left; no bound when it says none. */
    public static int connections(List<AnnouncedLimit> said) {
        long most = number(said, MOST, UNBOUNDED);
        return most == UNBOUNDED ? Integer.MAX_VALUE : (int) Math.max(1, most * 9 / 10);
    }

    /** As {@link #connections}, less those that are in use now as far as it says; 0 or more. */
    static int free(List<AnnouncedLimit> said) {
        int most = connections(said);
        return most == Integer.MAX_VALUE ? most : (int) Math.max(0, most - number(said, IN_USE, 0));
    }

    private static long number(List<AnnouncedLimit> said, String name, long otherwise) {
        return said.stream()
                .filter(one -> one.name.equals(name) && one.value.matches("\\d{1,9}"))
                .mapToLong(one -> Long.parseLong(one.value))
                .min()
                .orElse(otherwise);
    }
}
