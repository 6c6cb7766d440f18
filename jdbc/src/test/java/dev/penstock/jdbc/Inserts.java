package dev.penstock.jdbc;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Inserts of one row each by many concurrent callers, with the reported endings: {@code insert into payment(id,
 * amount)}, ids from 1. A caller waits for the ending of each insert; nothing is retried.
 */
final class Inserts {
    /** The pause of a caller after an ending without an answer, so that an outage does not consume all inserts. */
    private static final long REST = 20_000_000;

    private static final Duration TO_END = Duration.ofMinutes(5);

    private final Flow<JdbcRequest, JdbcAnswer> flow;
    private final int callers;
    private final int inserts;
    private final AtomicLong next = new AtomicLong();
    private final Set<Long> answered = ConcurrentHashMap.newKeySet();
    private final Set<Long> refused = ConcurrentHashMap.newKeySet();
    private final Set<Long> undone = ConcurrentHashMap.newKeySet();
    private final Set<Long> unknown = ConcurrentHashMap.newKeySet();
    private final Map<String, String> reasons = new ConcurrentHashMap<>();
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();

    Inserts(Flow<JdbcRequest, JdbcAnswer> flow, int callers, int inserts) {
        this.flow = flow;
        this.callers = callers;
        this.inserts = inserts;
    }

    /** An event when half of the inserts were offered. */
    @FunctionalInterface
    interface Mishap {
        void strike() throws Exception;
    }

    /** Runs all inserts, and the event in the middle. */
    void run(Mishap mishap) throws Exception {
        List<Thread> threads = IntStream.range(0, callers)
                .mapToObj(_ -> Thread.ofVirtual().start(this::call))
                .toList();
        while (next.get() < inserts / 2) {
            rest(1_000_000);
        }
        mishap.strike();
        for (Thread thread : threads) {
            if (!thread.join(TO_END)) {
                throw new AssertionError("a caller hangs: " + this);
            }
        }
        if (!broken.isEmpty()) {
            throw new AssertionError("something other than an ending came", broken.peek());
        }
    }

    @SuppressWarnings("IllegalCatch") // any other exception is a failure of the test
    private void call() {
        while (true) {
            long id = next.incrementAndGet();
            if (id > inserts) {
                return;
            }
            try {
                flow.call(JdbcRequest.of("id", id).with("amount", 1));
                answered.add(id);
                continue;
            } catch (Failed e) {
                (e.why() == Failed.Cause.REFUSED ? refused : undone).add(id);
                reasons.putIfAbsent("failed " + e.why(), String.valueOf(e.getMessage()));
            } catch (Rejected e) {
                undone.add(id);
                reasons.putIfAbsent("rejected " + e.why(), String.valueOf(e.getMessage()));
            } catch (Unknown e) {
                unknown.add(id);
                reasons.putIfAbsent("unknown " + e.why(), String.valueOf(e.getMessage()));
            } catch (Exception | LinkageError e) {
                broken.add(e);
                return;
            }
            rest(REST);
        }
    }

    private static void rest(long nanos) {
        long until = Ticker.SYSTEM.nanos() + nanos;
        while (until - Ticker.SYSTEM.nanos() > 0) {
            Ticker.SYSTEM.parkUntil(until);
        }
    }

    /**
     * The reported endings, compared with the table.
     *
     * @param answered reported as done
     * @param missing reported as done, and absent
     * @param deniedButPresent reported as not done, and present
     * @param wronglyRefused refused permanently, although every insert is valid
     * @param unknown reported as unknown
     * @param twice present more than once
     * @param reasons one reason of each kind of ending without an answer
     */
    record Audit(
            int answered,
            int missing,
            int deniedButPresent,
            int wronglyRefused,
            int unknown,
            int twice,
            Map<String, String> reasons) {
        boolean isClean() {
            return isClean(true);
        }

        /**
         * Whether every ending is true.
         *
         * @param lasting whether the database keeps what it has committed
         */
        boolean isClean(boolean lasting) {
            return (missing == 0 || !lasting) && deniedButPresent == 0 && wronglyRefused == 0 && twice == 0;
        }
    }

    /** Compares with the ids in the table. */
    Audit audit(List<Long> there) {
        Set<Long> present = ConcurrentHashMap.newKeySet();
        int twice = 0;
        for (long id : there) {
            twice += present.add(id) ? 0 : 1;
        }
        int missing =
                (int) answered.stream().filter(id -> !present.contains(id)).count();
        int denied = (int) undone.stream().filter(present::contains).count()
                + (int) refused.stream().filter(present::contains).count();
        return new Audit(
                answered.size(), missing, denied, refused.size(), unknown.size(), twice, new TreeMap<>(reasons));
    }

    @Override
    public String toString() {
        return "%d offered, %d answered, %d undone, %d refused, %d unknown %s"
                .formatted(
                        Math.min(next.get(), inserts),
                        answered.size(),
                        undone.size(),
                        refused.size(),
                        unknown.size(),
                        new TreeMap<>(reasons));
    }
}
