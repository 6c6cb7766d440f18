package dev.penstock.lab.probe;

import dev.penstock.Durations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** At what idle ages connections were seen alive and dead, and what follows. In seconds. For one thread at a time. */
final class IdleEvidence {
    /** What others outlived by this factor was no idle kill. */
    private static final double OUTLIVED = 1.3;

    /** Deaths at ages that differ by less are of one cause. */
    private static final double TOGETHER = 1.3;

    private static final double SAME = 1.1;

    private static final double ALL_AGES = 2;

    private static final int AGREEING = 2;

    /** A connection that ends sooner after a call was not kept at all. */
    private static final double AT_ONCE = 0.05;

    private record Death(double age, double at, KillKind kind, boolean told) {}

    private final List<Double> alive = new ArrayList<>();
    private final List<Death> dead = new ArrayList<>();
    private double notTold;
    private List<Death> kills = List.of();

    /** So long one lies already without being told that it is dead. */
    void notTold(double age) {
        if (age > notTold) {
            notTold = age;
            kills = found();
        }
    }

    void lived(double age) {
        alive.add(age);
        kills = found();
    }

    void died(double age, double at, KillKind kind, boolean told) {
        dead.add(new Death(age, at, kind, told));
        kills = found();
    }

    /** Whether connections of very different idle ages ended at one instant with it: somebody closed all. */
    private boolean isOfMany(Death death) {
        return death.told
                && dead.stream()
                        .filter(other -> other.told && Math.abs(other.at - death.at) < AT_ONCE)
                        .anyMatch(other -> Math.max(other.age, death.age)
                                > ALL_AGES * Math.max(AT_ONCE, Math.min(other.age, death.age)));
    }

    /** Deaths that can have come of idling, the youngest first. */
    private List<Death> found() {
        if (dead.isEmpty()) {
            return List.of();
        }
        double longest = alive.stream().mapToDouble(age -> age).max().orElse(0);
        List<Death> late = dead.stream()
                .filter(death -> death.age * OUTLIVED >= (death.told ? Math.max(longest, notTold) : longest))
                .filter(death -> !isOfMany(death))
                .sorted(Comparator.comparingDouble(Death::age))
                .toList();
        if (!late.isEmpty() && isOneInstant(late) && late.getLast().age > SAME * late.getFirst().age) {
            return List.of(); // all were closed at once, whatever their age, and never again
        }
        for (int i = 0; i + AGREEING <= late.size(); i++) {
            if (late.get(i + AGREEING - 1).age <= TOGETHER * late.get(i).age) {
                return late.subList(i, late.size());
            }
        }
        return List.of();
    }

    private static boolean isOneInstant(List<Death> deaths) {
        return deaths.stream().allMatch(death -> death.told && Math.abs(death.at - deaths.getFirst().at) < AT_ONCE);
    }

    /** Whether some were killed at one time and some at another. */
    boolean isRepeated() {
        return !isOneInstant(kills);
    }

    int deaths() {
        return kills.size();
    }

    /** The youngest age of a kill; infinite when there was none. */
    double died() {
        return kills.isEmpty() ? Double.POSITIVE_INFINITY : kills.getFirst().age;
    }

    /** The oldest age that lived, below which none was killed; 0 when there is none. */
    double lived() {
        double died = died();
        return alive.stream()
                .mapToDouble(age -> age)
                .filter(age -> age < died)
                .max()
                .orElse(0);
    }

    /** The youngest age of a kill that nobody outlived. */
    double allDied() {
        double longest = alive.stream().mapToDouble(age -> age).max().orElse(0);
        return kills.stream()
                .mapToDouble(Death::age)
                .filter(age -> age > longest)
                .findFirst()
                .orElse(died());
    }

    /** How most were killed; null when none was. */
    @Nullable
    KillKind kind() {
        Map<KillKind, Integer> votes = new EnumMap<>(KillKind.class);
        kills.forEach(kill -> votes.merge(kill.kind, 1, Integer::sum));
        return votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    /** Whether this side was told when it happened. */
    boolean isTold() {
        return !kills.isEmpty() && 2 * kills.stream().filter(Death::told).count() > kills.size();
    }

    /** When it kills, as far as is known. */
    double guess() {
        if (isTold()) {
            double[] ages = kills.stream()
                    .filter(Death::told)
                    .mapToDouble(Death::age)
                    .sorted()
                    .toArray();
            return ages[ages.length / 2];
        }
        double lived = lived();
        double died = allDied();
        return lived > 0 ? Math.sqrt(lived * died) : died / 2;
    }

    String words(int connections) {
        KillKind kind = kind();
        int strays = dead.size() - kills.size();
        String others = strays == 0
                ? ""
                : "; %d more ended sooner, and others outlived them, so not for idling".formatted(strays);
        if (kind == null) {
            return "%d connections lay idle, the longest for %s, and lived%s"
                    .formatted(connections, time(lived()), others);
        }
        if (isTold() && guess() < AT_ONCE) {
            return "the peer closes each connection right after a call: none is kept" + others;
        }
        String how = switch (kind) {
            case FIN -> "was closed (FIN)";
            case RST -> "was reset (RST)";
            case SILENT -> "went silent: what is sent is never answered";
        };
        String when = isTold()
                ? "each of %d %s, the first after %s, the last after %s"
                        .formatted(kills.size(), how, time(kills.getFirst().age), time(kills.getLast().age))
                : "each that was used after %s or more %s; all that were used after up to %s lived"
                        .formatted(time(allDied()), how, time(lived()));
        return when + others;
    }

    private static String time(double seconds) {
        return Durations.words((long) (1e9 * seconds));
    }
}
