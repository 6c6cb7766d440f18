package dev.penstock.gateway.http;

import dev.penstock.gateway.callers.AuthConfig;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.Listener;
import dev.penstock.gateway.config.ListenerTls;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP source.
 *
 * @param port the listen port; 1 to 65535, or 0 for any free port
 * @param host the listen address; default 127.0.0.1
 * @param path the path of its requests, for instance {@code /v1/payments}
 * @param maxBody the largest request body, in bytes; default 1 MB
 * @param idleTime how long a connection may be idle after an answer; default 1 min
 * @param maxConnections the maximum number of connections; null for as many as fit into the heap
 * @param trustedProxies the proxies that may name the client; null for none
 * @param proxyProtocol the load balancers that name the client first (PROXY protocol); null for none
 * @param tls the certificates for HTTPS; null for cleartext
 * @param insecure whether other machines may connect without TLS
 * @param auth how callers prove who they are; null if anyone may call
 */
public record HttpFrom(
        Configured<Integer> port,
        Configured<String> host,
        Configured<String> path,
        Configured<Long> maxBody,
        Configured<Duration> idleTime,
        @Nullable Configured<Integer> maxConnections,
        @Nullable Configured<List<String>> trustedProxies,
        @Nullable Configured<List<String>> proxyProtocol,
        @Nullable Configured<ListenerTls> tls,
        boolean insecure,
        @Nullable AuthConfig auth)
        implements From {
    @Override
    public String kind() {
        return "http";
    }

    @Override
    public String base() {
        return path.value();
    }

    @Override
    public Listener listener() {
        return new Listener(host, port, tls == null ? null : tls.value(), insecure);
    }

    @Override
    public @Nullable String callerHeader() {
        return auth == null ? null : auth.header().value();
    }

    @Override
    public boolean canServeStatus() {
        return true;
    }

    /** The path with a slash at its end. A path matches the same requests with and without it. */
    String withSlash() {
        return base().endsWith("/") ? base() : base() + "/";
    }
}
