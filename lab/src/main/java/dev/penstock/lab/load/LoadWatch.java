package dev.penstock.lab.load;

import dev.penstock.Durations;
import dev.penstock.lab.measure.ChildProbe;
import dev.penstock.lab.measure.LoadRecorder;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.ProcessProbe;
import dev.penstock.lab.measure.Progress;
import dev.penstock.lab.measure.Recorded;
import dev.penstock.lab.measure.TimeLineRecorder;
import java.time.Duration;
import java.util.List;

/**
 * What is looked at beside the transactions while a load runs: the process, other processes, the time line, and who wants
 * to know how far it is. For the thread that runs the load.
 */
final class LoadWatch implements AutoCloseable {
    private final Load<?> load;
    private final LoadRecorder recorder;
    private final List<ChildProbe> children;
    private final TimeLineRecorder timeLine;
    private final long tellEvery;
    private long startAt;
    private long tellAt;
    private long endedBefore;
    private ProcessProbe probe;

    /** Takes a while when it is the first one in this JVM. */
    LoadWatch(Load<?> load, LoadRecorder recorder) {
        this.load = load;
        this.recorder = recorder;
        this.children = load.processes.entrySet().stream()
                .map(process -> ChildProbe.start(process.getValue(), process.getKey()))
                .toList();
        this.timeLine = new TimeLineRecorder(recorder, Durations.nanos(load.warmUp), load.lastingNanos(), children);
        this.tellEvery = Durations.nanos(load.watchEvery);
        this.probe = ProcessProbe.start();
    }

    /** The load begins. */
    void begin(long now) {
        startAt = now;
        tellAt = now + tellEvery;
        timeLine.begin(now);
    }

    /** The reading of the clock at which to look next. */
    long nextAt() {
        long line = timeLine.nextAt();
        return load.watcher == null || line - tellAt < 0 ? line : tellAt;
    }

    /** Looks at what is to be looked at by now. */
    void look(long now, int inFlight) {
        if (now - timeLine.nextAt() >= 0) {
            timeLine.look(now, inFlight);
        }
        if (load.watcher != null && now - tellAt >= 0) {
            tellAt = now + tellEvery - (now - tellAt) % tellEvery;
            load.watcher.accept(
                    new Progress(Duration.ofNanos(now - startAt), load.lasting, inFlight, recorder.soFar()));
        }
    }

    /** Called at the end of the warm-up: what the processes used so far does not count. */
    void measureFromNow() {
        endedBefore = recorder.soFar().ended();
        children.forEach(ChildProbe::restart);
        probe.close();
        probe = ProcessProbe.start();
    }

    /** Ends the measurement. */
    LoadResult result(long now, int inFlight, int inFlightMax) {
        var used = probe.soFar().beside(children.stream().map(ChildProbe::soFar).toList());
        Recorded recorded = recorder.finish();
        LoadResult result = LoadResult.of(load.toString(), recorded, inFlightMax, recorded.ended() - endedBefore, used);
        return result.withTimeLine(timeLine.end(now, inFlight, load.steady()));
    }

    @Override
    public void close() {
        probe.close();
    }
}
