package dev.penstock.gateway.config;

import dev.penstock.text.Cidr;
import java.net.InetAddress;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and compares listen addresses. Makes no DNS lookup. */
public final class Addresses {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

    private static final int MAX_HOSTS = 64;

    /** The loopback address: {@value}. */
    public static final String LOOPBACK = "127.0.0.1";

    private Addresses() {}

    /**
     * Declares {@code port}.
     *
     * @param example for instance {@code port: 8080}
     */
    public static Key<Integer> port(Schema schema, String example) {
        return schema.key("port", KeyType.integer(0, 65_535), "the port to listen on; 0 is any free port")
                .required(example);
    }

    /** Declares {@code host}. */
    public static Key<String> host(Schema schema) {
        return schema.key(
                        "host", KeyType.text("an address of this machine", Addresses::host), "the address to listen on")
                .or(LOOPBACK);
    }

    /** Declares {@code hosts}. */
    public static Key<List<String>> hosts(Schema schema, String help) {
        return schema.key("hosts", KeyType.text("a host", Addresses::host).orList(MAX_HOSTS), help);
    }

    /** A block of IP addresses. */
    public static KeyType<String> block() {
        return KeyType.text(
                "an address or a block of them",
                value -> value.text(
                        Addresses::isBlock,
                        "which is no block of addresses",
                        "write for instance 10.0.0.0/8 or \"fd00::/8\", without bits after the prefix"));
    }

    private static boolean isBlock(String text) {
        try {
            return Cidr.of(text).bits() >= 0;
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    private static @Nullable String host(ConfigValue value) {
        return value.text(
                host -> isLiteral(host) || isName(host),
                "which is not an address",
                "write for instance 127.0.0.1, 0.0.0.0, \"::1\" or a host name");
    }

    private static boolean isName(String host) {
        return NAME.matcher(host).matches() && !host.matches("[0-9.]+");
    }

    /** Whether it is an IP address, without brackets. */
    public static boolean isLiteral(String host) {
        try {
            return InetAddress.ofLiteral(host) != null;
        } catch (IllegalArgumentException name) {
            return false;
        }
    }

    /** Whether the host is only reachable from this machine. */
    public static boolean isLoopback(String host) {
        return host.equals("localhost")
                || (isLiteral(host) && InetAddress.ofLiteral(host).isLoopbackAddress());
    }

    /** Whether two ports are the same. Port 0 means any free port, so two ports 0 do not conflict. */
    public static boolean samePort(Configured<Integer> one, Configured<Integer> other) {
        return one.value() != 0 && one.value().equals(other.value());
    }

    /** Whether listeners on both hosts would conflict on the same port. */
    public static boolean overlap(String one, String other) {
        return same(one, other) || isEvery(one) || isEvery(other);
    }

    /** Whether two hosts are the same address. */
    public static boolean same(String one, String other) {
        return plain(one).equals(plain(other));
    }

    private static boolean isEvery(String host) {
        return isLiteral(host) && InetAddress.ofLiteral(host).isAnyLocalAddress();
    }

    private static String plain(String host) {
        if (host.equals("localhost")) {
            return LOOPBACK;
        }
        return isLiteral(host) ? InetAddress.ofLiteral(host).getHostAddress() : host;
    }
}
