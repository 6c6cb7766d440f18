package dev.penstock.gateway;

import dev.penstock.Source;
import dev.penstock.Ticker;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Ends flows: their sources accept no new transactions, and those in flight are finished. The remaining ones then lose their
 * connections and end as unknown. An interrupt ends the waits.
 *
 * @param sources those of the flows that end with them; others go on for other flows
 */
record FlowDrain(BoundFlows flows, List<Source> sources, Ticker ticker) {
    /** How long to wait for transactions to end after their connections were closed. */
    private static final Duration LAST_ENDINGS = Duration.ofSeconds(2);

    /** How long to wait for the last answers to be written. A client that reads nothing delays the end for so long. */
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(2);

    /** How long connected clients may send one more request, which is rejected. */
    private static final Duration LAST_REQUESTS = Duration.ofMillis(250);

    private static final long POLL_NANOS = 5_000_000;

    /**
     * Finishes transactions, for up to a time.
     *
     * @param closeTargets called if that is too short
     * @return the number of transactions that had to be cut off
     */
    long run(Duration time, Runnable closeTargets) {
        long end = after(time);
        sources.forEach(Source::stopAccepting);
        // Received requests enter their flow first: it rejects them once it drains.
        awaitNone(SourceBinding::isBusy, end);
        finishBy(end);
        long cutOff = inFlight();
        if (cutOff > 0) {
            closeTargets.run();
            finishBy(after(LAST_ENDINGS));
        }
        awaitNone(SourceBinding::isSettling, end);
        awaitNone(source -> source.inFlight() > 0, after(LAST_REQUESTS));
        awaitNone(SourceBinding::isAnswering, after(LAST_ANSWERS));
        return cutOff;
    }

    /** Stops the sources, and waits until no transaction is in flight, without rejecting any, for up to a time. */
    void awaitIdle(Duration time) {
        sources.forEach(Source::stopAccepting);
        await(() -> inFlight() > 0 || any(source -> source.isBusy() || source.isSettling()), after(time));
    }

    private long after(Duration time) {
        return ticker.nanos() + Durations.nanos(time);
    }

    private void awaitNone(Predicate<SourceBinding> waiting, long end) {
        await(() -> any(waiting), end);
    }

    private boolean any(Predicate<SourceBinding> waiting) {
        return flows.flows().stream()
                .map(GatewayFlow::source)
                .anyMatch(source -> sources.contains(source.source()) && waiting.test(source));
    }

    private void await(BooleanSupplier waiting, long end) {
        while (waiting.getAsBoolean()
                && ticker.nanos() - end < 0
                && !Thread.currentThread().isInterrupted()) {
            ticker.parkUntil(Math.min(end, ticker.nanos() + POLL_NANOS));
        }
    }

    private void finishBy(long end) {
        // A flow rejects calls once it drains, so its callers finish first.
        flows.outermost().forEach(flow -> flow.target().flow().drain(Duration.ZERO));
        flows.callersFirst()
                .forEach(flow -> flow.target().flow().drain(Duration.ofNanos(Math.max(0, end - ticker.nanos()))));
    }

    private long inFlight() {
        return flows.flows().stream()
                .mapToLong(flow -> flow.accounting().inFlight())
                .sum();
    }
}
