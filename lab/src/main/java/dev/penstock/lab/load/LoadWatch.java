package dev.penstock.lab.load;

import dev.penstock.lab.measure.ChildProbe;
import dev.penstock.lab.measure.LoadRecorder;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.ProcessProbe;
import dev.penstock.lab.measure.Progress;
import dev.penstock.lab.measure.Recorded;
import dev.penstock.lab.measure.TimeLineRecorder;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.List;

/**
 * Sampling while a load runs: this process, other processes, the time line, and progress reports. For the thread that
 * runs the load.
 */
final class LoadWatch implements AutoCloseable {
    private final Load<?> load;
    private final LoadRecorder recorder;
    private final List<ChildProbe> children;
    private final TimeLineRecorder timeLine;
    private final long progressEvery;
    private long startAt;
    private long progressAt;
    private long endedBefore;
    private ProcessProbe probe;

    /** Takes a while for the first one in a JVM. */
    LoadWatch(Load<?> load, LoadRecorder recorder) {
        this.load = load;
        this.recorder = recorder;
        this.children = load.processes.entrySet().stream()
                .map(process -> ChildProbe.start(process.getValue(), process.getKey()))
                .toList();
        this.timeLine = new TimeLineRecorder(recorder, Durations.nanos(load.warmUp), load.lastingNanos(), children);
        this.progressEvery = Durations.nanos(load.watchEvery);
        this.probe = ProcessProbe.start();
    }

    /** The load starts. */
    void begin(long now) {
        startAt = now;
        progressAt = now + progressEvery;
        timeLine.begin(now);
    }

    /** The time of the next sample. */
    long nextAt() {
        long line = timeLine.nextAt();
        return load.watcher == null || line - progressAt < 0 ? line : progressAt;
    }

    /** Takes the samples that are due. */
    void sample(long now, int inFlight) {
        if (now - timeLine.nextAt() >= 0) {
            timeLine.sample(now, inFlight);
        }
        if (load.watcher != null && now - progressAt >= 0) {
            progressAt = now + progressEvery - (now - progressAt) % progressEvery;
            load.watcher.accept(
                    new Progress(Duration.ofNanos(now - startAt), load.lasting, inFlight, recorder.soFar()));
        }
    }

    /** Ends the warm-up: discards what the processes used so far. */
    void measureFromNow() {
        endedBefore = recorder.soFar().ended();
        children.forEach(ChildProbe::restart);
        probe.close();
        probe = ProcessProbe.start();
    }

    /** Ends the measurement. */
    LoadResult result(long now, int inFlight, int inFlightMax, boolean steady) {
        var used = probe.soFar().beside(children.stream().map(ChildProbe::soFar).toList());
        Recorded recorded = recorder.finish(now);
        LoadResult result = LoadResult.of(load.toString(), recorded, inFlightMax, recorded.ended() - endedBefore, used);
        return result.withTimeLine(timeLine.end(now, inFlight, steady && load.steady()));
    }

    @Override
    public void close() {
        probe.close();
    }
}
