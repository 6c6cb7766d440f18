package dev.penstock.lab.probe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the idle time after which connections are killed: ages to let connections lie come out, what became of them goes in. It
 * opens nothing and has no clock.
 *
 * <p>A connection can be tried once, for traffic begins its idle time anew. So many lie at the same time, three to an age, the ages
 * spread evenly in ratios up to the time that there is. Whoever is through begins again, in the middle of the widest gap that
 * is still in question: below the shortest age that died, above the longest that lived. A FIN or RST comes by itself and tells the
 * time; only what is silent has to be closed in on, and that takes a few: those that lie longer than the youngest that died tell nothing
 * any more, and to use them all, or open them all anew, would load the peer while others measure it.
 *
 * <p>Connections die for other reasons too. What others outlived by far was no idle kill, and a single death is none.
 *
 * <p>For one thread at a time. All times are in seconds.
 */
final class IdleSearch {
    /** A connection that lies idle. By identity. */
    static final class Trial {
        private final double age;
        private final double began;

        private Trial(double age, double began) {
            this.age = age;
            this.began = began;
        }

        /** For how long it is to lie. */
        double age() {
            return age;
        }

        /** Since when. */
        double began() {
            return began;
        }
    }

    private static final int TOGETHER = 3;
    private static final int CLOSING_IN = 4 * TOGETHER;
    private static final double CLOSE = 1.06;
    private static final double SHORTEST_SHARE = 1 / 400.0;
    private static final double SHORTEST = 0.05;

    private final double whole;
    private final double patience;
    private final IdleEvidence evidence = new IdleEvidence();
    private final Set<Trial> lying = new HashSet<>();
    private final List<Double> first = new ArrayList<>();
    private double seatAge;
    private double seatUntil;
    private int seats;
    private int opened;
    private boolean over;

    private IdleSearch(double whole, double patience) {
        this.whole = whole;
        this.patience = patience;
    }

    /**
     * A search.
     *
     * @param whole seconds that it may take
     * @param patience seconds that it may take to see whether a connection works
     * @param connections how many lie at once; 1 or more
     */
    static IdleSearch within(double whole, double patience, int connections) {
        IdleSearch search = new IdleSearch(whole, patience);
        double longest = whole - 1.2 * patience;
        double shortest = Math.max(SHORTEST, SHORTEST_SHARE * whole);
        int ages = Math.max(1, connections / TOGETHER);
        for (int i = ages - 1; i >= 0 && longest > shortest; i--) {
            search.first.add(ages == 1 ? longest : shortest * Math.pow(longest / shortest, i / (double) (ages - 1)));
        }
        return search;
    }

    /**
     * An age for a connection that was used just now.
     *
     * @return empty when there is no time for any that would tell something
     */
    Optional<Trial> begin(double now) {
        if (!hasRoom(now)) {
            return Optional.empty();
        }
        if (seats == 0 || now > seatUntil) {
            Double age = next(now);
            if (age == null) {
                return Optional.empty();
            }
            seatAge = age;
            seats = TOGETHER;
            seatUntil = now + Math.max(0.02 * age, 0.05);
        }
        seats--;
        Trial trial = new Trial(seatAge, now);
        lying.add(trial);
        return Optional.of(trial);
    }

    private @Nullable Double next(double now) {
        double left = whole - now - 1.2 * patience;
        if (!first.isEmpty() && left > 0 && evidence.deaths() == 0) {
            return Math.min(left, first.removeFirst());
        }
        double from = Math.max(evidence.lived(), SHORTEST);
        double to = Math.min(evidence.died(), left);
        TreeSet<Double> edges = new TreeSet<>();
        edges.add(from);
        edges.add(to);
        lying.stream().map(Trial::age).filter(age -> age > from && age < to).forEach(edges::add);
        double widest = Math.sqrt(CLOSE);
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
        return evidence.isTold() ? Math.min(left, 1.3 * evidence.died()) : Double.valueOf(Math.sqrt(from * to));
    }

    /** Whether there is still something to learn from letting it lie; where all is silent, there is below the youngest dead only. */
    boolean isWanted(Trial trial, double now) {
        return !isOver(now) && (evidence.isTold() || trial.age < evidence.died());
    }

    /** Whether one more is to lie. */
    boolean hasRoom(double now) {
        return !isOver(now) && lying.size() < most();
    }

    /** Whether it is one too many, and is to be closed unused. */
    boolean isTooMany(Trial trial, double now) {
        return isOver(now) || (!isWanted(trial, now) && lying.size() > most());
    }

    private int most() {
        return evidence.deaths() == 0 || evidence.isTold() ? Integer.MAX_VALUE : CLOSING_IN;
    }

    /** A connection was opened. */
    void opened() {
        opened++;
    }

    /** It was used, and worked. */
    void lived(Trial trial, double now) {
        if (lying.remove(trial)) {
            evidence.lived(now - trial.began);
        }
    }

    /**
     * It is dead.
     *
     * @param told whether this side was told while it lay, so that {@code now} is when it happened
     */
    void died(Trial trial, double now, KillKind kind, boolean told) {
        if (lying.remove(trial)) {
            evidence.died(now - trial.began, now, kind, told);
        }
    }

    /** Nobody will say what became of it; nothing when that was said. */
    void gaveUp(Trial trial) {
        lying.remove(trial);
    }

    private double oldest(double now) {
        return lying.stream().mapToDouble(trial -> now - trial.began).max().orElse(0);
    }

    /** Whether it knows enough, or the time is up. */
    boolean isOver(double now) {
        over = over || now >= whole || knowsEnough(now);
        return over;
    }

    private boolean knowsEnough(double now) {
        evidence.notTold(oldest(now));
        double died = evidence.died();
        if (!evidence.isTold()) {
            return died <= CLOSE * evidence.lived();
        }
        // Whoever lies longer than that may still show that it was chance.
        return evidence.deaths() >= TOGETHER && evidence.isRepeated() && oldest(now) <= died;
    }

    /** What is known by now. */
    IdleFinding finding() {
        double lived = evidence.lived();
        KillKind kind = evidence.kind();
        if (kind == null) {
            return new IdleFinding(null, time(lived), null, null, opened, evidence.words(opened));
        }
        return new IdleFinding(
                kind, time(lived), time(evidence.allDied()), time(evidence.guess()), opened, evidence.words(opened));
    }

    private static Duration time(double seconds) {
        return Duration.ofNanos((long) (1e9 * seconds));
    }
}
