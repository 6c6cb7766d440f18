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
    /**
     * One in so many of the connections left is for clients that come later. It costs at most 5 % of the throughput, and
     * nothing where fewer are left, where one would be a large part.
     */
    private static final int SPARED_ONE_IN = 20;

    private static final long UNBOUNDED = Long.MAX_VALUE;
    private static final List<String> BOUNDED = List.of("user", "database");

    /**
     * The number of connections that the peer has left for this client: those announced, without those reserved for
     * administrators, those that others use now, and one in {@value #SPARED_ONE_IN} of the rest; at least 1. Limits of
     * the user and of the database bound it too. {@link Integer#MAX_VALUE} when none are announced.
     */
    public static int connections(List<AnnouncedLimit> announced) {
        long most =
                Math.min(number(announced, "max_connections", UNBOUNDED), number(announced, "connections", UNBOUNDED));
        long reserved =
                number(announced, "superuser_reserved_connections", 0) + number(announced, "reserved_connections", 0);
        long left = most == UNBOUNDED ? most : most - reserved - others(announced, "connections in use");
        for (String bounded : BOUNDED) {
            long limit = number(announced, "connection limit of the " + bounded, UNBOUNDED);
            left = limit == UNBOUNDED
                    ? left
                    : Math.min(left, limit - others(announced, "connections of the " + bounded + " in use"));
        }
        return left == UNBOUNDED ? Integer.MAX_VALUE : (int) Math.max(1, left - left / SPARED_ONE_IN);
    }

    /** Of those in use, one is the connection of this probe that read the number. */
    private static long others(List<AnnouncedLimit> announced, String name) {
        return Math.max(0, number(announced, name, 1) - 1);
    }

    private static long number(List<AnnouncedLimit> announced, String name, long otherwise) {
        return announced.stream()
                .filter(one -> one.name.equals(name) && one.value.matches("\\d{1,9}"))
                .mapToLong(one -> Long.parseLong(one.value))
                .min()
                .orElse(otherwise);
    }
}
