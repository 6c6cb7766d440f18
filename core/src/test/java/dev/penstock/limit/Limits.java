package dev.penstock.limit;

import dev.penstock.Ticker;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Limits of one flow, for tests. */
final class Limits {
    private Limits() {}

    /** A filter to which every timeout counts as overload. */
    static <Q, R> LimitFilter<Q, R> filter(Limit limit) {
        return new LimitFilter<>(limit, callContext -> false);
    }

    /** An adaptive limit that several flows share. */
    static SharedLimit shared() {
        return SharedLimit.adaptive(1, 50_000, Duration.ZERO, null, true);
    }

    /** A fixed number of permits, with a queue of this length and time. */
    static Limit fixed(int permits, int queueLength, Duration queueTime, Ticker ticker) {
        return of(new FixedLimit(permits, "given"), queueLength, queueTime, ticker);
    }

    static Limit of(LimitController controller, int queueLength, Duration queueTime, Ticker ticker) {
        QueueSettings queue = QueueSettings.automatic().withLength(queueLength).withTime(queueTime);
        return of(controller, queue, ticker, () -> 0);
    }

    static Limit of(LimitController controller, Ticker ticker) {
        return of(controller, QueueSettings.automatic(), ticker, () -> 0);
    }

    static Limit of(LimitController controller, QueueSettings queue, Ticker ticker, RandomGenerator random) {
        return new Limit(new SharedLimit(controller, 1, FixedLimit.MOST, null, false), queue, ticker, random);
    }
}
