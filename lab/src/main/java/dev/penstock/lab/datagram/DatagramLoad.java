package dev.penstock.lab.datagram;

import dev.penstock.Durations;
import dev.penstock.Ticker;
import dev.penstock.lab.measure.ProcessProbe;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends numbered datagrams when they are due, whether or not earlier ones were answered, and takes the answers, all on one
 * platform thread. Describe it, then {@link #run}; the same load may run many times, one at a time. Not safe for many threads.
 *
 * <pre>{@code
 * DatagramResult result = DatagramLoad.of(Cadence.steady(100_000)).lasting(Duration.ofSeconds(10)).run(port);
 * }</pre>
 *
 * <p>It spins, and so keeps a core busy, unless the next datagram is not due for 2 ms or more: then it waits for answers.
 */
public final class DatagramLoad {
    /** How many go at once at most, by default. */
    public static final int DEFAULT_BATCH = 64;

    final Cadence cadence;
    Duration lasting = Duration.ofSeconds(1);
    Duration grace = Duration.ofSeconds(1);
    Duration catchUp = Duration.ofMillis(10);
    Ticker ticker = Ticker.SYSTEM;
    int batch = DEFAULT_BATCH;
    private Duration watchEvery = Duration.ofSeconds(1);
    private @Nullable Consumer<? super DatagramProgress> watcher;

    private DatagramLoad(Cadence cadence) {
        this.cadence = cadence;
    }

    /** A load of this cadence. */
    public static DatagramLoad of(Cadence cadence) {
        return new DatagramLoad(cadence);
    }

    /** For how long it sends; default 1 s. */
    public DatagramLoad lasting(Duration time) {
        lasting = positive("time a load lasts", time);
        return this;
    }

    /** How long it waits for answers once it sends no more; what has none then is lost. Default 1 s. */
    public DatagramLoad grace(Duration time) {
        grace = positive("grace", time);
        return this;
    }

    /** How far it catches up when it was held up; what is due for longer is shed. Default 10 ms. */
    public DatagramLoad catchUp(Duration time) {
        catchUp = positive("time it catches up", time);
        return this;
    }

    /** How many go at once at most, when so many are due: 1 or more, default 64. */
    public DatagramLoad batch(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("at least 1 datagram goes at once, not " + most);
        }
        batch = most;
        return this;
    }

    /** Its clock; default {@link Ticker#SYSTEM}. */
    public DatagramLoad ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** Tells someone every so often how far it has come, on the thread that called {@link #run}; default nobody. */
    public DatagramLoad watch(Duration every, Consumer<? super DatagramProgress> who) {
        watchEvery = positive("time between looks", every);
        watcher = who;
        return this;
    }

    private static Duration positive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("the " + what + " is above 0, not " + Durations.words(time));
        }
        return time;
    }

    /**
     * Runs it, and waits until it is over. What had come to the port before is thrown away.
     *
     * @param port what is sent through; best one that nothing was sent through before, since numbers begin at 0 each time
     * @return what was measured
     * @throws IOException the port does not work any more
     * @throws InterruptedException when the calling thread was interrupted; the load is over then too
     */
    public DatagramResult run(DatagramPort port) throws IOException, InterruptedException {
        try (ProcessProbe probe = ProcessProbe.start()) {
            DatagramRun run = new DatagramRun(this, port);
            Thread sender = Thread.ofPlatform().name("penstock-sender").daemon().start(run);
            try {
                while (!sender.join(watchEvery)) {
                    DatagramProgress progress = run.progress();
                    if (watcher != null && progress != null) {
                        watcher.accept(progress);
                    }
                }
            } finally {
                run.stop();
                joined(sender);
            }
            return run.result(probe.soFar());
        }
    }

    /** The port is its caller's again only when the thread is gone, which takes a moment at most. */
    private static void joined(Thread sender) {
        boolean interrupted = false;
        while (sender.isAlive()) {
            try {
                sender.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return cadence + " for " + Durations.words(lasting);
    }
}
