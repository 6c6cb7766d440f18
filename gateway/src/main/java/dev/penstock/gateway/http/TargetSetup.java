package dev.penstock.gateway.http;

import static dev.penstock.gateway.config.Configured.given;

import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.HttpTargetBuilder;
import dev.penstock.http.pool.ConnectionTotal;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the HTTP target of a flow. Opens no connection. Unset values keep the defaults of the target. */
final class TargetSetup {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private TargetSetup() {}

    /** @param url one of the URLs of the target */
    static HttpTarget target(FlowConfig config, HttpTo to, URI url, @Nullable ConnectionTotal total) {
        HttpTargetBuilder target =
                HttpTarget.at(url.toString()).sourcePath(config.from().base());
        connection(to, target);
        return build(target, to.headers(), total);
    }

    /** A separate target for batches, with the connection settings of the flow's target if it is on the same host. */
    static HttpTarget batchTarget(
            HttpTo to, URI url, @Nullable Map<String, Secret> headers, @Nullable ConnectionTotal total) {
        HttpTargetBuilder target = HttpTarget.at(url.toString());
        if (isSameHost(url, to.url().value())) {
            connection(to, target);
        }
        return build(target, headers == null ? Map.of() : headers, total);
    }

    private static void connection(HttpTo to, HttpTargetBuilder target) {
        given(to.version(), target::version);
        proxy(to.proxy(), target);
        TlsConfig tls = to.tls();
        if (tls != null) {
            target.tls(tls.tls());
        }
        pool(to.pool(), target);
    }

    private static HttpTarget build(
            HttpTargetBuilder target, Map<String, Secret> headers, @Nullable ConnectionTotal total) {
        headers.forEach((name, value) -> {
            HttpTargetBuilder _ = value.changes() ? target.header(name, value) : target.header(name, value.get());
        });
        if (total != null) {
            target.connectionTotal(total);
        }
        return target.build();
    }

    private static void proxy(@Nullable ProxyConfig proxy, HttpTargetBuilder target) {
        if (proxy == null) {
            return;
        }
        String at = proxy.hostAndPort().value();
        ProxyConfig.Login login = proxy.login();
        if (login == null) {
            target.proxy(at);
        } else {
            target.proxy(at, login.user(), login.password().get());
        }
    }

    private static void pool(PoolConfig pool, HttpTargetBuilder target) {
        given(pool.max(), target::poolMax);
        given(pool.waiting(), target::poolWait);
        given(pool.idle(), target::idle);
        given(pool.maxAge(), target::maxAge);
        given(pool.connectTimeout(), target::connectTimeout);
        given(pool.responseTimeout(), target::responseTimeout);
        given(pool.maxAnswer(), target::maxAnswer);
    }

    /** Whether two http or https URLs have the same scheme, host and port. */
    static boolean isSameHost(URI one, URI other) {
        return one.getScheme().equalsIgnoreCase(other.getScheme())
                && one.getHost().equalsIgnoreCase(other.getHost())
                && port(one) == port(other);
    }

    private static int port(URI url) {
        return url.getPort() >= 0 ? url.getPort() : url.getScheme().equalsIgnoreCase("https") ? HTTPS_PORT : HTTP_PORT;
    }
}
