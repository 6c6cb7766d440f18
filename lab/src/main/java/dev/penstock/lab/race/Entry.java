package dev.penstock.lab.race;

import dev.penstock.lab.report.Contestant.Role;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A contestant as a course names it.
 *
 * @param name unique in its course, lower case with hyphens, for instance {@code hc5-classic}
 * @param role what it stands for
 * @param settings what it runs with, by name, for people
 * @param ownJvm whether each of its blocks runs in a fresh JVM
 * @param jvmOptions for that JVM, beside those that all get
 */
public record Entry(String name, Role role, Map<String, String> settings, boolean ownJvm, List<String> jvmOptions) {
    /** Copies what it is given, in its order. */
    public Entry {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** A contestant with a fresh JVM for each block. */
    public static Entry of(String name, Role role, Map<String, String> settings) {
        return new Entry(name, role, settings, true, List.of());
    }

    /** A contestant that runs in the runner's JVM: light, or with processes of its own. */
    public static Entry inside(String name, Role role, Map<String, String> settings) {
        return new Entry(name, role, settings, false, List.of());
    }
}
