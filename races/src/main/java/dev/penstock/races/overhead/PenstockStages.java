package dev.penstock.races.overhead;

import dev.penstock.Keyed;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import java.time.Duration;

/**
 * A flow with all its stages.
 *
 * <p>Does: counts and times every transaction by ending, and each attempt separately; limits its time and passes the
 * remaining time on; retries within a budget; a breaker; permits with a bounded queue. Does not: interrupt a late
 * target; the target is declared to honor the deadline that it receives.
 */
final class PenstockStages {
    private PenstockStages() {}

    static Service<Object, Object> around(Service<Object, Object> service) {
        return unlimited().concurrency(512).to(Service.honoringDeadline(service));
    }

    /** The same with the default, adaptive limit. */
    static Service<Object, Object> aroundAdaptive(Service<Object, Object> service) {
        return unlimited().adaptiveConcurrency().to(Service.honoringDeadline(service));
    }

    private static FlowBuilder<Object> unlimited() {
        return Flow.named("overhead")
                .deadline(Duration.ofSeconds(5))
                .retry(Retry.byKey((Object request) ->
                                request instanceof Keyed keyed ? keyed.key("Idempotency-Key") : null)
                        .attempts(3))
                .breaker();
    }
}
