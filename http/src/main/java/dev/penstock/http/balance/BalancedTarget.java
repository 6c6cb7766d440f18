package dev.penstock.http.balance;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.Target.EndpointReport;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.balance.OutlierDetection.CallOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends each call to one of several endpoints that offer the same service: to the one with the fewest outstanding calls, by turns
 * among equals.
 *
 * <pre>{@code
 * HttpTarget one = HttpTarget.of("https://one.example/v1/payments");
 * HttpTarget two = HttpTarget.of("https://two.example/v1/payments");
 * try (BalancedTarget both = BalancedTarget.builder()
 *         .endpoint(one, Flow.named("one").breaker().adaptiveConcurrency().to(one))
 *         .endpoint(two, Flow.named("two").breaker().adaptiveConcurrency().to(two))
 *         .build()) {
 *     Flow<HttpCall, HttpAnswer> payments = Flow.named("payments")
 *             .deadline(Duration.ofSeconds(5))
 *             .retry(Retry.byKey("Idempotency-Key"))
 *             .to(both);
 * }
 * }</pre>
 *
 * <h2>Which endpoint gets a call</h2>
 *
 * <ol>
 *   <li>None that is ejected, see below.
 *   <li>Rather one at which the same {@link HttpCall} object has not failed before: a retry goes to another endpoint.
 *   <li>Rather one that can process the call without waiting: the breaker of its {@link Flow} is closed, and a permit is free.
 *   <li>The one with the fewest outstanding calls.
 * </ol>
 *
 * <p>A {@link Rejected} call was not sent, so it goes to the next endpoint at once. If all reject it, it ends with the last
 * rejection. Any other ending is final: at most one endpoint receives a call, and repeating is up to the retry stage of the flow.
 *
 * <h2>Ejection</h2>
 *
 * <p>An endpoint is ejected after five failures in a row: no connection, a connection that closed before the answer, or an
 * answer of 502, 503 or 504. It gets no calls for 1 s, then one trial call at a time until one succeeds; each failed one
 * doubles the time, up to 60 s. At most half of the endpoints are ejected, rounded down. Timeouts do not count, because the
 * deadline of the caller may have been too short; they are up to the breaker of the endpoint. What fails in this process does
 * not count either.
 *
 * <p>Thread-safe.
 */
public final class BalancedTarget implements Target<HttpCall, HttpAnswer> {
    /** The maximum number of endpoints: {@value}. */
    public static final int MAX_ENDPOINTS = 64;

    private static final Set<Integer> GATEWAY_ERRORS = Set.of(502, 503, 504);

    /** Adds endpoints. Not thread-safe. */
    public static final class Builder {
        private final List<Endpoint> endpoints = new ArrayList<>();

        private Builder() {}

        /**
         * Adds an endpoint.
         *
         * @param target closed with the balancer
         */
        public Builder endpoint(Target<HttpCall, HttpAnswer> target) {
            return endpoint(target, target);
        }

        /**
         * Adds an endpoint with stages of its own, such as a breaker and a limit.
         *
         * @param target closed with the balancer
         * @param service usually a {@link Flow}, which ends at the target
         */
        public Builder endpoint(
                Target<HttpCall, HttpAnswer> target, Service<? super HttpCall, ? extends HttpAnswer> service) {
            endpoints.add(new Endpoint(endpoints.size(), target.where(), target, service));
            return this;
        }

        /**
         * Builds the balancer.
         *
         * @throws IllegalArgumentException without endpoints, or with more than {@value #MAX_ENDPOINTS}
         */
        public BalancedTarget build() {
            return build(Ticker.SYSTEM);
        }

        BalancedTarget build(Ticker ticker) {
            if (endpoints.isEmpty() || endpoints.size() > MAX_ENDPOINTS) {
                throw new IllegalArgumentException(
                        "a balancer has 1 to " + MAX_ENDPOINTS + " endpoints, not " + endpoints.size());
            }
            return new BalancedTarget(
                    endpoints.stream()
                            .map(endpoint -> endpoint.unused(endpoints))
                            .toList(),
                    ticker);
        }
    }

    private final List<Endpoint> endpoints;
    private final Ticker ticker;
    private final Instant since = Instant.now();
    private final Object lock = new Object();
    private final OutlierDetection outliers;
    /** The endpoints, as bits, at which a call failed that may be repeated. Keys are compared by identity. */
    private final Map<HttpCall, Long> failedBefore = new WeakHashMap<>();

    private int turn;

    private BalancedTarget(List<Endpoint> endpoints, Ticker ticker) {
        this.endpoints = endpoints;
        this.ticker = ticker;
        this.outliers = new OutlierDetection(endpoints.size(), ticker.nanos());
    }

    /** Returns a builder without endpoints. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Sends a call to one endpoint, or to none if all reject it.
     *
     * @throws Rejected the last rejection, if all endpoints rejected the call
     * @throws Exception what the endpoint throws that did not reject the call
     */
    @Override
    public HttpAnswer call(HttpCall call) throws Exception {
        long rejectedBy = 0;
        Rejected last = null;
        while (true) {
            long begunAt = ticker.nanos();
            Endpoint endpoint = begin(call, rejectedBy, begunAt);
            if (endpoint == null) {
                // At least half of the endpoints are not ejected, so one has rejected the call.
                throw Objects.requireNonNull(last);
            }
            try {
                return send(call, endpoint, begunAt);
            } catch (Rejected rejected) {
                if (Thread.currentThread().isInterrupted()) {
                    throw rejected;
                }
                last = rejected;
                rejectedBy |= endpoint.bit();
            }
        }
    }

