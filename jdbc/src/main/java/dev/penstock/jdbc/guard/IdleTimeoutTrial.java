package dev.penstock.jdbc.guard;

import dev.penstock.jdbc.guard.PhysicalConnection.Ping;
import org.jspecify.annotations.Nullable;

/**
 * Tests the suspicion that the path ends idle connections: with an extra connection, which nobody uses until it is old enough to
 * decide. Repeats the test now and then once the idle timeout is known. Thread-safe.
 */
final class IdleTimeoutTrial {
    /** How often a learned idle timeout is tested again, in nanoseconds. */
    private static final long RETEST = 600_000_000_000L;

    private final HouseKeeper houseKeeper;
    private final ConnectionOpener connectionOpener;
    private final IdleTimeoutEstimator idleTimeout;
    private volatile boolean testing;
    private volatile boolean stopped;
    private volatile long nextTest;

    /** For one task at a time. */
    private volatile @Nullable PhysicalConnection extra;

    IdleTimeoutTrial(HouseKeeper houseKeeper, ConnectionOpener connectionOpener, IdleTimeoutEstimator idleTimeout) {
        this.houseKeeper = houseKeeper;
        this.connectionOpener = connectionOpener;
        this.idleTimeout = idleTimeout;
        this.nextTest = houseKeeper.now() + RETEST;
    }

    /** Whether {@link #run} may be called now: no other does. For the thread of {@link HouseKeeper}. */
    boolean begin() {
        if (testing) {
            return false;
        }
        testing = true;
        return true;
    }

    /** Opens the extra connection when there is something to decide, and decides when it is old enough. */
    void run() {
        try {
            long now = houseKeeper.now();
            long testAt = idleTimeout.testAt();
            boolean wanted =
                    idleTimeout.isSuspected() || (testAt != IdleTimeoutEstimator.UNKNOWN && now - nextTest >= 0);
            PhysicalConnection test = extra;
            if (test == null && wanted && !connectionOpener.isFailing()) {
                extra = connectionOpener.openAndWait();
            } else if (test != null && !wanted) {
                test.close();
                extra = null;
            } else if (test != null && now - test.answeredAt() >= testAt) {
                extra = null;
                decide(test);
                nextTest = houseKeeper.now() + RETEST;
            }
        } finally {
            testing = false;
            if (stopped) {
                close();
            }
        }
    }

    private void decide(PhysicalConnection test) {
        Ping ping = houseKeeper.ping(test);
        if (ping != null && !ping.isAnswered(HouseKeeper.LATE)) {
            boolean witnessed = houseKeeper.hasWitness(test);
            houseKeeper.learn(known -> known.testDied(ping.idle, witnessed));
        }
        test.close();
    }

    void stop() {
        stopped = true;
        close();
    }

    private void close() {
        PhysicalConnection test = extra;
        if (test != null) {
            test.close();
        }
    }
}
