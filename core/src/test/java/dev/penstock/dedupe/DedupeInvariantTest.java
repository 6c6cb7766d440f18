package dev.penstock.dedupe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Dedupe;
import dev.penstock.Failed;
import dev.penstock.IdempotencyStore;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.kit.LeakCheck;
import dev.penstock.kit.ManualTicker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.DoubleRange;
import org.jspecify.annotations.Nullable;

/**
 * Two processes share a store, one of them is killed, and both repeat few keys often, while the target and the store fail at
 * random: no key takes effect twice, every request ends once, and its ending is true.
 */
class DedupeInvariantTest {
    private static final int CALLERS = 6;
    private static final int CALLS = 30;
    private static final int KEYS = 25;

    @Property(tries = 60, shrinking = ShrinkingMode.OFF) // threads race: a smaller seed is another story
    void noKeyTakesEffectTwiceAndEveryEndingIsTrue(
            @ForAll @DoubleRange(min = 0, max = 0.3) double faults, @ForAll boolean interrupts, @ForAll long seed)
            throws Exception {
        ManualTicker ticker = new ManualTicker(seed);
        IdempotencyStore shared = IdempotencyStore.inMemory(1_000, ticker);
        Book book = new Book(ticker, new Random(seed));
        Process steady = new Process(shared, faults, new Random(seed + 1), ticker, book);
        Process killed = new Process(shared, faults, new Random(seed + 2), ticker, book);
        Map<String, String> endings = new ConcurrentHashMap<>();
        List<Thread> callers = IntStream.range(0, CALLERS)
                .mapToObj(number -> Thread.ofVirtual()
                        .start(() -> callOften(number, number % 2 == 0 ? steady : killed, endings, seed)))
                .toList();
        runClock(ticker, List.of(steady, killed), callers, interrupts, new Random(~seed));
        for (Process process : List.of(steady, killed)) {
            assertThat(process.flow.accounting().isSettled()).isTrue();
            LeakCheck.assertNothingHeld(process.flow);
            assertThat(process.flow.headroom()).isEqualTo(4);
        }
        assertThat(ticker.parked()).isZero();
        assertThat(endings).hasSize(CALLERS * CALLS);
        endings.forEach(book::check);

        // Every lease is up. Whoever asks now is told what became of it, or that nobody knows; or the key was never
        // used.
        ticker.advance(Duration.ofSeconds(20));
        book.waits = false;
        Process fresh = new Process(shared, 0, new Random(seed + 3), ticker, book);
        Map<String, String> later = new HashMap<>();
        for (int key = 0; key < KEYS; key++) {
            String request = "k" + key + ":later";
            String ending = call(fresh, request);
            later.put(request, ending);
            if (ending.startsWith("answered") || ending.equals("unknown")) {
                assertThat(call(fresh, request)).isEqualTo(ending);
            }
        }
        later.forEach(book::check);
        LeakCheck.assertNothingHeld(fresh.flow);
    }

