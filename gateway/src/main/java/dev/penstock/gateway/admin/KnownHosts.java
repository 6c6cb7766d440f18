package dev.penstock.gateway.admin;

import dev.penstock.gateway.config.Addresses;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The values of Host for which the admin server answers. The page of another site can make a browser connect to this address for
 * the host of that site (DNS rebinding), but the browser then sends the name of that host. Immutable.
 */
final class KnownHosts {
    private final Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private final Set<InetAddress> addresses = new HashSet<>();
    private final boolean anyAddress;

    /**
     * Creates the hosts: this machine, and these.
     *
     * @param host the host to listen on, as configured
     * @param bound its address. If it is that of all interfaces, every address is known, since an address is no site
     * @param listed further names and addresses
     */
    KnownHosts(String host, InetAddress bound, List<String> listed) {
        names.add("localhost");
        names.add(host);
        names.addAll(listed);
        addresses.add(bound);
        listed.stream().filter(Addresses::isLiteral).map(InetAddress::ofLiteral).forEach(addresses::add);
        anyAddress = bound.isAnyLocalAddress();
    }

    /**
     * Whether requests for a host are answered.
     *
     * @param field the value of Host, with or without a port; null if HTTP/1.0 sent none, as no browser does
     */
    boolean isKnown(@Nullable String field) {
        if (field == null) {
            return true;
        }
        String host = field.replaceFirst(":\\d*$", "").replaceAll("^\\[|]$", "");
        if (names.contains(host) || !Addresses.isLiteral(host)) {
            return names.contains(host);
        }
        InetAddress address = InetAddress.ofLiteral(host);
        return anyAddress || address.isLoopbackAddress() || addresses.contains(address);
    }
}
