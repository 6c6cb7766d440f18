package dev.penstock.races.overhead;

import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.retry.Retry;
import java.time.Duration;

/**
 * A flow with all of its stages.
 *
 * <p>Does: counts every transaction and its ending and times it, and each attempt apart; bounds its time and hands what is
 * left of it on; repeats within a budget; breaker; permits with a bounded queue. Does not: interrupt a target that is late;
 * the target is declared to honor its deadline, of which it is told.
 */
final class PenstockStages {
    private PenstockStages() {}

    static Service<Object, Object> around(Service<Object, Object> service) {
        return unlimited().limit(512).to(Service.honoringDeadline(service));
    }

    /** The same with the limit as it is while nobody gives one. */
    static Service<Object, Object> aroundAdaptive(Service<Object, Object> service) {
        return unlimited().limit().to(Service.honoringDeadline(service));
    }

    private static FlowBuilder unlimited() {
        return Flow.named("overhead")
                .deadline(Duration.ofSeconds(5))
                .retry(Retry.byKey("Idempotency-Key").attempts(3))
                .breaker();
    }
}
