package dev.penstock.lab.probe;

import dev.penstock.lab.probe.IdleConnection.KillKind;
import dev.penstock.text.Durations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the idle times at which connections were alive or dead, and derives when idle connections are killed. In
 * seconds. For one thread at a time.
 */
final class IdleEvidence {
    /** A death is not an idle kill when another connection survived an idle time longer by this factor. */
    private static final double OUTLIVED = 1.3;

    /** Deaths at idle times within this factor have the same cause. */
    private static final double TOGETHER = 1.3;

    private static final double SAME = 1.1;

    private static final double ALL_AGES = 2;

    private static final int AGREEING = 2;

    /** A connection that closes sooner than this after a call was not kept alive at all. */
    private static final double AT_ONCE = 0.05;

    private record Death(double age, double at, KillKind kind, boolean notified) {}

    private final List<Double> alive = new ArrayList<>();
    private final List<Death> dead = new ArrayList<>();
    private double notNotified;
    private List<Death> kills = List.of();

    /** Records that a connection has been idle for this long without a notification that it is dead. */
    void notNotified(double age) {
        if (age > notNotified) {
            notNotified = age;
            kills = found();
        }
    }

    void lived(double age) {
        alive.add(age);
        kills = found();
    }

    void died(double age, double at, KillKind kind, boolean notified) {
        dead.add(new Death(age, at, kind, notified));
        kills = found();
    }

    /**
     * Whether connections of very different idle times ended at the same instant as this one: a common cause
     * closed all.
     */
    private boolean isOfMany(Death death) {
        return death.notified
                && dead.stream()
                        .filter(other -> other.notified && Math.abs(other.at - death.at) < AT_ONCE)
                        .anyMatch(other -> Math.max(other.age, death.age)
                                > ALL_AGES * Math.max(AT_ONCE, Math.min(other.age, death.age)));
    }

    /** Deaths that idling can have caused, shortest idle time first. */
    private List<Death> found() {
        if (dead.isEmpty()) {
            return List.of();
        }
        double longest = alive.stream().mapToDouble(age -> age).max().orElse(0);
        List<Death> late = dead.stream()
                .filter(death -> death.age * OUTLIVED >= (death.notified ? Math.max(longest, notNotified) : longest))
                .filter(death -> !isOfMany(death))
                .sorted(Comparator.comparingDouble(Death::age))
                .toList();
        if (!late.isEmpty() && isOneInstant(late) && late.getLast().age > SAME * late.getFirst().age) {
            return List.of(); // all were closed once, at the same instant, whatever their idle time
        }
        for (int i = 0; i + AGREEING <= late.size(); i++) {
            if (late.get(i + AGREEING - 1).age <= TOGETHER * late.get(i).age) {
                return late.subList(i, late.size());
            }
        }
        return List.of();
    }

    private static boolean isOneInstant(List<Death> deaths) {
        return deaths.stream().allMatch(death -> death.notified && Math.abs(death.at - deaths.getFirst().at) < AT_ONCE);
    }

    /** Whether kills happened at different times. */
    boolean isRepeated() {
        return !isOneInstant(kills);
    }

    int deaths() {
        return kills.size();
    }

    /** The shortest idle time of a kill; infinite without a kill. */
    double died() {
        return kills.isEmpty() ? Double.POSITIVE_INFINITY : kills.getFirst().age;
    }

    /** The longest survived idle time that is shorter than every kill; 0 when there is none. */
    double lived() {
        double died = died();
        return alive.stream()
                .mapToDouble(age -> age)
                .filter(age -> age < died)
                .max()
                .orElse(0);
    }

    /** The shortest idle time of a kill that no connection survived. */
    double allDied() {
        double longest = alive.stream().mapToDouble(age -> age).max().orElse(0);
        return kills.stream()
                .mapToDouble(Death::age)
                .filter(age -> age > longest)
                .findFirst()
                .orElse(died());
    }

    /** The most frequent kind of kill; null without a kill. */
    @Nullable
    KillKind kind() {
        Map<KillKind, Integer> votes = new EnumMap<>(KillKind.class);
        kills.forEach(kill -> votes.merge(kill.kind, 1, Integer::sum));
        return votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    /** Whether this side was notified (FIN or RST) of most kills. */
    boolean isNotified() {
        return !kills.isEmpty() && 2 * kills.stream().filter(Death::notified).count() > kills.size();
    }

    /** The estimated time after which idle connections are killed. */
    double guess() {
        if (isNotified()) {
            double[] ages = kills.stream()
                    .filter(Death::notified)
                    .mapToDouble(Death::age)
                    .sorted()
                    .toArray();
            return ages[ages.length / 2];
        }
        double lived = lived();
        double died = allDied();
        return lived > 0 ? Math.sqrt(lived * died) : died / 2;
    }

    String explain(int connections) {
        KillKind kind = kind();
        int strays = dead.size() - kills.size();
        String others = strays == 0
                ? ""
                : "; %d more ended sooner than others that survived, so not because they were idle".formatted(strays);
        if (kind == null) {
            return "%d idle connections survived, the longest for %s%s".formatted(connections, time(lived()), others);
        }
        if (isNotified() && guess() < AT_ONCE) {
            return "the peer closes each connection right after a call: no keep-alive" + others;
        }
        String how = switch (kind) {
            case FIN -> "was closed (FIN)";
            case RST -> "was reset (RST)";
            case SILENT -> "was dropped silently: requests get no answer";
        };
        String when = isNotified()
                ? "each of %d connections %s, the first after %s, the last after %s"
                        .formatted(kills.size(), how, time(kills.getFirst().age), time(kills.getLast().age))
                : "each connection idle for %s or more %s; all connections idle for up to %s survived"
                        .formatted(time(allDied()), how, time(lived()));
        return when + others;
    }

    private static String time(double seconds) {
        return Durations.format((long) (1e9 * seconds));
    }
}
