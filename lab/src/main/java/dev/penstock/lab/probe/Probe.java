package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Measures a dependency within a budget. Describe it, then {@link #run}. Not safe for many threads.
 *
 * <pre>{@code
 * ProbeFindings findings = Probe.of(peer).budget(budget).seed(1).watch(System.err::println).run();
 * new ProbeSentences(findings).lines().forEach(System.out::println);
 * }</pre>
 */
public final class Probe {
    private final ProbePeer peer;
    private ProbeBudget budget = ProbeBudget.CAREFUL;
    private long seed = 1;
    private Ticker ticker = Ticker.SYSTEM;
    private Consumer<? super String> watcher = line -> {};

    private Probe(ProbePeer peer) {
        this.peer = peer;
    }

    /** A probe of a peer, which stays the caller's to close. */
    public static Probe of(ProbePeer peer) {
        return new Probe(peer);
    }

    /** What it may spend; default {@link ProbeBudget#CAREFUL}. */
    public Probe budget(ProbeBudget most) {
        budget = most;
        return this;
    }

    /** Where its chance begins; default 1. */
    public Probe seed(long value) {
        seed = value;
        return this;
    }

    /** Its clock; default {@link Ticker#SYSTEM}. */
    public Probe ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** Tells someone what it does next, in a few words; called by the thread that runs it. */
    public Probe watch(Consumer<? super String> who) {
        watcher = who;
        return this;
    }

    /**
     * Measures, and takes no longer than the budget says by more than the answers that are still to come.
     *
     * @throws IOException when the peer does not answer at all, in one line that says what to do
     */
    public ProbeFindings run() throws IOException, InterruptedException {
        watcher.accept("round trip");
        throw new IOException(peer.where() + " cannot be probed yet " + budget + seed + ticker);
    }
}
