package dev.penstock.races.survive;

import java.io.IOException;

/**
 * A peer and the way to it, and the faults of both. For one thread at a time.
 *
 * @param path the way
 * @param peer the peer
 */
record PeerOnPath(BrokenPath path, PeerPool.LeasedPeer<?> peer) implements AutoCloseable {
    /** Begins a fault. */
    void begin(FaultPlan.Step step) throws IOException {
        switch (step.fault()) {
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

    /** Ends the fault that was begun last. */
    void heal() throws IOException {
        peer.heal();
        path.heal();
    }

    @Override
    public void close() {
        path.close();
        peer.close();
    }
}
