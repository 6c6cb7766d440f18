package dev.penstock.gateway.http;

import dev.penstock.Settle;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.config.SettleConfig;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpStatusProbe;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.header.Header;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the status probe of a flow and its schedule. Opens nothing.
 *
 * <p>A status URL on the host of the target uses its connections and its configured headers. They are not sent to any
 * other host, because they may be secrets. With several servers, status queries have connections and headers of their own.
 */
final class SettleSetup {
    private SettleSetup() {}

    /** @param target null if there are several servers */
    static @Nullable HttpStatusProbe probe(FlowConfig config, HttpTo to, @Nullable HttpTarget target) {
        SettleConfig settle = config.settle();
        if (settle == null) {
            return null;
        }
        String url = settle.url().value();
        String origin = origin(url);
        Map<String, Secret> given = settle.headers();
        HttpStatusProbe probe = target != null && isByTarget(settle, to)
                ? HttpStatusProbe.over(target, path(url.substring(origin.length())))
                : HttpStatusProbe.at(url, given == null ? Map.of() : given);
        return settle.absentStatus().inFile()
                ? probe.absentStatus(settle.absentStatus().value())
                : probe;
    }

    /** Whether status queries use the connections and headers of the target. */
    private static boolean isByTarget(SettleConfig settle, HttpTo to) {
        URI host = URI.create(origin(settle.url().value()));
        return settle.headers() == null
                && to.endpoints() == 1
                && TargetSetup.isSameHost(host, to.url().value());
    }

    /** Whether status queries have credentials of the gateway. */
    static boolean hasCredentials(SettleConfig settle, HttpTo to) {
        boolean byTarget = isByTarget(settle, to);
        Map<String, Secret> own = settle.headers();
        Map<String, Secret> sent = byTarget ? to.headers() : own == null ? Map.of() : own;
        TlsConfig tls = byTarget ? to.tls() : null;
        return (tls != null && tls.presents() != null)
                || sent.keySet().stream().anyMatch(name -> new Header(name, "").isCredential());
    }

    static Settle<HttpCall, HttpAnswer> settle(SettleConfig config, HttpStatusProbe probe) {
        Settle<HttpCall, HttpAnswer> settle = Settle.by(probe);
        settle = config.after().inFile() ? settle.after(config.after().value()) : settle;
        return config.queries().inFile() ? settle.queries(config.queries().value()) : settle;
    }

    /** The part of the URL before the path. */
    private static String origin(String url) {
        return url.replaceFirst("^([^/?#]+//[^/?#]+).*$", "$1");
    }

    private static String path(String rest) {
        return rest.startsWith("/") ? rest : "/" + rest;
    }
}
