package dev.penstock.races.survive;

import dev.penstock.meter.Accounting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** What all systems share: an embedded flow, and a path that faults break. */
abstract class FlowUnderTest implements SystemUnderTest {
    private final EmbeddedFlow<?, ?> flow;
    private final BrokenPath path;

    FlowUnderTest(EmbeddedFlow<?, ?> flow, BrokenPath path) {
        this.flow = flow;
        this.path = path;
    }

    @Override
    public final String call(String id) throws Exception {
        return flow.call(id);
    }

    @Override
    public final void begin(Schedule.Step step) throws IOException {
        if (step.fault() == Fault.ERROR_IN_HOOK) {
            flow.hooks().breakOne(step);
        } else {
            path.begin(step);
        }
    }

    @Override
    public final void heal() throws IOException {
        flow.hooks().heal();
        path.heal();
    }

    @Override
    public final Accounting drain(Duration atMost) {
        return flow.drain(atMost);
    }

    @Override
    public final List<String> leaks() {
        return flow.leaks();
    }

    @Override
    public void close() {
        flow.close();
        path.close();
    }
}
