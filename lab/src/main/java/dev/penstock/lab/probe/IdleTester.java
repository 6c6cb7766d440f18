package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Leaves connections idle for the times chosen by an {@link IdleSearch}, then uses them, and reports to the search what
 * became of them. Thread-safe: each connection has its own thread.
 */
final class IdleTester {
    /** How often to check whether a connection is still to be idle. */
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(250);

    private static final Duration PAUSE = Duration.ofMillis(200);

    /** For one thread at a time: each use holds its monitor. */
    private final IdleSearch search;

    private final IdleCalls calls;
    private final Duration timeout;
    private final Ticker ticker;
    private final long start;
    private volatile boolean stopped;

    /**
     * Starts the time of the search.
     *
     * @param timeout maximum wait for an answer before a connection counts as silently dropped
     */
    IdleTester(IdleSearch search, IdleCalls calls, Duration timeout, Ticker ticker) {
        this.search = search;
        this.calls = calls;
        this.timeout = timeout;
        this.ticker = ticker;
        this.start = ticker.nanos();
    }

    private double now() {
        return (ticker.nanos() - start) / 1e9;
    }

    /**
     * Tests a connection, and others in its place, until no test gives information.
     *
     * @param first just used; closed by this method
     */
    void test(IdleConnection first) throws IOException, InterruptedException {
        IdleConnection connection = first;
        try {
            while (!stopped) {
                if (connection == null && hasCapacity()) {
                    connection = opened();
                }
                if (connection == null) {
                    return;
                }
                Optional<IdleSearch.Trial> trial = begin();
                if (trial.isEmpty()) {
                    return;
                }
                if (!survives(connection, trial.get())) {
                    connection.close();
                    connection = null;
                }
            }
        } finally {
            if (connection != null) {
                connection.close();
            }
        }
    }

    /** Opens a connection. */
    IdleConnection opened() throws IOException, InterruptedException {
        IdleConnection connection = calls.open();
        synchronized (search) {
            search.opened();
        }
        return connection;
    }

    private boolean hasCapacity() {
        synchronized (search) {
            return search.hasCapacity(now());
        }
    }

    private Optional<IdleSearch.Trial> begin() {
        synchronized (search) {
            return search.begin(now());
        }
    }

    private boolean survives(IdleConnection connection, IdleSearch.Trial trial) throws InterruptedException {
        try {
            return staysAlive(connection, trial);
        } finally {
            synchronized (search) {
                search.abandoned(trial);
            }
        }
    }

    private boolean staysAlive(IdleConnection connection, IdleSearch.Trial trial) throws InterruptedException {
        while (isWanted(trial)) {
            double left = trial.began() + trial.age() - now();
            if (left <= 0) {
                break;
            }
            KillKind kind = connection.ended(shorter(CHECK_INTERVAL, Duration.ofNanos((long) (1e9 * left))));
            if (kind != null) {
                died(trial, kind, true);
                ticker.parkUntil(
                        ticker.nanos() + PAUSE.toNanos()); // limits reconnections to a peer that closes at once
                return false;
            }
        }
        if (stopped || isSuperfluous(trial)) {
            return false;
        }
        IdleCalls.Check check = calls.check(connection, timeout);
        KillKind kind = check.kind();
        if (kind == KillKind.SILENT && !calls.isAnsweredElsewhere(check.at(), timeout)) {
            return false;
        }
        double used = (check.at() - start) / 1e9;
        synchronized (search) {
            if (kind == null) {
                search.lived(trial, used);
            } else {
                search.died(trial, used, kind, false);
            }
        }
        return kind == null;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private boolean isWanted(IdleSearch.Trial trial) {
        synchronized (search) {
            return !stopped && search.isWanted(trial, now());
        }
    }

    private boolean isSuperfluous(IdleSearch.Trial trial) {
        synchronized (search) {
            return search.isSuperfluous(trial, now());
        }
    }

    private void died(IdleSearch.Trial trial, KillKind kind, boolean notified) {
        synchronized (search) {
            search.died(trial, now(), kind, notified);
        }
    }

    /** Whether a connection was opened. */
    boolean hasOpened() {
        synchronized (search) {
            return search.hasOpened();
        }
    }

    /** The result so far. */
    IdleFinding finding() {
        synchronized (search) {
            return search.finding();
        }
    }

    /** No connection is opened or used any more. */
    void stop() {
        stopped = true;
    }
}
