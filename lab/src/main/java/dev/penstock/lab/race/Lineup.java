package dev.penstock.lab.race;

import dev.penstock.lab.report.Contestant.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The contestants of a course and their order, derived from a seed. One of ours may run twice, the second time as its
 * A/A twin, which shows the machine's noise.
 */
final class Lineup {
    private static final String TWIN = " again";

    /**
     * A contestant's place.
     *
     * @param name as in the results
     * @param entry the contestant to run
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
     * @param course the course
     * @param wanted selects its contestants
     * @param twin whether one of ours runs twice
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

    /** The contestant that others are compared with; null when none of ours runs. */
    @Nullable
    Entry ours() {
        return ours;
    }

    /** The twin's name; null without one. */
    @Nullable
    String twin() {
        return places.stream()
                .filter(Place::isTwin)
                .map(Place::name)
                .findFirst()
                .orElse(null);
    }

    /** In random order, different for each round; reproducible from seed and round. */
    List<Place> shuffled(long seed, int round) {
        List<Place> shuffled = new ArrayList<>(places);
        Collections.shuffle(shuffled, new Random(seed * 0x9E3779B97F4A7C15L + round));
        return shuffled;
    }
}
