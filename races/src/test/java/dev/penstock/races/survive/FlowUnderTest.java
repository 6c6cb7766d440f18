package dev.penstock.races.survive;

import dev.penstock.Accounting;
import dev.penstock.races.survive.PeerOnPath.BrokenPath;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The common part of all embedded flows: the flow, the peer, and the path between them. Faults can affect all three.
 */
abstract class FlowUnderTest implements SystemUnderTest {
    private final EmbeddedFlow<?, ?> flow;
    private final PeerOnPath peer;

    FlowUnderTest(EmbeddedFlow<?, ?> flow, BrokenPath path, PeerPool.LeasedPeer<?> peer) {
        this.flow = flow;
        this.peer = new PeerOnPath(path, peer);
    }

    @Override
    public final String call(String id) throws Exception {
        return flow.call(id);
    }

    @Override
    public final void begin(FaultPlan.Step step) throws IOException {
        if (step.fault() == Fault.ERROR_IN_HOOK) {
            flow.hooks().breakOne(step);
        } else {
            peer.begin(step);
        }
    }

    @Override
    public final void heal() throws IOException {
        flow.hooks().heal();
        peer.heal();
    }

    @Override
    public final Accounting drain(Duration atMost) {
        return flow.drain(atMost);
    }

    @Override
    public final List<String> leaks() {
        return flow.leaks();
    }

    /** Closes everything that can still send to the peer. */
    final void closeFlow() {
        flow.close();
        peer.path().close();
    }

    @Override
    public final void close() {
        flow.close();
        peer.close();
    }
}
