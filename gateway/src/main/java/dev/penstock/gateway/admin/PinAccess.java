package dev.penstock.gateway.admin;

import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Who may pin a setting: whoever has the token, and whoever is at this machine. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>A request from this machine need not be wanted by the person who sits there: any page in a browser can send one. So it
 * has to name this machine as its host, for a page of another name that resolves to 127.0.0.1 (DNS rebinding) names that;
 * has to come from our own page where a browser tells from which; and a proxy that passes on what comes from elsewhere must
 * not have had it in hand. A token needs none of this: no page can guess it, nor send the field that it stands in to another
 * site without being asked first.
 *
 * @param token that lets anybody pin; null when nobody has one
 */
record PinAccess(@Nullable String token) {
    private static final String BEARER = "bearer ";

    /**
     * What is told of a request.
     *
     * @param peer where it comes from
     * @param host field Host; empty when absent, as all below
     * @param origin field Origin
     * @param site field Sec-Fetch-Site
     * @param authorization field Authorization
     * @param passedOn whether a proxy says that it had it in hand
     */
    record Caller(
            @Nullable InetAddress peer,
            String host,
            String origin,
            String site,
            String authorization,
            boolean passedOn) {
        boolean hasToken() {
            return authorization.toLowerCase(Locale.ROOT).startsWith(BEARER);
        }

        /** Who it is, for the log and for the reason of what is pinned. */
        String who() {
            String where = peer == null ? "an unknown address" : peer.getHostAddress();
            return hasToken() ? where + " with the token" : where;
        }
    }

    /** Why the caller may not pin, in one line that says what to do; null when it may. */
    @Nullable
    String refusal(Caller caller) {
        if (caller.hasToken()) {
            return isRight(caller.authorization().substring(BEARER.length()).strip())
                    ? null
                    : "this is not the token: send the one of admin.token in the flow file";
        }
        String otherwise = token == null
                ? "give the flow file an admin.token and send it as Authorization: Bearer"
                : "send Authorization: Bearer with the admin.token of the flow file";
        if (caller.peer() == null || !caller.peer().isLoopbackAddress() || caller.passedOn()) {
            return "settings are pinned from this machine only, without a proxy: pin it there, or " + otherwise;
        }
        if (!isLocal(caller.host())) {
            return "Host is not this machine: ask for 127.0.0.1 or localhost, or " + otherwise;
        }
        boolean ours = caller.origin().isEmpty() || caller.origin().equalsIgnoreCase("http://" + caller.host());
        boolean sameSite = caller.site().isEmpty()
                || caller.site().equals("same-origin")
                || caller.site().equals("none");
        return ours && sameSite
                ? null
                : "a page of another site may not pin settings: use the page at this address, or " + otherwise;
    }

    /** In the same time whether it is nearly right or all wrong. */
    private boolean isRight(String given) {
        return token != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether a field Host names this machine; never asks a name service. */
    private static boolean isLocal(String field) {
        try {
            String host = URI.create("http://" + field).getHost();
            return host != null
                    && (host.equalsIgnoreCase("localhost")
                            || InetAddress.ofLiteral(host).isLoopbackAddress());
        } catch (IllegalArgumentException neither) {
            return false;
        }
    }
}
