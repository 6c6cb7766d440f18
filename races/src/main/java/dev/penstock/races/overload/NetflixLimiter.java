package dev.penstock.races.overload;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.races.overload.VirtualThreads.Gate;
import java.util.OptionalInt;

/**
 * A limit of concurrency-limits behind its non-blocking limiter. Answers later than callers want to wait are reported
 * as dropped, as the library's own gRPC adapter does with late ones; others as success, exceptions as ignored.
 */
final class NetflixLimiter implements Gate {
    private final Service<Long, Long> stage;
    private final Limiter<Void> limiter;

    private NetflixLimiter(Service<Long, Long> stage, Limiter<Void> limiter) {
        this.stage = stage;
        this.limiter = limiter;
    }

    static LimitedStage around(Service<Long, Long> stage, Limit limit) {
        Limiter<Void> limiter = SimpleLimiter.newBuilder().limit(limit).build();
        return new VirtualThreads(new NetflixLimiter(stage, limiter), () -> OptionalInt.of(limit.getLimit()));
    }

    @Override
    @SuppressWarnings("NullAway") // it has no context, for which the API requires null
    public Service<Long, Long> enter() throws Rejected {
        Limiter.Listener permit =
                limiter.acquire(null).orElseThrow(() -> new Rejected(Rejected.Cause.LIMIT, "the limit is reached"));
        long entered = Ticker.SYSTEM.nanos();
        return request -> {
            Long answer;
            try {
                answer = stage.call(request);
            } catch (Exception e) {
                permit.onIgnore();
                throw e;
            }
            if (Ticker.SYSTEM.nanos() - entered > OverloadCourse.USEFUL_WITHIN.toNanos()) {
                permit.onDropped();
            } else {
                permit.onSuccess();
            }
            return answer;
        };
    }
}
