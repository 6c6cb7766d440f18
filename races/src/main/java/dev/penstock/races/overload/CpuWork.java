package dev.penstock.races.overload;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;

/**
 * A fixed amount of CPU work: a chain of dependent multiplications, which neither compiler nor processor can shorten.
 * Counted in steps, not in time, so that a thread waiting for a core does not do less work. Immutable.
 *
 * @param pieces of {@link #STEPS} steps each; 1 or more
 */
record CpuWork(int pieces) {
    /** The steps of a piece: some tens of microseconds, after which a thread can check whether to stop. */
    static final int STEPS = 16_384;

    private static final int WARM_UP = 4_000;
    private static final int SAMPLES = 41;
    private static final int SAMPLE = 100;

    /** Checks the range. */
    CpuWork {
        if (pieces < 1) {
            throw new IllegalArgumentException("work must have 1 piece or more, not " + pieces);
        }
    }

    /**
     * The work that takes this CPU time on one idle core of this machine: the median of several samples of the calling
     * thread's CPU time. Takes half a second. Not for virtual threads, whose CPU time is not available.
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
        if (chain == 0) { // never true; uses the result so that the work is not optimized away
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

    /** Computes one piece, from the result of the previous one; a chain starts with any number except 0. */
    static long piece(long chain) {
        long next = chain;
        for (int i = 0; i < STEPS; i++) {
            next ^= next >>> 29;
            next *= 0xBF58476D1CE4E5B9L; // from SplitMix64's finalizer; odd, so only 0 maps to 0
        }
        return next;
    }

    /** The result of the whole chain. */
    long end() {
        return pieces(1, pieces);
    }
}
