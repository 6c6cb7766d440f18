package dev.penstock.dedupe;

import dev.penstock.Answered;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.dedupe.KeyedCall.Means;
import dev.penstock.dedupe.KeyedCall.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Lets one transaction of each key through, as a {@link Dedupe} says.
 *
 * <h2>Design note</h2>
 *
 * <p>Keys are those of a flow: its name stands before each, so that flows may share a ledger.
 *
 * <p>In this process the first of a key goes on, and the others wait for it without a word to the ledger. They end as it
 * does, unless it was never sent: then the next one is the first. Who finds a key under way in another process looks again,
 * 20 ms later, then 40, up to 640.
 *
 * <p>Whoever comes again while one of its key is under way and runs out of time, is unknown, not rejected: what its key
 * names may be taking effect. Rejected is only what was sent by nobody here and nobody known.
 *
 * <p>Who comes looks its key up, which costs no commit. It is claimed when the permit has been taken, right before the first
 * byte may be sent. So a claim says "may have been sent", and what is rejected, or killed while it waits, leaves no trace.
 *
 * <p>A claim has a lease, the time that its transaction has left and 10 s. A process that dies leaves a claim that nobody
 * ends; from then on the key is unknown. It is never sent again because a lease is up, so clocks need not be right.
 *
 * <p>Safe for many threads.
 */
public final class DedupeFilter {
    private static final String HASHED = "sha256:";

    private final Dedupe dedupe;
    private final String flow;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final InFlightKeys inFlightKeys = new InFlightKeys();
    private final DedupeCounter tally;
    private final StoreClient storeClient;

    /**
     * A filter that has let nothing through.
     *
     * @param dedupe which requests are carried once
     * @param flow the name of the flow that it stands in, which its keys are of
     * @param ticker the clock that waits go by
     * @param random where the numbers of owners come from; safe for many threads
     */
    public DedupeFilter(Dedupe dedupe, String flow, Ticker ticker, RandomGenerator random) {
        this.dedupe = dedupe;
        this.flow = flow;
        this.ticker = ticker;
        this.random = random;
        this.tally = new DedupeCounter(ticker.nanos());
        this.storeClient = new StoreClient(dedupe.ledger(), dedupe.keep(), ticker, tally);
    }

    /**
     * Puts this filter around a service.
     *
     * @param doubt what can be done about what is unknown when its key comes again
     */
    public <Q, R> Service<Q, R> around(Service<Q, R> next, UnknownResolver<Q, R> doubt) {
        OutcomeCodec kept = new OutcomeCodec(dedupe.codec(), dedupe.maxAnswer());
        return new Deduped<>(
                this, next, new Means<>(storeClient, kept, dedupe.keep(), tally, ticker, random::nextLong, next, doubt));
    }

    /**
     * Puts the claiming of keys around the target, inside of the limit: so a key that only waits for a permit is nobody's.
     *
     * @param target what a request goes to when its key is claimed
     */
    public <Q, R> Service<Q, R> claiming(Service<Q, R> target) {
        return new Claiming<>(this, target);
    }

    /**
     * Claims the keys of a batch, for a target that takes batches: as {@link #claiming} does, all at the same time, so that the
     * ledger can put them into one commit.
     *
     * @return for each request null when it may be sent, and otherwise why not
     */
    public @Nullable Unanswered[] claim(List<?> requests) {
        return new BatchClaims(this::keyedCall, ticker).claim(requests);
    }

    private record Claiming<Q, R>(DedupeFilter filter, Service<Q, R> target) implements Service<Q, R> {
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

    /** Who carries a request; null when it has no key. */
    private @Nullable KeyedCall<?, ?> keyedCall(Object request) throws Failed, Rejected {
        String key = keyOf(request);
        KeyedCall<?, ?> keyedCall = key == null ? null : inFlightKeys.keyedCall(key);
        if (key != null && (keyedCall == null || !keyedCall.carries(request))) {
            throw KeyedCall.gone();
        }
        return keyedCall;
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record Deduped<Q, R>(DedupeFilter filter, Service<Q, R> next, Means<Q, R> means) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            String key = filter.keyOf(request);
            return key == null ? next.call(request) : answer(filter.carry(request, key, means));
        }

