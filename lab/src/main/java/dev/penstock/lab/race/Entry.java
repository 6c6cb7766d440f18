package dev.penstock.lab.race;

import dev.penstock.lab.report.Contestant.Role;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A contestant as registered in a course.
 *
 * @param name unique in its course, lower case with hyphens, for instance {@code hc5-classic}
 * @param role its role
 * @param settings its settings by name, for the report
 * @param ownJvm whether each block runs in a fresh JVM
 * @param jvmOptions for that JVM, in addition to the common ones
 */
public record Entry(String name, Role role, Map<String, String> settings, boolean ownJvm, List<String> jvmOptions) {
    public Entry {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** A contestant with a fresh JVM for each block. */
    public static Entry of(String name, Role role, Map<String, String> settings) {
        return new Entry(name, role, settings, true, List.of());
    }

    /** A contestant that runs in the runner's JVM: lightweight, or with its own processes. */
    public static Entry inside(String name, Role role, Map<String, String> settings) {
        return new Entry(name, role, settings, false, List.of());
    }
}
