package dev.penstock.migrate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What became of each line of an old file: used, or dropped for a reason. Not thread-safe. */
final class Leftovers {
    private final List<PropertyLine> all;
    private final Set<PropertyLine> used = new HashSet<>();
    private final Map<PropertyLine, String> reasons = new LinkedHashMap<>();
    private final Set<PropertyLine> unknown = new HashSet<>();

    Leftovers(List<PropertyLine> all) {
        this.all = all;
    }

    /** The line is in a comment of the flow file. */
    void use(PropertyLine line) {
        used.add(line);
    }

    /** The line is not in the flow file, unless another flow uses it. */
    void drop(PropertyLine line, String reason) {
        reasons.putIfAbsent(line, reason);
    }

    /** As {@link #drop}, for a name that no client knows. */
    void dropUnknown(PropertyLine line, String reason) {
        unknown.add(line);
        drop(line, reason);
    }

    void write(YamlText yaml) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (PropertyLine line : all) {
            if (!used.contains(line)) {
                String reason = reasons.getOrDefault(line, "another line takes precedence");
                byReason.computeIfAbsent(reason, key -> new ArrayList<>())
                        .add(unknown.contains(line) ? line.namedIfPlain() : line.named());
            }
        }
        yaml.dropped(byReason);
    }
}
