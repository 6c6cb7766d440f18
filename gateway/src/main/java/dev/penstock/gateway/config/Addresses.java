package dev.penstock.gateway.config;

import java.net.InetAddress;
import java.util.regex.Pattern;

/** Reads and compares listen addresses. Makes no DNS lookup. */
final class Addresses {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

    private Addresses() {}

    static Configured<Integer> port(ConfigMapping mapping) {
        return mapping.integer("port", 0, 0, 65_535);
    }

    static Configured<String> host(ConfigMapping mapping) {
        Configured<String> host = mapping.text("host", HttpFrom.LOOPBACK);
        ConfigValue value = mapping.get("host");
        if (value != null && host.inFile() && !isLiteral(host.value()) && !isName(host.value())) {
            value.refuseValue(
                    "which is not an address", "write for instance 127.0.0.1, 0.0.0.0, \"::1\" or a host name");
        }
        return host;
    }

    private static boolean isName(String host) {
        return NAME.matcher(host).matches() && !host.matches("[0-9.]+");
    }

    private static boolean isLiteral(String host) {
        try {
            return InetAddress.ofLiteral(host) != null;
        } catch (IllegalArgumentException name) {
            return false;
        }
    }

    /** Whether the host is only reachable from this machine. */
    static boolean isLoopback(String host) {
        return host.equals("localhost")
                || (isLiteral(host) && InetAddress.ofLiteral(host).isLoopbackAddress());
    }

    /** Whether listeners on both hosts would conflict on the same port. */
    static boolean overlap(String one, String other) {
        return same(one, other) || isEvery(one) || isEvery(other);
    }

    /** Whether two hosts are the same address. */
    static boolean same(String one, String other) {
        return plain(one).equals(plain(other));
    }

    private static boolean isEvery(String host) {
        return isLiteral(host) && InetAddress.ofLiteral(host).isAnyLocalAddress();
    }

    private static String plain(String host) {
        if (host.equals("localhost")) {
            return HttpFrom.LOOPBACK;
        }
        return isLiteral(host) ? InetAddress.ofLiteral(host).getHostAddress() : host;
    }
}
