package dev.penstock.http;

import dev.penstock.http.http2.Http2Connections;
import dev.penstock.http.pool.ConnectionPool;
import dev.penstock.text.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The limits of exchanges with a target; see {@link HttpTargetBuilder}. Null means automatic. */
record TargetLimits(
        @Nullable Integer poolMax,
        Duration poolWait,
        @Nullable Duration idle,
        @Nullable Duration sweep,
        @Nullable Duration maxAge,
        Duration connectTimeout,
        @Nullable Duration responseTimeout,
        Duration validateAfter,
        int maxAnswer) {
    /** The default idle timeout, until a shorter one is learned. */
    static final Duration IDLE = Duration.ofMinutes(1);

    ConnectionPool.Limits ofPool() {
        return new ConnectionPool.Limits(
                poolMax,
                Durations.nanos(idle == null ? IDLE : idle),
                idle != null,
                sweep == null ? 0 : Durations.nanos(sweep),
                maxAge == null ? Long.MAX_VALUE : Durations.nanos(maxAge),
                Durations.nanos(validateAfter));
    }

    /** @param max maximum number of connections */
    Http2Connections.Limits ofHttp2(int max) {
        return new Http2Connections.Limits(
                max,
                Durations.nanos(poolWait),
                Durations.nanos(connectTimeout),
                Durations.nanos(idle == null ? IDLE : idle),
                sweep == null ? 0 : Durations.nanos(sweep),
                maxAge == null ? Long.MAX_VALUE : Durations.nanos(maxAge));
    }
}
