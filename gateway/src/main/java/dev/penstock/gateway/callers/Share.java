package dev.penstock.gateway.callers;

import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import dev.penstock.rate.CellRate;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What one caller uses: its rate and its requests in progress. What is beyond its limits is answered 429, with the fields of
 * draft-ietf-httpapi-ratelimit-headers-10. Thread-safe.
 */
final class Share {
    private static final long SECOND = 1_000_000_000;

    private final CellRate used;
    private final AtomicInteger inProgress = new AtomicInteger();

    Share(long now) {
        this.used = new CellRate(now);
    }

    /** Takes a request from the rate of a caller. Returns 0, or the nanoseconds until there is one. */
    long take(Caller caller, long now) {
        return used.take(caller.rate(), caller.atOnce(), now);
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
        return used.isLikeNew(now) && inProgress.get() == 0;
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
