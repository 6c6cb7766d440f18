package dev.penstock.races.survive;

import java.io.IOException;

/**
 * A peer and the network path to it, with the faults of both. Not thread-safe.
 *
 * @param path the path
 * @param peer the peer
 */
record PeerOnPath(BrokenPath path, PeerPool.LeasedPeer<?> peer) implements AutoCloseable {
    /** Begins a fault. */
    void begin(FaultPlan.Step step) throws IOException {
        switch (step.fault()) {
            case KILLED -> {
                if (step.draw() % 2 == 0) {
                    path.refuse(); // otherwise it accepts connections, as a proxy in front of a dead server does
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

    /** The network path between a target and its peer. Faults are injected here. */
    interface BrokenPath extends AutoCloseable {
        /** Begins a fault. */
        void begin(FaultPlan.Step step) throws IOException;

        /** Stops listening until {@link #heal} is called. */
        void refuse() throws IOException;

        /** Ends the fault that was begun last. Does nothing if there is none. */
        void heal() throws IOException;

        @Override
        void close();
    }
}
