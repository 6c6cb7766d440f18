package dev.penstock.dedupe;

import dev.penstock.Answered;
import dev.penstock.CallContext;
import dev.penstock.Dedupe;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Filter;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.Observation.Wait;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.StageReport;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.dedupe.KeyedCall.Dependencies;
import dev.penstock.dedupe.KeyedCall.Outcome;
import dev.penstock.text.Sha256;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends one transaction per key, as configured by a {@link Dedupe}.
 *
 * <h2>Design note</h2>
 *
 * <p>Keys are prefixed with the name of the flow, so flows can share a store.
 *
 * <p>Within this process, the first request with a key proceeds, and the others wait for it without using the store. They end
 * as it does, unless it was never sent: then the next one becomes the first. A request whose key is in progress in another
 * process polls the store after 20 ms, then 40 ms, up to 640 ms.
 *
 * <p>A duplicate that runs out of time while another request with its key is in progress ends as unknown, not as rejected,
 * because the transaction of its key may be taking effect. It ends as rejected only if no request with its key is known to
 * have been sent.
 *
 * <p>A request first looks its key up, which costs no commit. The key is claimed once the permit is taken, right before the
 * first byte may be sent. So a claim means "may have been sent", and a request that is rejected, or whose process is killed
 * while it waits, leaves no trace.
 *
 * <p>The lease of a claim is the time left of its transaction plus 10 s. A process that dies leaves a claim without an
 * outcome; once its lease has ended, the ending of the key is unknown. The end of a lease never causes a request to be sent
 * again, so clocks need not be accurate.
 *
 * <p>Safe for many threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class DedupeFilter<Q, R> implements Filter<Q, R> {
    private final Dedupe<? super Q> dedupe;
    private final String flow;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final InFlightKeys inFlightKeys = new InFlightKeys();
    private final DedupeCounter counter;
    private final StoreClient storeClient;
    private final UnknownResolver<Q, R> resolver;

    /**
     * Creates a filter.
     *
     * @param dedupe its configuration
     * @param flow the name of the flow, which is the prefix of its keys
     * @param ticker the clock for all waits
     * @param random the source of owner numbers; safe for many threads
     * @param resolver resolves unknown endings when a request with the same key arrives again
     */
    public DedupeFilter(
            Dedupe<? super Q> dedupe,
            String flow,
            Ticker ticker,
            RandomGenerator random,
            UnknownResolver<Q, R> resolver) {
        this.dedupe = dedupe;
        this.flow = flow;
        this.ticker = ticker;
        this.random = random;
        this.counter = new DedupeCounter(ticker.nanos());
        this.storeClient = new StoreClient(dedupe.store(), dedupe.keep(), ticker, counter);
        this.resolver = resolver;
    }

    @Override
    public Service<Q, R> around(Service<Q, R> next) {
        OutcomeCodec codec = new OutcomeCodec(dedupe.codec(), dedupe.maxAnswer());
        return new DedupedService<>(
                this,
                next,
                new Dependencies<>(
                        storeClient, codec, dedupe.keep(), counter, ticker, random::nextLong, next, resolver));
    }

    /**
     * Wraps the target so that keys are claimed inside the limit: a request that waits for a permit has no claim.
     *
     * @param target called once the key is claimed
     */
    public Service<Q, R> claiming(Service<Q, R> target) {
        return new ClaimingService<>(this, target);
    }

    /**
     * Claims the keys of a batch, as {@link #claiming} does for single requests, but concurrently, so that the store can use
     * one commit for all.
     *
     * @return for each request null when it may be sent, and otherwise its ending
     */
    public @Nullable Unanswered[] claim(List<Q> requests) {
        return new BatchClaims<>(this::keyedCall, ticker).claim(requests);
    }

    private record ClaimingService<Q, R>(DedupeFilter<Q, R> filter, Service<Q, R> target) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            KeyedCall<?, ?> keyedCall = filter.keyedCall(request);
            if (keyedCall != null) {
                keyedCall.claim(CallContext.required());
            }
            return target.call(request);
        }

        @Override
        public boolean honorsDeadline() {
            return target.honorsDeadline();
        }
    }

    /** The call of a request; null when it has no key. */
    private @Nullable KeyedCall<?, ?> keyedCall(Q request) throws Failed, Rejected {
        String key = keyOf(request);
        KeyedCall<?, ?> keyedCall = key == null ? null : inFlightKeys.keyedCall(key);
        if (key != null && (keyedCall == null || !keyedCall.isFor(request))) {
            throw KeyClaim.callerLeft();
        }
        return keyedCall;
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record DedupedService<Q, R>(DedupeFilter<Q, R> filter, Service<Q, R> next, Dependencies<Q, R> deps)
            implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            String key = filter.keyOf(request);
            return key == null ? next.call(request) : answer(filter.callOnce(request, key, deps));
        }

        @SuppressWarnings("unchecked") // only answers of this kind come in
        private R answer(Ending ending) throws Unanswered {
            return switch (ending) {
                case Answered<?> answered -> (R) answered.answer();
                case Unanswered unanswered -> throw unanswered;
            };
        }
    }

    private @Nullable String keyOf(Q request) throws Failed {
        try {
            String key = dedupe.keyOf(request);
            return key == null ? null : KeyRequest.named(flow, key);
        } catch (RuntimeException | Error broken) {
            throw broken("key", broken);
        }
    }

    private String fingerprint(Q request) throws Failed {
        try {
            byte[] equal = dedupe.fingerprintOf(request);
            return equal == null ? "" : digest(equal);
        } catch (RuntimeException | Error broken) {
            throw broken("fingerprint", broken);
        }
    }

    static String digest(byte[] bytes) {
        return HexFormat.of().formatHex(Sha256.of(bytes));
    }

    private static Failed broken(String function, Throwable thrown) {
        return new Failed(
                Failed.Cause.UNDONE,
                "not sent: the " + function + " function of the dedupe threw " + thrown
                        + "; correct it so that it accepts every request",
                thrown);
    }

    private Ending callOnce(Q request, String key, Dependencies<Q, R> deps) throws Exception {
        String fingerprint = fingerprint(request);
        CallContext callContext = CallContext.required();
        counter.requests(callContext.now());
        while (true) {
            InFlightKey mine = new InFlightKey(fingerprint);
            InFlightKey first = inFlightKeys.enter(key, mine);
            if (first == mine) {
                KeyedCall<Q, R> keyedCall = new KeyedCall<>(deps, request, key, fingerprint, callContext);
                mine.setKeyedCall(keyedCall);
                return lead(mine, keyedCall, key);
            }
            if (!first.isSame(fingerprint)) {
                counter.refused.increment();
                return KeyClaim.usedForAnother();
            }
            Ending ending = follow(first, callContext);
            if (ending != null) {
                return ending;
            }
            if (callContext.timeLeft() <= 0) {
                Unknown unresolved = first.unresolved();
                return unresolved != null
                        ? unresolved
                        : new Rejected(
                                Rejected.Cause.DEADLINE,
                                "the deadline passed; the first request with this key was not sent");
            }
        }
    }

    private Ending lead(InFlightKey mine, KeyedCall<?, ?> keyedCall, String key) throws Exception {
        Ending shared = new Unknown(Unknown.Cause.ERROR, "the target threw an exception that is not an ending");
        try {
            Outcome outcome = keyedCall.run();
            shared = outcome.shared() ? outcome.ending() : null;
            mine.setUnresolved(outcome.ending() instanceof Unknown unknown ? unknown : null);
            return outcome.ending();
        } finally {
            inFlightKeys.leave(key, mine, shared);
        }
    }

    private @Nullable Ending follow(InFlightKey first, CallContext callContext) {
        long start = callContext.now();
        counter.waiting.increment();
        try {
            Ending ending = first.await(callContext, ticker);
            if (ending != null) {
                counter.waited.increment();
            }
            return ending;
        } finally {
            counter.waiting.decrement();
            callContext.waited(Wait.KEY, callContext.tick() - start);
        }
    }

    /** The counts so far. */
    public Dedupe.Counts dedupeCounts() {
        return counter.report();
    }

    /** Requests with a key; the times are those of claiming the key. */
    public StageReport report() {
        Dedupe.Counts counts = counter.report();
        return new StageReport(
                "dedupe",
                counter.requests(),
                counter.perSecond(ticker.nanos()),
                counts.waiting(),
                0,
                counts.sentence(),
                storeClient.times());
    }
}
