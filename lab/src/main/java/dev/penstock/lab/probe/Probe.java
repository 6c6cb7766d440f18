package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Measures a dependency within a budget. Configure it, then {@link #run}. Not thread-safe.
 *
 * <pre>{@code
 * ProbeFindings findings = Probe.of(peer).budget(budget).seed(1).watch(System.err::println).run();
 * new ProbeSentences(findings).lines().forEach(System.out::println);
 * }</pre>
 *
 * <p>First it reads what the peer announces, and makes single calls; when too few are answered, it reports that and
 * stops. Then connections are left idle for the whole time, which costs nothing, while batches and then growing
 * concurrency are measured. A peer with few connections needs all of them for the highest concurrency; there they are
 * left idle afterwards.
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

    /** A probe of a peer. The caller closes the peer. */
    public static Probe of(ProbePeer peer) {
        return new Probe(peer);
    }

    /** The budget; default {@link ProbeBudget#CAREFUL}. */
    public Probe budget(ProbeBudget most) {
        budget = Objects.requireNonNull(most, "budget");
        return this;
    }

    /** The seed of random choices; default 1. */
    public Probe seed(long value) {
        seed = value;
        return this;
    }

    /** The clock; default {@link Ticker#SYSTEM}. */
    public Probe ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** Sets a listener for progress; called by the thread in {@link #run}. */
    public Probe watch(Consumer<? super String> who) {
        watcher = Objects.requireNonNull(who, "who");
        return this;
    }

    /**
     * Measures. Takes longer than the budget only by the answers still outstanding.
     *
     * @throws IOException when the target does not answer correctly; the message says what to do
     */
    public ProbeFindings run() throws IOException, InterruptedException {
        return new ProbeRun(peer, budget, seed, ticker, watcher).measured();
    }

    /** A share of the time of a probe, enough for some calls. */
    static Duration share(Duration whole, double share) {
        return Duration.ofNanos((long) Math.max(50e6, share * Durations.nanos(whole)));
    }
}
