package dev.penstock.lab.race;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The races on this JVM's class path. */
public final class Races {
    private Races() {}

    /** All races, by name; none in the distribution, which contains no peers. */
    public static List<Race> all() {
        return ServiceLoader.load(Race.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(Race::name))
                .toList();
    }

    /** The race with this name. */
    public static Optional<Race> named(String name) {
        return all().stream().filter(race -> race.name().equals(name)).findFirst();
    }

    static Course course(String race, String course) {
        return named(race)
                .flatMap(found -> found.courses().stream()
                        .filter(one -> one.name().equals(course))
                        .findFirst())
                .orElseThrow(() -> new IllegalStateException(
                        "course " + course + " of race " + race + " is not on the class path of this JVM"));
    }
}
