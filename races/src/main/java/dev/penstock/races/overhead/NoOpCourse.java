package dev.penstock.races.overhead;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.PlannedCourse;
import java.time.Duration;

/** Threads that call one contestant as fast as they can. */
final class NoOpCourse extends PlannedCourse {
    /** Iterations of one second: the JIT compiler has long settled, and each has one or two garbage collections. */
    private static final JmhRun.Plan FULL = new JmhRun.Plan(5, 5, Duration.ofSeconds(1));

    /** Two seconds of warm-up: the slowest to warm up, Hystrix, needed one. */
    private static final JmhRun.Plan QUICK = new JmhRun.Plan(5, 3, Duration.ofMillis(400));

    private static final String METRICS = "ns_per_call bytes_per_call";

    private final int threads;

    NoOpCourse(String name, int threads) {
        super(name, OverheadContestants.ALL.entries(), METRICS, METRICS);
        this.threads = threads;
    }

    private static JmhRun.Plan plan(Effort effort) {
        return effort == Effort.QUICK ? QUICK : FULL;
    }

    @Override
    public String workload(Effort effort) {
        String callers = threads == 1 ? "one thread" : threads + " threads sharing one contestant";
        return callers + ", a no-op target, no faults; " + plan(effort);
    }

    @Override
    public Duration blockTime(Effort effort) {
        return plan(effort).time();
    }

    /**
     * Measures one contestant with JMH in a separate JVM.
     *
     * @throws JmhRun.NoFigures when there is no result
     * @throws InterruptedException when the race is stopped
     */
    @Override
    public BlockResult run(Block block, Cue cue) throws JmhRun.NoFigures, InterruptedException {
        cue.ready();
        return BlockResult.of(JmhRun.measure(block.entry(), threads, plan(block.effort()), JmhRun.JVM_OPTIONS));
    }
}
