package dev.penstock.lab.datagram;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.ProcessProbe;
import dev.penstock.lab.measure.Validity;
import dev.penstock.supervise.Part;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An open-model load of numbered datagrams: sends them when they are due, whether or not earlier ones were answered,
 * and receives the answers, all on one platform thread. Configure it, then {@link #run}. The same load may run many
 * times, one at a time. Not thread-safe.
 *
 * <pre>{@code
 * DatagramResult result = DatagramLoad.of(Cadence.steady(100_000)).lasting(Duration.ofSeconds(10)).run(port);
 * }</pre>
 *
 * <p>The thread spins and uses a whole core, unless the next datagram is due in 2 ms or more: then it waits
 * for answers.
 */
public final class DatagramLoad {
    /** The default of {@link #batch}. */
    public static final int DEFAULT_BATCH = 64;

    final Cadence cadence;
    Duration lasting = Duration.ofSeconds(1);
    Duration grace = Duration.ofSeconds(1);
    Duration catchUp = Duration.ofMillis(10);
    Ticker ticker = Ticker.SYSTEM;
    int batch = DEFAULT_BATCH;
    private Duration watchEvery = Duration.ofSeconds(1);
    private @Nullable Consumer<? super DatagramProgress> watcher;
    private boolean stoppable;

    private DatagramLoad(Cadence cadence) {
        this.cadence = cadence;
    }

    /** A load of this cadence. */
    public static DatagramLoad of(Cadence cadence) {
        return new DatagramLoad(cadence);
    }

    /** How long it sends; default 1 s. */
    public DatagramLoad lasting(Duration time) {
        lasting = Ranges.positive("the duration of a load", time);
        return this;
    }

    /** How long it waits for answers after the last datagram; unanswered ones then are lost. Default 1 s. */
    public DatagramLoad grace(Duration time) {
        grace = Ranges.positive("the grace", time);
        return this;
    }

    /** How far the sender may fall behind and still catch up; datagrams overdue for longer are shed. Default 10 ms. */
    public DatagramLoad catchUp(Duration time) {
        catchUp = Ranges.positive("the catch-up time", time);
        return this;
    }

    /** The maximum number of datagrams per send call: 1 or more, default 64. */
    public DatagramLoad batch(int most) {
        batch = Ranges.within("the datagrams of a batch", most, 1, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Lets an interrupt of the thread that called {@link #run} end the load early, with what was measured until then as its
     * result, which is invalid and says so. Default: an interrupt is an {@link InterruptedException}.
     */
    public DatagramLoad stoppable() {
        stoppable = true;
        return this;
    }

    /** The clock; default {@link Ticker#SYSTEM}. */
    public DatagramLoad ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** Reports progress periodically, on the thread that called {@link #run}; default none. */
    public DatagramLoad watch(Duration every, Consumer<? super DatagramProgress> who) {
        watchEvery = Ranges.positive("the progress interval", every);
        watcher = who;
        return this;
    }

    /**
     * Runs the load and waits for its end. Answers that arrived at the port before are discarded.
     *
     * @param port the port to send through; preferably unused, because numbers start at 0 each time
     * @return the measurements
     * @throws IOException when the port fails
     * @throws InterruptedException when the calling thread is interrupted, unless the load is {@link #stoppable}; the
     *     load ends
     */
    public DatagramResult run(DatagramPort port) throws IOException, InterruptedException {
        try (ProcessProbe probe = ProcessProbe.start()) {
            DatagramRun run = new DatagramRun(this, port);
            boolean early = false;
            Thread sender = Thread.ofPlatform().name("penstock-sender").daemon().start(run);
            try {
                while (!sender.join(watchEvery)) {
                    DatagramProgress progress = run.progress();
                    if (watcher != null && progress != null) {
                        watcher.accept(progress);
                    }
                }
            } catch (InterruptedException e) {
                if (!stoppable) {
                    throw e;
                }
                early = true;
                run.sendNoMore();
                sender.join();
            } finally {
                run.stop();
                Part.join(sender); // the caller may use the port only now
            }
            DatagramResult result = run.result(probe.soFar());
            return early ? result.withValidity(partly(result)) : result;
        }
    }

    private Validity partly(DatagramResult result) {
        return new Validity("it was stopped after %.1f s of %s, so the figures are those of a shorter load"
                .formatted(result.load().windowSeconds(), Durations.format(lasting)));
    }

    @Override
    public String toString() {
        return cadence + " for " + Durations.format(lasting);
    }
}
