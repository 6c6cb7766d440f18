package dev.penstock.races.overhead;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Threads that call one contestant as fast as they can. Immutable. */
final class NoOpCourse implements Course {
    /** Iterations of a second: the JIT compiler has long settled, and a collection or two falls into each. */
    private static final JmhRun.Plan FULL = new JmhRun.Plan(5, 5, Duration.ofSeconds(1));

    /** Two seconds of warm-up: the largest contestant, Hystrix, was seen to need one. */
    private static final JmhRun.Plan QUICK = new JmhRun.Plan(5, 3, Duration.ofMillis(400));

    private static final List<String> METRICS = List.of("ns_per_call", "bytes_per_call");

    private final String name;
    private final int threads;

    NoOpCourse(String name, int threads) {
        this.name = name;
        this.threads = threads;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String workload(Effort effort) {
        String callers = threads == 1 ? "one thread" : threads + " threads that share one contestant";
        return callers + ", a target that does nothing, all is well; " + plan(effort);
    }

    @Override
    public List<Entry> entries() {
        return Arrays.stream(OverheadContestant.values()).map(OverheadContestant::entry).toList();
    }

    @Override
    public List<String> judged() {
        return METRICS;
    }

    @Override
    public List<String> shown() {
        return METRICS;
    }

    @Override
    public Duration blockTime(Effort effort) {
        return plan(effort).time();
    }

    /** There is no scene that could be cold. */
    @Override
    public boolean rehearses() {
        return false;
    }

    @Override
    public Scene open(Block block) {
        return Scene.EMPTY;
    }

    /**
     * Lets JMH measure one contestant in a JVM of its own.
     *
     * @throws JmhRun.NoFigures when it gave no figures
     * @throws InterruptedException when the race is over
     */
    @Override
    public BlockResult run(Block block, Cue cue) throws JmhRun.NoFigures, InterruptedException {
        cue.ready();
        return BlockResult.of(JmhRun.measure(block.entry(), threads, plan(block.effort()), JmhRun.JVM_OPTIONS));
    }

    private static JmhRun.Plan plan(Effort effort) {
        return effort == Effort.QUICK ? QUICK : FULL;
    }
}
