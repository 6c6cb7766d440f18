package dev.penstock.races.survive;

import dev.penstock.meter.Accounting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** What all systems share: an embedded flow, the peer, and a path between them; faults break all three. */
abstract class FlowUnderTest implements SystemUnderTest {
    private final EmbeddedFlow<?, ?> flow;
    private final BrokenPath path;
    private final PeerPool.LeasedPeer<?> peer;

    FlowUnderTest(EmbeddedFlow<?, ?> flow, BrokenPath path, PeerPool.LeasedPeer<?> peer) {
        this.flow = flow;
        this.path = path;
        this.peer = peer;
    }

    @Override
    public final String call(String id) throws Exception {
        return flow.call(id);
    }

    @Override
    public final void begin(Schedule.Step step) throws IOException {
        switch (step.fault()) {
            case ERROR_IN_HOOK -> flow.hooks().breakOne(step);
            case KILLED -> {
                if (step.draw() % 2 == 0) {
                    path.refuse(); // else it still accepts connections, as a proxy before a dead server does
                }
                peer.kill();
            }
            case STOPPED -> peer.suspend();
            default -> path.begin(step);
        }
    }

    @Override
    public final void heal() throws IOException {
        flow.hooks().heal();
        peer.heal();
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

    /** Ends all that still sends to the peer. */
    final void closeFlow() {
        flow.close();
        path.close();
    }

    @Override
    public final void close() {
        closeFlow();
        peer.close();
    }
}
