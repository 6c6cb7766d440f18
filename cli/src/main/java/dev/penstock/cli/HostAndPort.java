package dev.penstock.cli;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where something listens, as people write it: {@code HOST:PORT}, or {@code [ADDRESS]:PORT} for IPv6.
 *
 * @param host without brackets
 * @param port 0 to 99,999; whether it may be is for others to say
 */
record HostAndPort(String host, int port) {
    /** What every target that takes datagrams begins with. */
    static final String UDP = "udp:";

    private static final Pattern WRITTEN = Pattern.compile("([^:/\\s]+|\\[[0-9A-Fa-f:.%]+])\\:(\\d{1,5})");

    /**
     * Reads one.
     *
     * @param text as a person writes it
     * @param what it is and how to write it, for instance {@code no server: write HOST:PORT}
     * @throws IllegalArgumentException when it is none, in one line
     */
    static HostAndPort parse(String text, String what) {
        Matcher written = WRITTEN.matcher(text);
        if (!written.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is " + what);
        }
        return new HostAndPort(written.group(1).replaceAll("[\\[\\]]", ""), Integer.parseInt(written.group(2)));
    }

    /**
     * Reads a target of datagrams, and finds its address.
     *
     * @param target {@code udp://HOST:PORT}
     * @throws IllegalArgumentException when it is none or nobody knows the host, in one line that says what to do
     */
    static InetSocketAddress ofUdp(String target) {
        String wrong = "no target of datagrams: write udp://HOST:PORT, for instance udp://127.0.0.1:9000";
        if (!target.startsWith("udp://")) {
            throw new IllegalArgumentException("\"" + target + "\" is " + wrong);
        }
        HostAndPort where = parse(target.substring("udp://".length()).replaceFirst("/$", ""), wrong);
        if (where.port < 1 || where.port > 65_535) {
            throw new IllegalArgumentException("the port is 1 to 65535, not " + where.port);
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(where.host), where.port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("nobody knows the host \"" + where.host + "\"; mend the target", e);
        }
    }
}
