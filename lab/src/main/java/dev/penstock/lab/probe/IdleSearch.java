package dev.penstock.lab.probe;

import dev.penstock.lab.probe.IdleConnection.KillKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Searches for the idle time after which connections are killed. Input: which connections survived; output: how long to
 * leave the next ones idle. Opens no connections and has no clock.
 *
 * <p>A connection can be tested once, because traffic resets its idle time. So many connections are idle in parallel,
 * three per idle time, with the idle times spread geometrically over the available time. After a test, a connection
 * starts again in the middle of the widest interval still in question: between the longest survived and the shortest
 * fatal idle time. A FIN or RST notifies this side, which gives the exact time; only silent kills need bisection, and
 * that takes few connections. Connections idle for longer than the shortest fatal time give no more information; using
 * or reopening all of them would load the target during other measurements.
 *
 * <p>Connections also die for other reasons. A death at an idle time that others survived by far is not an idle kill,
 * and neither is a single death.
 *
 * <p>Thread-safe. All times are in seconds.
 */
final class IdleSearch {
    /**
     * An idle connection under test. Compared by identity.
     *
     * @param age the idle time to test
     * @param began when its idle time started
     */
    record Trial(double age, double began) {}

    private static final int SAMPLES_PER_STEP = 3;
    private static final int BISECTING = 4 * SAMPLES_PER_STEP;
    private static final double TOLERANCE = 1.06;
    private static final double SHORTEST_SHARE = 1 / 400.0;
    private static final double SHORTEST = 0.05;

    private final double budget;
    private final double timeout;
    private final IdleEvidence evidence = new IdleEvidence();
    private final Set<Trial> idle = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Double> first = new ArrayList<>();
    private double currentAge;
    private double currentUntil;
    private int currentLeft;
    private int opened;
    private boolean over;

    private IdleSearch(double budget, double timeout) {
        this.budget = budget;
        this.timeout = timeout;
    }

    /**
     * A search.
     *
     * @param budget seconds available
     * @param timeout maximum seconds to find out whether a connection works
     * @param connections number of connections idle in parallel; 1 or more
     */
    static IdleSearch within(double budget, double timeout, int connections) {
        IdleSearch search = new IdleSearch(budget, timeout);
        double longest = budget - 1.2 * timeout;
        double shortest = Math.max(SHORTEST, SHORTEST_SHARE * budget);
        int ages = Math.max(1, connections / SAMPLES_PER_STEP);
        for (int i = ages - 1; i >= 0 && longest > shortest; i--) {
            search.first.add(ages == 1 ? longest : shortest * Math.pow(longest / shortest, i / (double) (ages - 1)));
        }
        return search;
    }

    /**
     * Chooses the idle time of a connection that was used just now.
     *
     * @return empty when no idle time that fits in the remaining time gives information
     */
    synchronized Optional<Trial> begin(double now) {
        if (!hasCapacity(now)) {
            return Optional.empty();
        }
        if (currentLeft == 0 || now > currentUntil) {
            Double age = next(now);
            if (age == null) {
                return Optional.empty();
            }
            currentAge = age;
            currentLeft = SAMPLES_PER_STEP;
            currentUntil = now + Math.max(0.02 * age, 0.05);
        }
        currentLeft--;
        Trial trial = new Trial(currentAge, now);
        idle.add(trial);
        return Optional.of(trial);
    }

    private @Nullable Double next(double now) {
        double left = budget - now - 1.2 * timeout;
        if (!first.isEmpty() && left > 0 && evidence.deaths() == 0) {
            return Math.min(left, first.removeFirst());
        }
        double from = Math.max(evidence.lived(), SHORTEST);
        double to = Math.min(evidence.died(), left);
        TreeSet<Double> edges = new TreeSet<>();
        edges.add(from);
        edges.add(to);
        idle.stream().map(Trial::age).filter(age -> age > from && age < to).forEach(edges::add);
        double widest = Math.sqrt(TOLERANCE);
        Double middle = null;
        double before = from;
        for (double edge : edges) {
            if (edge / before > widest) {
                widest = edge / before;
                middle = Math.sqrt(edge * before);
            }
            before = edge;
        }
        if (middle != null || to <= from) {
            return middle;
        }
        return evidence.isNotified() ? Math.min(left, 1.3 * evidence.died()) : Double.valueOf(Math.sqrt(from * to));
    }

    /**
     * Whether leaving the connection idle still gives information. When kills are silent, only idle times below the
     * shortest fatal one do.
     */
    synchronized boolean isWanted(Trial trial, double now) {
        return !isOver(now) && (evidence.isNotified() || trial.age < evidence.died());
    }

    /** Whether one more connection can be tested. */
    synchronized boolean hasCapacity(double now) {
        return !isOver(now) && idle.size() < maxIdle();
    }

    /** Whether the connection is superfluous, so that it can be closed without use. */
    synchronized boolean isSuperfluous(Trial trial, double now) {
        return isOver(now) || (!isWanted(trial, now) && idle.size() > maxIdle());
    }

    private int maxIdle() {
        return evidence.deaths() == 0 || evidence.isNotified() ? Integer.MAX_VALUE : BISECTING;
    }

    /** Records an opened connection. */
    synchronized void opened() {
        opened++;
    }

    /** Whether a connection was opened. */
    synchronized boolean hasOpened() {
        return opened > 0;
    }

    /** Records that the connection was used and worked. */
    synchronized void lived(Trial trial, double now) {
        if (idle.remove(trial)) {
            evidence.lived(now - trial.began);
        }
    }

    /**
     * Records that the connection is dead.
     *
     * @param notified whether this side received a FIN or RST while idle, so that {@code now} is the time of death
     */
    synchronized void died(Trial trial, double now, KillKind kind, boolean notified) {
        if (idle.remove(trial)) {
            evidence.died(now - trial.began, now, kind, notified);
        }
    }

    /** Records that the connection's state will stay unknown; no effect when it is already recorded. */
    synchronized void abandoned(Trial trial) {
        idle.remove(trial);
    }

    private double oldest(double now) {
        return idle.stream().mapToDouble(trial -> now - trial.began).max().orElse(0);
    }

    /** Whether the result is precise enough, or the time is up. */
    synchronized boolean isOver(double now) {
        over = over || now >= budget || isPreciseEnough(now);
        return over;
    }

    private boolean isPreciseEnough(double now) {
        evidence.notNotified(oldest(now));
        double died = evidence.died();
        if (!evidence.isNotified()) {
            return died <= TOLERANCE * evidence.lived();
        }
        // A connection idle for longer may still show that these deaths were coincidence.
        return evidence.deaths() >= SAMPLES_PER_STEP && evidence.isRepeated() && oldest(now) <= died;
    }

    /** The result so far. */
    synchronized IdleFinding finding() {
        double lived = evidence.lived();
        KillKind kind = evidence.kind();
        if (kind == null) {
            return new IdleFinding(null, time(lived), null, null, opened, evidence.explain(opened));
        }
        return new IdleFinding(
                kind, time(lived), time(evidence.allDied()), time(evidence.guess()), opened, evidence.explain(opened));
    }

    private static Duration time(double seconds) {
        return Duration.ofNanos((long) (1e9 * seconds));
    }
}
