package dev.penstock.gateway.admin;

import dev.penstock.Ticker;
import dev.penstock.gateway.callers.Failures;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.RequestGate;
import dev.penstock.text.Json;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may see a gateway and change its settings: callers with a token or a client certificate or, with neither in the flow
 * file, everybody on this machine. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>Any web page in a local browser can send requests from this machine, and a browser adds a password or a certificate that it knows by itself. So
 * each request must come from a page of ours, as far as the browser reports the origin; {@link KnownHosts} prevents DNS rebinding.
 * Without a token it must not have passed a proxy either, which could forward remote requests.
 */
final class AdminAccess {
    /** What a caller may do; each role includes those before it. */
    enum Role {
        NONE,
        VIEW,
        OPERATE
    }

    private static final List<String> PROXY_FIELDS =
            List.of("Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP");

    private final @Nullable Secret operate;
    private final @Nullable Secret view;
    private final boolean certificates;
    private final Failures failures;
    private final Ticker ticker;

    AdminAccess(AdminConfig config, Ticker ticker) {
        this.operate = config.token() == null ? null : config.token().value();
        this.view = config.viewToken() == null ? null : config.viewToken().value();
        this.certificates = config.tls() != null && config.tls().verifiesClients();
        this.failures = new Failures("admin", ticker.nanos());
        this.ticker = ticker;
    }

    /** Why the caller may not do what the role may, and what to do; null when it may. */
    @Nullable
    HttpAnswer refusal(HttpCall request, RequestGate.Peer peer, Role needed) {
        Headers headers = request.headers();
        if (!isOurPage(headers)) {
            return problem(403, "a page of another site cannot use the admin port: use the dashboard at this address");
        }
        if (!peer.certificates().isEmpty()) {
            return null;
        }
        if (operate == null && view == null) {
            return withoutToken(headers, peer.address());
        }
        Role role = role(headers);
        if (role == Role.NONE) {
            return unknown(peer.address(), headers.has("Authorization"));
        }
        return role.compareTo(needed) >= 0
                ? null
                : problem(
                        403,
                        "the admin.view_token may only look: send the admin.token of the flow file to change settings");
    }

    private @Nullable HttpAnswer withoutToken(Headers headers, InetAddress peer) {
        if (certificates) {
            return problem(403, "the admin port needs a client certificate of admin.tls.client_ca");
        }
        return isLocal(headers, peer)
                ? null
                : problem(
                        403,
                        "without a token only this machine, without a proxy, may use the admin port: do that, or set"
                                + " admin.token in the flow file");
    }

    private HttpAnswer unknown(InetAddress peer, boolean tried) {
        long wait = tried ? failures.add(peer, "a wrong token for the admin port", ticker.nanos()) : 0;
        if (wait > 0) {
            return problem(429, "this address sent too many wrong tokens")
                    .withHeader("Retry-After", Long.toString(TimeUnit.NANOSECONDS.toSeconds(wait) + 1));
        }
        return problem(
                        401,
                        "send the admin.token of the flow file as Authorization: Bearer, or as the password of any user")
                .withHeader("WWW-Authenticate", "Basic realm=\"penstock\", Bearer realm=\"penstock\"");
    }

    /** The caller, for the log, the audit file, and the reason of a pinned setting. */
    String name(RequestGate.Peer peer) {
        String address = peer.address().getHostAddress();
        if (!peer.certificates().isEmpty()) {
            return address + " with the certificate of "
                    + peer.certificates().getFirst().getSubjectX500Principal().getName();
        }
        return operate == null ? address : address + " with the token";
    }

    /** Links from other sites are followed, since a page cannot read what it links to. */
    private static boolean isOurPage(Headers headers) {
        String origin = field(headers, "Origin");
        String host = field(headers, "Host");
        boolean ours = origin.isEmpty()
                || origin.equalsIgnoreCase("http://" + host)
                || origin.equalsIgnoreCase("https://" + host);
        boolean link = origin.isEmpty() && field(headers, "Sec-Fetch-Mode").equals("navigate");
        return ours && (link || List.of("", "same-origin", "none").contains(field(headers, "Sec-Fetch-Site")));
    }

    private static boolean isLocal(Headers headers, InetAddress peer) {
        return peer.isLoopbackAddress() && PROXY_FIELDS.stream().noneMatch(headers::has);
    }

    private Role role(Headers headers) {
        String bearer = headers.credentials("Bearer");
        String given = bearer.isEmpty() ? password(headers.credentials("Basic")) : bearer;
        return is(operate, given) ? Role.OPERATE : is(view, given) ? Role.VIEW : Role.NONE;
    }

    private static String password(String credentials) {
        try {
            String pair = new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
            return pair.substring(pair.indexOf(':') + 1);
        } catch (IllegalArgumentException invalid) {
            return "";
        }
    }

    /** Compares in constant time. */
    private static boolean is(@Nullable Secret token, String given) {
        return token != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), token.get().getBytes(StandardCharsets.UTF_8));
    }

    private static String field(Headers headers, String name) {
        String value = headers.first(name);
        return value == null ? "" : value;
    }

    static HttpAnswer problem(int status, String detail) {
        return HttpAnswer.of(status, Json.write(Json.object("title", "refused", "status", status, "detail", detail)))
                .withHeader("Content-Type", "application/problem+json");
    }
}
