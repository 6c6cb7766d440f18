package dev.penstock.lab.load;

import dev.penstock.lab.measure.Outcome;
import java.util.concurrent.atomic.AtomicBoolean;

/** One transaction in an {@link Intake}, until its ending is reported. Thread-safe. */
final class Offer<R> implements Intake.Reply<R> {
    private final LoadRun<?, R> run;
    private final long number;
    private final long intended;
    private final long start;
    private final AtomicBoolean done = new AtomicBoolean();

    Offer(LoadRun<?, R> run, long number, long intended, long start) {
        this.run = run;
        this.number = number;
        this.intended = intended;
        this.start = start;
    }

    /** Hands the request over, on the calling thread. */
    <Q> void submit(Intake<Q, R> intake, Q request) {
        try {
            intake.take(request, this);
        } catch (Throwable e) {
            threw(e);
        }
    }

    @Override
    public void answered(R answer) {
        long end = run.now();
        if (done.compareAndSet(false, true)) {
            ended(run.judge(answer, number, intended), end);
        }
    }

    @Override
    public void threw(Throwable thrown) {
        long end = run.now();
        if (done.compareAndSet(false, true)) {
            ended(Outcome.of(thrown), end);
        }
    }

    private void ended(Outcome outcome, long end) {
        run.ended(outcome, number, intended, start, end);
        run.notInFlight();
    }
}
