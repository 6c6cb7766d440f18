package dev.penstock.gateway.admin;

import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may pin a setting: callers with the token, and callers on this machine. Stateless.
 *
 * <h2>Design note</h2>
 *
 * <p>Any web page in a local browser can send requests from this machine. So a request without the token must name this
 * machine in Host, because with DNS rebinding a page of another name that resolves to 127.0.0.1 names that host
 * instead; must come from our own page, as far as the browser reports the origin; and must not have passed a proxy,
 * which could forward remote requests. A token needs none of these checks: a page cannot guess it, and cannot send the
 * Authorization field to another site without a CORS preflight.
 *
 * @param token the admin token; null when there is none
 */
record PinAccess(@Nullable Supplier<String> token) {
    private static final String BEARER = "bearer ";

    /**
     * The properties of a request that matter for access.
     *
     * @param peer the remote address
     * @param host field Host; like all fields, empty when absent
     * @param origin field Origin
     * @param site field Sec-Fetch-Site
     * @param authorization field Authorization
     * @param proxied whether a header shows that it passed a proxy
     */
    record Caller(
            @Nullable InetAddress peer,
            String host,
            String origin,
            String site,
            String authorization,
            boolean proxied) {
        boolean hasToken() {
            return authorization.toLowerCase(Locale.ROOT).startsWith(BEARER);
        }

        /** The caller, for the log and for the reason of a pinned setting. */
        String name() {
            String where = peer == null ? "an unknown address" : peer.getHostAddress();
            return hasToken() ? where + " with the token" : where;
        }
    }

    /** Why the caller may not pin and what to do; null when it may. */
    @Nullable
    String refusal(Caller caller) {
        if (caller.hasToken()) {
            return isToken(caller.authorization().substring(BEARER.length()).strip())
                    ? null
                    : "wrong token: send the value of admin.token in the flow file";
        }
        String otherwise = token == null
                ? "set admin.token in the flow file and send it as Authorization: Bearer"
                : "send Authorization: Bearer with the admin.token of the flow file";
        if (caller.peer() == null || !caller.peer().isLoopbackAddress() || caller.proxied()) {
            return "settings can only be pinned from this machine without a proxy: do that, or " + otherwise;
        }
        if (!isLocal(caller.host())) {
            return "the Host header does not name this machine: use 127.0.0.1 or localhost, or " + otherwise;
        }
        boolean ours = caller.origin().isEmpty() || caller.origin().equalsIgnoreCase("http://" + caller.host());
        boolean sameSite = caller.site().isEmpty()
                || caller.site().equals("same-origin")
                || caller.site().equals("none");
        return ours && sameSite
                ? null
                : "a page of another site cannot pin settings: use the dashboard at this address, or " + otherwise;
    }

    /** Compares in constant time. */
    private boolean isToken(String given) {
        return token != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), token.get().getBytes(StandardCharsets.UTF_8));
    }

    /** Whether a Host field names this machine; makes no DNS lookup. */
    private static boolean isLocal(String field) {
        try {
            String host = URI.create("http://" + field).getHost();
            return host != null
                    && (host.equalsIgnoreCase("localhost")
                            || InetAddress.ofLiteral(host).isLoopbackAddress());
        } catch (IllegalArgumentException invalid) {
            return false;
        }
    }
}
