package dev.penstock.http.balance;

import dev.penstock.text.Durations;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Decides which endpoints are ejected, that is, get no calls for a time because they only fail.
 *
 * <h2>Design note</h2>
 *
 * <p>This is the consecutive gateway failure detector of Envoy
 * (https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/outlier), with these differences:
 *
 * <ul>
 *   <li>The time of an ejection doubles, from 1 s to 60 s; Envoy adds 30 s each time. It begins at 1 s again when the endpoint has
 *       served for 60 s since its return.
 *   <li>When the time is over, one trial call at a time passes, as in a half-open breaker. An endpoint without calls has the
 *       fewest outstanding, so without this a burst would go to an endpoint that may still be dead. A success ends the
 *       ejection, a failure doubles its time.
 *   <li>At most half of the endpoints are ejected, rounded down, those with trial calls included (Envoy: 10 %, but always one). So
 *       of two endpoints one can be ejected, and a single endpoint never is.
 * </ul>
 *
 * <p>Only calls that began after the last ejection count: calls that were in flight then tell nothing about the endpoint now.
 *
 * <p>No clock, no threads; not thread-safe.
 */
final class OutlierDetection {
    /** Failures in a row before an endpoint is ejected, as in Envoy. */
    static final int CONSECUTIVE_FAILURES = 5;

    static final long SHORTEST_NANOS = 1_000_000_000L;
    static final long LONGEST_NANOS = 60_000_000_000L;

    /** How a call ended, as far as the health of its endpoint is concerned. */
    enum CallOutcome {
        SUCCESS,
        FAILURE,
        /** Tells nothing about the endpoint. */
        NEUTRAL
    }

    private static final class EndpointHealth {
        private int failures;
        private boolean ejected;
        private boolean trialInFlight;
        /** The end of the last ejection; calls that began before do not count. */
        private long until;
        /** The time of the last ejection; 0 if there was none. */
        private long nanos;

        private long returnedAt;
        private long ejections;

        private EndpointHealth(long now) {
            until = now;
        }
    }

    private final EndpointHealth[] endpoints;

    OutlierDetection(int count, long now) {
        endpoints = Stream.generate(() -> new EndpointHealth(now)).limit(count).toArray(EndpointHealth[]::new);
    }

    /** Whether an endpoint may get a call now. */
    boolean isAvailable(int endpoint, long now) {
        EndpointHealth health = endpoints[endpoint];
        return !health.ejected || (now - health.until >= 0 && !health.trialInFlight);
    }

    /** A call to an available endpoint begins. */
    void begin(int endpoint) {
        EndpointHealth health = endpoints[endpoint];
        health.trialInFlight = health.ejected;
    }

    /**
     * A call has ended.
     *
     * @param begunAt the time for which {@link #isAvailable} was called
     */
    void end(int endpoint, CallOutcome outcome, long begunAt, long now) {
        EndpointHealth health = endpoints[endpoint];
        if (begunAt - health.until < 0) {
            return;
        }
        health.trialInFlight = false;
        switch (outcome) {
            case SUCCESS -> succeed(health, now);
            case FAILURE -> fail(health, now);
            case NEUTRAL -> {}
        }
    }

    private static void succeed(EndpointHealth health, long now) {
        health.failures = 0;
        if (health.ejected) {
            health.ejected = false;
            health.returnedAt = now;
        }
    }

    private void fail(EndpointHealth health, long now) {
        health.failures++;
        if (health.ejected) {
            eject(health, Math.min(2 * health.nanos, LONGEST_NANOS), now);
            return;
        }
        if (health.failures >= CONSECUTIVE_FAILURES && ejected() < endpoints.length / 2) {
            boolean again = health.nanos > 0 && now - health.returnedAt < LONGEST_NANOS;
            eject(health, again ? Math.min(2 * health.nanos, LONGEST_NANOS) : SHORTEST_NANOS, now);
        }
    }

    private static void eject(EndpointHealth health, long nanos, long now) {
        health.ejected = true;
        health.nanos = nanos;
        health.until = now + nanos;
        health.ejections++;
    }

    private long ejected() {
        return Arrays.stream(endpoints).filter(health -> health.ejected).count();
    }

    /** How much longer an endpoint is ejected, in nanoseconds; 0 if it is not. */
    long ejectedFor(int endpoint, long now) {
        EndpointHealth health = endpoints[endpoint];
        return health.ejected ? Math.max(0, health.until - now) : 0;
    }

    /** Whether an endpoint is ejected, until a trial call succeeds. */
    boolean isEjected(int endpoint) {
        return endpoints[endpoint].ejected;
    }

    /** How often an endpoint was ejected. */
    long ejections(int endpoint) {
        return endpoints[endpoint].ejections;
    }

    /** The state of an endpoint, in a few words. */
    String state(int endpoint, long now) {
        EndpointHealth health = endpoints[endpoint];
        if (!health.ejected) {
            return "in use, " + health.failures + " failures in a row";
        }
        long left = ejectedFor(endpoint, now) / 1_000_000 * 1_000_000;
        return (left > 0 ? "ejected for " + Durations.format(left) : "ejected until a trial call succeeds") + ", after "
                + health.failures + " failures in a row";
    }
}
