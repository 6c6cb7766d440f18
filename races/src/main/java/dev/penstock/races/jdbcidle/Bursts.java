package dev.penstock.races.jdbcidle;

import dev.penstock.Durations;
import dev.penstock.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * When transactions come: {@value #SIZE} at once, a pause, {@value #SIZE} at once. The next burst comes when it is due, whatever
 * became of those before. A transaction that takes longer than {@link #DEADLINE} has failed, and counts as that long.
 *
 * @param lead before the first burst, in which a pool that wants to may fill itself
 * @param gaps from one burst to the next
 */
record Bursts(Duration lead, List<Duration> gaps) {
    static final int SIZE = 20;
    static final Duration DEADLINE = Duration.ofSeconds(10);

    private static final Duration LEAD = Duration.ofSeconds(1);

    /** These gaps in seconds, so many times over. */
    static Bursts of(int times, Integer... seconds) {
        return new Bursts(
                LEAD,
                Collections.nCopies(times, List.of(seconds)).stream()
                        .flatMap(List::stream)
                        .map(Duration::ofSeconds)
                        .toList());
    }

    /** From the start to the last burst. */
    Duration lasting() {
        return gaps.stream().reduce(lead, Duration::plus);
    }

    /** From the start to each burst. */
    List<Duration> at() {
        List<Duration> at = new ArrayList<>();
        at.add(lead);
        gaps.forEach(gap -> at.add(at.getLast().plus(gap)));
        return at;
    }

    /**
     * Runs them, and waits until each transaction has ended or failed by its deadline.
     *
     * @return what each took, by burst
     */
    List<BurstTimes> run(PoolTransaction work) throws InterruptedException {
        long start = Ticker.SYSTEM.nanos();
        List<Burst> bursts = new ArrayList<>();
        for (Duration at : at()) {
            long due = start + Durations.nanos(at);
            while (due - Ticker.SYSTEM.nanos() > 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("the race was stopped");
                }
                Ticker.SYSTEM.parkUntil(due);
            }
            Burst burst = new Burst(due);
            bursts.add(burst);
            burst.start(work, (long) bursts.size() * SIZE);
        }
        List<BurstTimes> times = new ArrayList<>();
        for (Burst burst : bursts) {
            times.add(burst.times());
        }
        return times;
    }

    /** One burst on its way. */
    private static final class Burst {
        private final long due;
        private final CountDownLatch left = new CountDownLatch(SIZE);
        private final long[] took = new long[SIZE];
        private final boolean[] failed = new boolean[SIZE];

        Burst(long due) {
            this.due = due;
        }

        @SuppressWarnings("IllegalCatch") // whatever a contestant throws is the transaction's failure
        void start(PoolTransaction work, long first) {
            for (int i = 0; i < SIZE; i++) {
                int place = i;
                Thread.ofVirtual().start(() -> {
                    boolean good = false;
                    try {
                        work.run(first + place);
                        good = true;
                    } catch (Exception | LinkageError e) {
                        // It has failed.
                    }
                    ended(place, good);
                });
            }
        }

        private synchronized void ended(int place, boolean good) {
            took[place] = Math.max(1, Ticker.SYSTEM.nanos() - due);
            failed[place] = !good;
            left.countDown();
        }

        BurstTimes times() throws InterruptedException {
            left.await(due + DEADLINE.toNanos() - Ticker.SYSTEM.nanos(), TimeUnit.NANOSECONDS);
            synchronized (this) {
                List<Long> nanos = new ArrayList<>();
                int errors = 0;
                for (int i = 0; i < SIZE; i++) {
                    boolean late = took[i] == 0 || took[i] > DEADLINE.toNanos();
                    nanos.add(late ? DEADLINE.toNanos() : took[i]);
                    errors += late || failed[i] ? 1 : 0;
                }
                return new BurstTimes(nanos, errors);
            }
        }
    }
}