    private HttpAnswer send(HttpCall call, Endpoint endpoint, long begunAt) throws Exception {
        CallOutcome outcome = CallOutcome.NEUTRAL;
        boolean rejected = false;
        try {
            HttpAnswer answer = endpoint.service.call(call);
            outcome = GATEWAY_ERRORS.contains(answer.status()) ? CallOutcome.FAILURE : CallOutcome.SUCCESS;
            return answer;
        } catch (Unanswered ending) {
            outcome = outcome(ending);
            rejected = ending instanceof Rejected;
            throw ending;
        } finally {
            end(call, endpoint, outcome, rejected, begunAt);
        }
    }

    private static CallOutcome outcome(Unanswered ending) {
        boolean broken = ending.why() == Failed.Cause.CONNECT || ending.why() == Unknown.Cause.CLOSED;
        return broken && !ending.isOwnFault() ? CallOutcome.FAILURE : CallOutcome.NEUTRAL;
    }

    /** Chooses an endpoint; null if all that are available have rejected the call. */
    private @Nullable Endpoint begin(HttpCall call, long rejectedBy, long now) {
        synchronized (lock) {
            long failed = failedBefore.isEmpty() ? 0 : failedBefore.getOrDefault(call, 0L);
            Endpoint best = null;
            long bestRank = Long.MAX_VALUE;
            int first = Math.floorMod(turn++, endpoints.size());
            for (int i = 0; i < endpoints.size(); i++) {
                Endpoint endpoint = endpoints.get((first + i) % endpoints.size());
                if ((rejectedBy & endpoint.bit()) == 0 && outliers.isAvailable(endpoint.index, now)) {
                    long rank = endpoint.rank(failed);
                    if (rank < bestRank) {
                        best = endpoint;
                        bestRank = rank;
                    }
                }
            }
            if (best != null) {
                best.begin();
                outliers.begin(best.index);
            }
            return best;
        }
    }

    private void end(HttpCall call, Endpoint endpoint, CallOutcome outcome, boolean rejected, long begunAt) {
        synchronized (lock) {
            endpoint.end(rejected, outcome == CallOutcome.FAILURE);
            outliers.end(endpoint.index, outcome, begunAt, ticker.nanos());
            if (outcome == CallOutcome.SUCCESS) {
                failedBefore.remove(call);
            } else if (!rejected) {
                failedBefore.merge(call, endpoint.bit(), (one, other) -> one | other);
            }
        }
    }

    /** Returns the state of each endpoint, in the order of the builder. */
    @Override
    public List<EndpointReport> endpoints() {
        synchronized (lock) {
            long now = ticker.nanos();
            return endpoints.stream()
                    .map(endpoint -> endpoint.report(outliers, now))
                    .toList();
        }
    }

    /**
     * The calls of each endpoint: {@code endpoint_calls}, {@code endpoint_failures}, {@code endpoint_rejected} and {@code
     * endpoint_ejections}, as in {@link #endpoints}, by address.
     */
    @Override
    public Map<String, Map<String, Long>> counters() {
        List<EndpointReport> reports = endpoints();
        return Map.of(
                "endpoint_calls", each(reports, EndpointReport::calls),
                "endpoint_failures", each(reports, EndpointReport::failures),
                "endpoint_rejected", each(reports, EndpointReport::rejected),
                "endpoint_ejections", each(reports, EndpointReport::ejections));
    }

    private static Map<String, Long> each(List<EndpointReport> reports, ToLongFunction<EndpointReport> count) {
        Map<String, Long> counts = new LinkedHashMap<>();
        reports.forEach(report -> counts.put(report.where(), count.applyAsLong(report)));
        return counts;
    }

    /** Whether all endpoints honor deadlines. */
    @Override
    public boolean honorsDeadline() {
        return endpoints.stream().allMatch(endpoint -> endpoint.service.honorsDeadline());
    }

    @Override
    public String where() {
        return endpoints.stream().map(endpoint -> endpoint.target.where()).collect(Collectors.joining(", "));
    }

    /**
     * Returns {@code endpoint.1} with the address and state of the first endpoint, its settings with the prefix {@code
     * endpoint.1.}, and so on. They cannot be pinned here; pin them at the flow or target of the endpoint.
     */
    @Override
    public List<Setting> settings() {
        List<Setting> all = new ArrayList<>();
        for (Endpoint endpoint : endpoints) {
            String name = "endpoint." + (endpoint.index + 1);
            all.add(new Setting(name, endpoint.target.where(), "a url", state(endpoint), since, Origin.GIVEN));
            for (Setting own : endpoint.settings()) {
                all.add(new Setting(
                        name + "." + own.name(), own.value(), own.range(), own.reason(), own.since(), own.origin()));
            }
        }
        return List.copyOf(all);
    }

    private String state(Endpoint endpoint) {
        synchronized (lock) {
            return outliers.state(endpoint.index, ticker.nanos()) + "; " + endpoint.outstanding + " calls outstanding";
        }
    }

    /** Returns the connections of all endpoints together. */
    @Override
    public Map<String, Long> connections() {
        return sum(Target::connections);
    }

    /** Returns the times of the calls of all endpoints together. */
    @Override
    public Map<String, Long> times() {
        return sum(Target::times);
    }

    private Map<String, Long> sum(Function<Target<?, ?>, Map<String, Long>> counts) {
        Map<String, Long> sum = new LinkedHashMap<>();
        endpoints.forEach(
                endpoint -> counts.apply(endpoint.target).forEach((name, count) -> sum.merge(name, count, Long::sum)));
        return sum;
    }

    /** Closes the target of each endpoint. */
    @Override
    public void close() {
        endpoints.forEach(endpoint -> endpoint.target.close());
    }

    @Override
    public String toString() {
        return where();
    }
}
