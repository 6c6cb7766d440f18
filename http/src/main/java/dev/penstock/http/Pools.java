package dev.penstock.http;

import java.net.InetAddress;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/** Sets the library's connection pool up. */
final class Pools {
    /** Bounds on what is read before a body: lines of 16 KB, 200 of them. */
    private static final Http1Config HEAD = Http1Config.custom()
            .setMaxLineLength(16 << 10)
            .setMaxHeaderCount(200)
            .setMaxEmptyLineCount(1)
            .build();

    private Pools() {}

    static PoolingHttpClientConnectionManager pool(TargetLimits limits, HostLookup lookup) {
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.STRICT)
                .setConnPoolPolicy(PoolReusePolicy.LIFO)
                .setMaxConnTotal(limits.poolMax())
                .setMaxConnPerRoute(limits.poolMax())
                .setDnsResolver(new Found(lookup))
                .setConnectionFactory(socket -> CleanConnection.with(HEAD))
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setValidateAfterInactivity(TimeValue.of(limits.validateAfter()))
                        .setConnectTimeout(Timeout.of(limits.connectTimeout()))
                        .setIdleTimeout(Timeout.of(limits.idle()))
                        .build())
                // No limit on single reads: the watch bounds the exchange as a whole.
                .setDefaultSocketConfig(SocketConfig.custom()
                        .setSoTimeout(Timeout.DISABLED)
                        .setTcpNoDelay(true)
                        .setSoKeepAlive(true)
                        .build())
                .build();
    }

    /** Hands the library the addresses that were looked up before: its own lookup would know no bound. */
    private record Found(HostLookup lookup) implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) {
            return lookup.latest().toArray(new InetAddress[0]);
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    static ScheduledThreadPoolExecutor watch() {
        ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("penstock-http-watch").factory());
        // Without this, each exchange would leave its timer in the queue until the time that it never needed.
        watch.setRemoveOnCancelPolicy(true);
        return watch;
    }
}
