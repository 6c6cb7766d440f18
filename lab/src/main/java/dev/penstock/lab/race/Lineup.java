package dev.penstock.lab.race;

import dev.penstock.lab.report.Contestant.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who runs a course under which name, and in which order: pure, from a seed. Ours may run twice, the second time as its own
 * twin, which shows how far two runs of the same thing are apart on this machine.
 */
final class Lineup {
    private static final String TWIN = " again";

    /**
     * A place in it.
     *
     * @param name as in the results
     * @param entry what runs under that name
     */
    record Place(String name, Entry entry) {
        boolean isTwin() {
            return !name.equals(entry.name());
        }
    }

    private final List<Place> places = new ArrayList<>();
    private final @Nullable Entry ours;

    /**
     * A course's line-up.
     *
     * @param course whose
     * @param wanted which of its contestants run
     * @param twin whether ours runs twice
     */
    Lineup(Course course, Predicate<String> wanted, boolean twin) {
        List<Entry> running = course.entries().stream()
                .filter(entry -> wanted.test(entry.name()))
                .toList();
        running.forEach(entry -> places.add(new Place(entry.name(), entry)));
        ours = running.stream()
                .filter(entry -> entry.role() == Role.OURS)
                .findFirst()
                .orElse(null);
        if (twin && ours != null) {
            places.add(new Place(ours.name() + TWIN, ours));
        }
    }

    /** In the course's order, the twin last. */
    List<Place> places() {
        return Collections.unmodifiableList(places);
    }

    /** The contestant that the others are compared with; null when none of ours runs. */
    @Nullable
    Entry ours() {
        return ours;
    }

    /** The name of its twin; null when it has none. */
    @Nullable
    String twin() {
        return places.stream()
                .filter(Place::isTwin)
                .map(Place::name)
                .findFirst()
                .orElse(null);
    }

    /** In random order, another for each round; the same seed and round, the same order. */
    List<Place> shuffled(long seed, int round) {
        List<Place> shuffled = new ArrayList<>(places);
        Collections.shuffle(shuffled, new Random(seed * 0x9E3779B97F4A7C15L + round));
        return shuffled;
    }
}
