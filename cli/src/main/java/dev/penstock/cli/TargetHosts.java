package dev.penstock.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The hosts of a target URL of any kind. */
final class TargetHosts {
    /** The part after two slashes, after an at sign in Oracle URLs, or after {@code kafka:}, up to the end of the hosts. */
    private static final Pattern AUTHORITY = Pattern.compile("(?://|:@|^(?i:kafka):(?!//))([^/?;)]+)");

    private static final Pattern IN_PROCESS = Pattern.compile(
            "(?i)jdbc:(h2:(?!tcp:|ssl:)|hsqldb:(?!hsql|http)|sqlite:|derby:(?!//)|postgresql:[^/]).*|jms:vm:.*");

    private TargetHosts() {}

    /** Whether all hosts are this machine; an unknown host is not. */
    static boolean areLocal(String target) {
        List<String> hosts = of(target);
        return IN_PROCESS.matcher(target).matches()
                || (!hosts.isEmpty() && hosts.stream().allMatch(TargetHosts::isLoopback));
    }

    /** The host names, without ports, users and brackets. */
    static List<String> of(String target) {
        List<String> hosts = new ArrayList<>();
        Matcher found = AUTHORITY.matcher(target);
        while (found.find()) {
            for (String one : found.group(1).split(",", -1)) {
                String host = one.replaceFirst(".*@", "");
                if (!host.endsWith(":")) { // else it is the scheme of the next URL in a list
                    hosts.add(host.startsWith("[") ? host.replaceAll("^\\[|].*", "") : host.replaceFirst(":.*", ""));
                }
            }
        }
        return hosts;
    }

    private static boolean isLoopback(String host) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