        @SuppressWarnings("unchecked") // only answers of this kind come in
        private R answer(Ending ending) throws Unanswered {
            return switch (ending) {
                case Answered<?> answered -> (R) answered.answer();
                case Unanswered unanswered -> throw unanswered;
            };
        }
    }

    private @Nullable String keyOf(Object request) throws Failed {
        try {
            String key = dedupe.keyOf(request);
            return key == null ? null : named(key);
        } catch (RuntimeException | Error broken) {
            throw broken("key", broken);
        }
    }

    private String named(String key) {
        String name = flow + "/" + key;
        boolean plain = name.length() <= KeyRequest.LONGEST_KEY
                && !key.startsWith(HASHED)
                && key.chars().allMatch(c -> c > ' ' && c <= '~');
        return plain ? name : flow + "/" + HASHED + Dedupe.digest(key.getBytes(StandardCharsets.UTF_8));
    }

    private <Q> String fingerprint(Q request) throws Failed {
        try {
            return dedupe.fingerprintOf(request);
        } catch (RuntimeException | Error broken) {
            throw broken("fingerprint", broken);
        }
    }

    private static Failed broken(String function, Throwable thrown) {
        return new Failed(
                Failed.Cause.UNDONE,
                "nothing was sent, as the " + function + " function of its dedupe threw " + thrown
                        + "; mend it so that it takes every request",
                thrown);
    }

    private <Q, R> Ending carry(Q request, String key, Means<Q, R> means) throws Exception {
        String fingerprint = fingerprint(request);
        CallContext callContext = CallContext.required();
        tally.came(callContext.now());
        while (true) {
            InFlightKey mine = new InFlightKey(fingerprint);
            InFlightKey first = inFlightKeys.enter(key, mine);
            if (first == mine) {
                KeyedCall<Q, R> keyedCall = new KeyedCall<>(means, request, key, fingerprint, callContext);
                mine.carriedBy(keyedCall);
                return lead(mine, keyedCall, key);
            }
            if (!first.isSame(fingerprint)) {
                tally.refused.increment();
                return KeyedCall.refusal();
            }
            Ending ending = follow(first, callContext);
            if (ending != null) {
                return ending;
            }
            if (callContext.timeLeft() <= 0) {
                return new Rejected(
                        Rejected.Cause.DEADLINE, "the first one of its key was never sent, and the time is up");
            }
        }
    }

    private Ending lead(InFlightKey mine, KeyedCall<?, ?> keyedCall, String key) throws Exception {
        Ending forAll = new Unknown(Unknown.Cause.ERROR, "what the target threw does not tell what became of it");
        try {
            Outcome outcome = keyedCall.run();
            forAll = outcome.forAll() ? outcome.ending() : null;
            return outcome.ending();
        } finally {
            inFlightKeys.leave(key, mine, forAll);
        }
    }

    private @Nullable Ending follow(InFlightKey first, CallContext callContext) {
        tally.waiting.increment();
        try {
            Ending ending = first.await(callContext, ticker);
            if (ending != null) {
                tally.waited.increment();
            }
            return ending;
        } finally {
            tally.waiting.decrement();
            callContext.tick();
        }
    }

    /** What came of it all so far. */
    public DedupeCounts dedupeCounts() {
        return tally.report();
    }

    /** How many requests with a key have come in. */
    public long came() {
        return tally.came();
    }

    /** How many requests with a key came in each second, over the last 10 s. */
    public double perSecond() {
        return tally.perSecond(ticker.nanos());
    }

    /** How long it took to claim keys, in nanoseconds. */
    public Histogram times() {
        return storeClient.times();
    }

    /** Which requests are carried once. */
    public Dedupe dedupe() {
        return dedupe;
    }
}