    private static void runClock(
            ManualTicker ticker, List<Process> processes, List<Thread> callers, boolean interrupts, Random random)
            throws InterruptedException {
        for (int step = 0; callers.stream().anyMatch(Thread::isAlive); step++) {
            ticker.advance(Duration.ofMillis(1));
            if (interrupts && random.nextInt(20) == 0) {
                callers.get(random.nextInt(CALLERS)).interrupt();
            }
            if (step == 40) {
                processes.getLast().dead = true;
            }
            for (Process process : processes) {
                Accounting now = process.flow.accounting();
                assertThat(now.isBalanced()).as(now.sentence()).isTrue();
            }
            Thread.yield();
        }
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private static void callOften(int caller, Process process, Map<String, String> endings, long seed) {
        Random random = new Random(seed + caller);
        for (int call = 0; call < CALLS; call++) {
            boolean unused = Thread.interrupted();
            String request = "k" + random.nextInt(KEYS) + ":" + caller + "-" + call;
            assertThat(endings.put(request, call(process, request))).isNull();
        }
    }

    private static String call(Process process, String request) {
        try {
            return process.flow.call(request);
        } catch (Unanswered ending) {
            return ending.ending();
        } catch (Exception e) {
            throw new AssertionError("a flow throws endings only", e);
        }
    }

    private static @Nullable String key(String request) {
        return request.substring(0, request.indexOf(':'));
    }

    /** A flow over the shared store, by a line that is cut now and then, and for good when the process is dead. */
    private static final class Process implements IdempotencyStore {
        private final IdempotencyStore shared;
        private final double faults;
        private final Random random;
        private final Flow<String, String> flow;
        private volatile boolean dead;

        Process(IdempotencyStore shared, double faults, Random random, ManualTicker ticker, Book book) {
            this.shared = shared;
            this.faults = faults;
            this.random = random;
            this.flow = Flow.named("payments")
                    .ticker(ticker)
                    .deadline(Duration.ofMillis(60))
                    .dedupe(Dedupe.byKey(DedupeInvariantTest::key, this, new Words()))
                    .concurrency(4)
                    .to(book::pay);
        }

        private interface Deed<T> {
            T done() throws Exception;
        }

        private <T> T over(Deed<T> deed) throws Exception {
            boolean before;
            boolean after;
            synchronized (random) {
                before = dead || random.nextDouble() < faults;
                after = random.nextDouble() < faults;
            }
            if (before) {
                throw new SQLException("cut before");
            }
            T done = deed.done();
            if (after) {
                throw new SQLException("cut after");
            }
            return done;
        }

        @Override
        public Claim claim(KeyRequest ask) throws Exception {
            return over(() -> shared.claim(ask));
        }

        @Override
        public Claim takeOver(KeyRequest ask, long before) throws Exception {
            return over(() -> shared.takeOver(ask, before));
        }

        @Override
        public boolean end(String key, long owner, byte[] ending, Duration keep) throws Exception {
            return over(() -> shared.end(key, owner, ending, keep));
        }

        @Override
        public void release(String key, long owner) throws Exception {
            over(() -> {
                shared.release(key, owner);
                return true;
            });
        }

        @Override
        public @Nullable Claim find(String key) throws Exception {
            return shared.find(key);
        }

        @Override
        public String where() {
            return "shared";
        }

        @Override
        public void close() {}
    }

    /** A target that keeps books, and takes a key as often as it comes. */
    private static final class Book {
        private final ManualTicker ticker;
        private final Random random;
        private volatile boolean waits = true;
        private final Map<String, String> appliedByKey = new HashMap<>();

        Book(ManualTicker ticker, Random random) {
            this.ticker = ticker;
            this.random = random;
        }

        String pay(String request) throws Exception {
            int die;
            long until;
            synchronized (this) {
                die = random.nextInt(10);
                until = ticker.nanos() + (waits ? random.nextInt(4) * 1_000_000L : 0);
            }
            while (ticker.nanos() - until < 0) {
                if (Thread.interrupted()) {
                    apply(request);
                    throw new InterruptedException();
                }
                ticker.parkUntil(until);
            }
            switch (die) {
                case 0 -> throw new Rejected(Rejected.Cause.POOL, "none free");
                case 1 -> throw new Failed(Failed.Cause.CONNECT, "refused");
                case 2 -> throw new Failed(Failed.Cause.REFUSED, "no");
                case 3 -> throw new Unknown(Unknown.Cause.CLOSED, "lost on the way there");
                case 4 -> {
                    apply(request);
                    throw new Unknown(Unknown.Cause.CLOSED, "lost on the way back");
                }
                default -> {
                    apply(request);
                    return "answered " + request;
                }
            }
        }

        private synchronized void apply(String request) {
            String before = appliedByKey.putIfAbsent(key(request), request);
            assertThat(before).as("applied before " + request).isNull();
        }

        /** An answer is that of the one of its key that took effect; what was not sent or failed is not that one. */
        synchronized void check(String request, String ending) {
            String applied = appliedByKey.get(key(request));
            if (ending.startsWith("answered")) {
                assertThat(ending).isEqualTo("answered " + applied);
            } else if (!ending.equals("unknown")) {
                assertThat(applied).as(request + " " + ending).isNotEqualTo(request);
            }
        }
    }
}
