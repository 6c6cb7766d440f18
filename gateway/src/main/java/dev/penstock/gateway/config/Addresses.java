package dev.penstock.gateway.config;

import java.net.InetAddress;
import java.util.regex.Pattern;

/** Reads and compares the addresses that something listens on. Never asks a name service. */
final class Addresses {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

    private Addresses() {}

    static Configured<Integer> port(ConfigMapping mapping) {
        return mapping.whole("port", 0, 0, 65_535);
    }

    static Configured<String> host(ConfigMapping mapping) {
        Configured<String> host = mapping.text("host", HttpFrom.LOOPBACK);
        ConfigValue value = mapping.get("host");
        if (value != null && host.inFile() && !isLiteral(host.value()) && !isName(host.value())) {
            value.refuseShown("which is no address", "write for instance 127.0.0.1, 0.0.0.0, \"::1\" or a host name");
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

    /** Whether only this machine can reach it. */
    static boolean isLoopback(String host) {
        return host.equals("localhost")
                || (isLiteral(host) && InetAddress.ofLiteral(host).isLoopbackAddress());
    }

    /** Whether two listeners of one port would get in each other's way. */
    static boolean overlap(String one, String other) {
        return same(one, other) || isEvery(one) || isEvery(other);
    }

    /** Whether two hosts are one and the same address. */
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
