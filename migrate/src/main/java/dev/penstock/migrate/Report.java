package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Quoted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What became of each line of an old file: used, dropped for a reason, or refused. Not thread-safe. */
final class Report {
    final ConfigProblems problems;
    private final List<PropertyLine> all;
    private final Set<PropertyLine> used = new HashSet<>();
    private final Map<PropertyLine, String> reasons = new HashMap<>();
    private final Set<PropertyLine> unknown = new HashSet<>();

    Report(List<PropertyLine> all, ConfigProblems problems) {
        this.all = all;
        this.problems = problems;
    }

    /** The line is in a comment of the flow file. */
    void use(PropertyLine line) {
        used.add(line);
    }

    /** The line is not in the flow file, unless it is used; the first reason counts. */
    void drop(PropertyLine line, String reason) {
        reasons.putIfAbsent(line, reason);
    }

    /** As {@link #drop}, for a name that no client knows. */
    void dropUnknown(PropertyLine line, String reason) {
        unknown.add(line);
        drop(line, reason);
    }

    /** The old client refuses the value, too. */
    void refuse(PropertyLine line, String why) {
        problems.add(
                line.location(),
                "'" + Quoted.plain(line.name()) + "' is "
                        + Quoted.of(line.value().strip()) + ", which is " + why);
    }

    /** The names of dropped lines in file order, by their reason. */
    Map<String, List<String>> dropped() {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (PropertyLine line : all) {
            if (!used.contains(line)) {
                String reason = reasons.getOrDefault(line, "another line takes precedence");
                byReason.computeIfAbsent(reason, key -> new ArrayList<>())
                        .add(unknown.contains(line) ? line.namedIfPlain() : line.named());
            }
        }
        return byReason;
    }
}
