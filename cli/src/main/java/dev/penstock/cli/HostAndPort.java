package dev.penstock.cli;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address in the form {@code HOST:PORT}, or {@code [ADDRESS]:PORT} for IPv6.
 *
 * @param host without brackets
 * @param port 0 to 99,999; callers check the valid range
 */
record HostAndPort(String host, int port) {
    private static final Pattern FORM = Pattern.compile("([^:/\\s]+|\\[[0-9A-Fa-f:.%]+])\\:(\\d{1,5})");

    /**
     * Parses an address.
     *
     * @param text the text to parse
     * @param what the expected form, for the message, for instance {@code not a server: write HOST:PORT}
     * @throws IllegalArgumentException the text is not an address
     */
    static HostAndPort parse(String text, String what) {
        Matcher written = FORM.matcher(text);
        if (!written.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is " + what);
        }
        return new HostAndPort(written.group(1).replaceAll("[\\[\\]]", ""), Integer.parseInt(written.group(2)));
    }

    /**
     * Parses a UDP target and resolves its address.
     *
     * @param target {@code udp://HOST:PORT}
     * @throws IllegalArgumentException invalid target or unknown host, with a one-line remedy
     */
    static InetSocketAddress ofUdp(String target) {
        String wrong = "not a UDP target: write udp://HOST:PORT, for instance udp://127.0.0.1:9000";
        if (!target.startsWith("udp://")) {
            throw new IllegalArgumentException("\"" + target + "\" is " + wrong);
        }
        HostAndPort where = parse(target.substring("udp://".length()).replaceFirst("/$", ""), wrong);
        if (where.port < 1 || where.port > 65_535) {
            throw new IllegalArgumentException("the port must be 1 to 65535, not " + where.port);
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(where.host), where.port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "unknown host \"" + where.host + "\"; check the target or the DNS server", e);
        }
    }
}
