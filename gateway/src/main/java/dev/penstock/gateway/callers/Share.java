package dev.penstock.gateway.callers;

import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one caller uses: its rate, by the generic cell rate algorithm (ITU-T I.371), and its requests in progress. What is beyond
 * its limits is answered 429, with the fields of draft-ietf-httpapi-ratelimit-headers-10. Thread-safe.
 */
final class Share {
    private static final long SECOND = 1_000_000_000;

    /** The reading of the clock at which the whole burst is available again. */
    private final AtomicLong fullAt;

    private final AtomicInteger inProgress = new AtomicInteger();

    Share(long now) {
        this.fullAt = new AtomicLong(now);
    }

    /** Takes a request from the rate of a caller. Returns 0, or the nanoseconds until there is one. */
    long take(Caller caller, long now) {
        long each = interval(caller);
        int atOnce = caller.atOnce();
        while (true) {
            long before = fullAt.get();
            // More than the burst was taken at a lower rate, which a new key file has raised.
            long full = Math.clamp(before - now, 0, each * atOnce);
            long wait = full - each * (atOnce - 1);
            if (fullAt.compareAndSet(before, now + full + (wait > 0 ? 0 : each))) {
                return Math.max(0, wait);
            }
        }
    }

    /** Whether {@link #take} would return a wait. */
    boolean isSpent(Caller caller, long now) {
        return fullAt.get() - now > interval(caller) * (caller.atOnce() - 1);
    }

    private static long interval(Caller caller) {
        return (long) (SECOND / caller.rate());
    }

    /** Begins a request unless the caller has too many in progress. Each that began must {@link #end}. */
    boolean begin(Caller caller) {
        if (inProgress.incrementAndGet() <= caller.concurrency()) {
            return true;
        }
        inProgress.decrementAndGet();
        return false;
    }

    void end() {
        inProgress.decrementAndGet();
    }

    /** Whether {@link #begin} would return false. */
    boolean isBusy(Caller caller) {
        return caller.concurrency() > 0 && inProgress.get() >= caller.concurrency();
    }

    boolean isLikeNew(long now) {
        return fullAt.get() - now <= 0 && inProgress.get() == 0;
    }

    /** The answer to more requests than the rate of a caller. */
    static BadInput beyondRate(Caller caller, long wait) {
        long window = Math.max(1, (long) Math.ceil(caller.atOnce() / caller.rate()));
        return beyond(
                "rate",
                "This caller has sent more requests than its share. Nothing was sent. Send it again later.",
                wait,
                ";q=" + caller.atOnce() + ";w=" + window);
    }

    /** The answer to more requests in progress than a caller may have. */
    static BadInput beyondConcurrency(Caller caller) {
        return beyond(
                "concurrency",
                "This caller has as many requests in progress as its share. Nothing was sent. Send it again later.",
                SECOND,
                ";q=" + caller.concurrency() + ";qu=\"concurrent-requests\"");
    }

    /**
     * The answer 429.
     *
     * @param cause also the name of the policy
     * @param policy the parameters of the policy; empty for one that is not shown
     */
    static BadInput beyond(String cause, String detail, long wait, String policy) {
        String seconds = Long.toString(Math.max(1, Math.ceilDiv(wait, SECOND)));
        Headers fields = Headers.none().with("Retry-After", seconds);
        if (!policy.isEmpty()) {
            fields = fields.and("RateLimit-Policy", '"' + cause + '"' + policy)
                    .and("RateLimit", '"' + cause + "\";r=0;t=" + seconds);
        }
        return new BadInput(429, detail, cause, fields);
    }
}
