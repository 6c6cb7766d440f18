package dev.penstock.supervise;

import dev.penstock.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps long-lived work running. A thread or a periodic task that throws anything, an {@link Error} included, is logged with
 * its cause, counted, and run again.
 *
 * <pre>{@code
 * Part part = Supervisor.current().part("udp reader", "udp 127.0.0.1:9000");
 * Thread thread = part.start(Thread.ofPlatform().daemon().name("penstock-udp"), this::readUntilClosed);
 * ...
 * part.close();
 * }</pre>
 *
 * <p>A gateway has one supervisor, which {@link #whileCurrent} makes the current one while its parts are built. So its
 * readiness depends on no part of another gateway in the same process. Whatever is embedded without a gateway shares
 * one of the process.
 *
 * <p>Safe for many threads.
 */
public final class Supervisor {
    /** The pause after the first failure: 100 ms. */
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    /** The longest pause after a failure: 10 s. */
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** How long the failures of a part are remembered: 1 min. */
    static final Duration MEMORY = Duration.ofMinutes(1);

    /** A part with this many failures within {@link #MEMORY} is reported as down, although it runs again each time. */
    static final int TOO_OFTEN = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final Supervisor OF_PROCESS = new Supervisor(Ticker.SYSTEM);
    private static final ScopedValue<Supervisor> CURRENT = ScopedValue.newInstance();

    private final Ticker ticker;
    /** Kept when a part is closed: a counter never goes back. */
    private final Map<String, AtomicLong> faults = new ConcurrentHashMap<>();

    /** Parts that failed and are not closed. A part that never failed is not referenced, so it can be collected. */
    private final Set<Part> failing = ConcurrentHashMap.newKeySet();

    Supervisor(Ticker ticker) {
        this.ticker = ticker;
    }

    /** A supervisor without parts. */
    public static Supervisor create() {
        return new Supervisor(Ticker.SYSTEM);
    }

    /**
     * The supervisor of what this thread builds now. Read it in a constructor and keep it: threads that are started later do
     * not inherit it.
     */
    public static Supervisor current() {
        return CURRENT.orElse(OF_PROCESS);
    }

    /** Runs work on this thread; {@link #current} returns this supervisor meanwhile. */
    public <T, X extends Throwable> T whileCurrent(ScopedValue.CallableOp<T, X> work) throws X {
        return ScopedValue.where(CURRENT, this).call(work);
    }

    /**
     * Adds a part, which is watched until it is closed or its work returns.
     *
     * @param name the kind of part, the same for all parts of that kind: the label {@code part} of {@code
     *     penstock_faults_total}
     * @param where which one of its kind, for the log and for readiness
     */
    public Part part(String name, String where) {
        return new Part(this, name, where, faults.computeIfAbsent(name, all -> new AtomicLong()));
    }

    /** The number of failures so far, by the name of the part; 0 for a part that never failed. */
    public Map<String, Long> faults() {
        Map<String, Long> counts = new TreeMap<>();
        faults.forEach((name, count) -> counts.put(name, count.get()));
        return counts;
    }

    /** One line for each part that does not run now, or that failed too often. Empty when all parts run. */
    public List<String> down() {
        return failing.stream()
                .map(Part::down)
                .flatMap(Optional::stream)
                .sorted()
                .toList();
    }

    Ticker ticker() {
        return ticker;
    }

    void add(Part part) {
        failing.add(part);
    }

    void remove(Part part) {
        failing.remove(part);
    }

    static Logger log() {
        return LOG;
    }
}
