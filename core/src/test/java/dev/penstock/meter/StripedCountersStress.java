package dev.penstock.meter;

import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads at the same counters, many times on real cores: no count is lost, and a reader sees only sums that the counters
 * had. {@link dev.penstock.JcstressTest} runs them.
 */
final class StripedCountersStress {
    private StripedCountersStress() {}

    private static void sums(StripedCounters counters, III_Result result) {
        result.r1 = (int) counters.sum(0);
        result.r2 = (int) counters.sum(1);
        result.r3 = (int) counters.sum(2);
    }

    /** Two threads count on one stripe: its latch lets one of them in at a time. */
    @JCStressTest
    @Outcome(id = "2, 2, 7", expect = Expect.ACCEPTABLE, desc = "all is counted")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a count is lost or doubled")
    @State
    public static class OneStripe {
        private final StripedCounters counters = new StripedCounters(3, 1);

        @Actor
        public void one() {
            counters.addAll(0, 1, 2, 7);
        }

        @Actor
        public void other() {
            counters.addAll(1, 0);
        }

        @Arbiter
        public void count(III_Result result) {
            sums(counters, result);
        }
    }

    /** Two threads count on the stripes that they prefer, or on the next one where a latch is taken. */
    @JCStressTest
    @Outcome(id = "4, 3, 1", expect = Expect.ACCEPTABLE, desc = "all is counted")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a count is lost or doubled")
    @State
    public static class TwoStripes {
        private final StripedCounters counters = new StripedCounters(3, 2);

        @Actor
        public void one() {
            counters.addAll(0, 1);
            counters.addAll(0, 1);
        }

        @Actor
        public void other() {
            counters.addAll(0, 1);
            counters.addAll(0, 2);
        }

        @Arbiter
        public void count(III_Result result) {
            sums(counters, result);
        }
    }

    /** A reader sums up while another thread counts: a later sum is not lower. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "0, 2", "1, 1", "1, 2", "2, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "it grows")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it falls, or was never that high")
    @State
    public static class ReadWhileCounted {
        private final StripedCounters counters = new StripedCounters(2, 2);

        @Actor
        public void count() {
            counters.addAll(0, 1);
            counters.addAll(0, 1);
        }

        @Actor
        public void read(II_Result result) {
            result.r1 = (int) counters.sum(0);
            result.r2 = (int) counters.sum(0);
        }
    }

    /** Whoever sees a count also sees what the counting thread wrote before. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "the write comes first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the count is visible, the write before it is not")
    @State
    public static class WrittenBeforeCounted {
        private final StripedCounters counters = new StripedCounters(2, 1);
        private int written;

        @Actor
        public void count() {
            written = 1;
            counters.addAll(0, 1);
        }

        @Actor
        public void read(II_Result result) {
            result.r1 = (int) counters.sum(1);
            result.r2 = written;
        }
    }

    /** Wrong on purpose: it updates as {@link StripedCounters} does, but without a latch. It has to be found. */
    @JCStressTest
    @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "both are counted")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one is lost")
    @State
    public static class Careless {
        private final AtomicLongArray stripe = new AtomicLongArray(1);

        /** Yields in between, so that the race shows on busy cores too. */
        private void grow() {
            long before = stripe.getPlain(0);
            Thread.yield();
            stripe.setRelease(0, before + 1);
        }

        @Actor
        public void one() {
            grow();
        }

        @Actor
        public void other() {
            grow();
        }

        @Arbiter
        public void count(II_Result result) {
            result.r1 = (int) stripe.get(0);
        }
    }
}
