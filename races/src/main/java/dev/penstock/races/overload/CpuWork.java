package dev.penstock.races.overload;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;

/**
 * CPU work of a known amount: a chain of multiplications, each of which needs the one before, so neither compiler nor
 * processor can shorten it. The amount is counted in steps and not in time, so a thread that waits for a core does not get
 * away with less work. Immutable.
 *
 * @param pieces of {@link #STEPS} steps each; 1 or more
 */
record CpuWork(int pieces) {
    /** The steps of a piece: some tens of microseconds, the time after which whoever works may look up. */
    static final int STEPS = 16_384;

    private static final int WARM_UP = 4_000;
    private static final int SAMPLES = 41;
    private static final int SAMPLE = 100;

    /** Checks its range. */
    CpuWork {
        if (pieces < 1) {
            throw new IllegalArgumentException("work has at least 1 piece, not " + pieces);
        }
    }

    /**
     * As much as takes this CPU time on one core of this machine while nothing else runs: the median of some samples, by the
     * CPU time of the calling thread. Takes half a second; not on a virtual thread, whose CPU time nobody knows.
     */
    static CpuWork lasting(Duration cpu) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long chain = pieces(1, WARM_UP);
        long[] nanos = new long[SAMPLES];
        for (int i = 0; i < SAMPLES; i++) {
            long before = threads.getCurrentThreadCpuTime();
            chain = pieces(chain, SAMPLE);
            nanos[i] = threads.getCurrentThreadCpuTime() - before;
        }
        Arrays.sort(nanos);
        if (chain == 0) { // never, but a chain that nobody asks for might be left out
            throw new IllegalStateException("a chain of work ended at 0");
        }
        double each = nanos[SAMPLES / 2] / (double) SAMPLE;
        return new CpuWork((int) Math.max(1, Math.round(cpu.toNanos() / each)));
    }

    private static long pieces(long chain, int count) {
        long next = chain;
        for (int i = 0; i < count; i++) {
            next = piece(next);
        }
        return next;
    }

    /** One piece of it, from where the one before ended; any number but 0 begins a chain. */
    static long piece(long chain) {
        long next = chain;
        for (int i = 0; i < STEPS; i++) {
            next ^= next >>> 29;
            next *= 0xBF58476D1CE4E5B9L; // of SplitMix64's finalizer; odd, so nothing but 0 becomes 0
        }
        return next;
    }

    /** Where its chain ends. */
    long end() {
        return pieces(1, pieces);
    }
}
