package dev.penstock.http;

import dev.penstock.http.http2.Http2Connections;
import dev.penstock.http.pool.ConnectionPool;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The limits of exchanges with a target; see {@link HttpTargetBuilder}. Null means automatic. */
record TargetLimits(
        @Nullable Integer poolMax,
        Duration poolWait,
        @Nullable Duration idle,
        @Nullable Duration maxAge,
        Duration connectTimeout,
        @Nullable Duration responseTimeout,
        int maxAnswer) {
    /** How long a connection may be idle unless {@link HttpTargetBuilder#idle} is given; HTTP/1.1 learns a shorter time. */
    static final Duration DEFAULT_IDLE = Duration.ofMinutes(1);

    ConnectionPool.Limits ofPool() {
        return new ConnectionPool.Limits(
                poolMax,
                Durations.nanos(idle == null ? DEFAULT_IDLE : idle),
                idle != null,
                maxAge == null ? Long.MAX_VALUE : Durations.nanos(maxAge));
    }

    /** The maximum number of concurrent calls; {@link Integer#MAX_VALUE} if automatic. */
    int maxConcurrency() {
        return poolMax == null ? Integer.MAX_VALUE : poolMax;
    }

    /** The current values of what is automatic, with their reasons; {@code idleNow} is in nanoseconds. */
    List<ExchangeSetting> adaptive(int max, String maxReason, long idleNow, String idleReason, AnswerTimes answers) {
        List<ExchangeSetting> live = new ArrayList<>();
        if (poolMax == null) {
            live.add(new ExchangeSetting("pool.max", Integer.toString(max), maxReason));
        }
        if (idle == null) {
            live.add(new ExchangeSetting("pool.idle", inMillis(idleNow), idleReason));
        }
        if (responseTimeout == null) {
            live.add(new ExchangeSetting("pool.response_timeout", inMillis(answers.allowed()), answers.reason()));
        }
        return live;
    }

    private static String inMillis(long nanos) {
        return Durations.format(nanos / 1_000_000 * 1_000_000);
    }

    /** @param max maximum number of connections */
    Http2Connections.Limits ofHttp2(int max) {
        return new Http2Connections.Limits(
                max,
                Durations.nanos(poolWait),
                Durations.nanos(connectTimeout),
                Durations.nanos(idle == null ? DEFAULT_IDLE : idle),
                maxAge == null ? Long.MAX_VALUE : Durations.nanos(maxAge));
    }
}
