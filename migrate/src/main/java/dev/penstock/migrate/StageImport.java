package dev.penstock.migrate;

import dev.penstock.migrate.FlowText.Value;
import dev.penstock.migrate.Table.Place;
import dev.penstock.migrate.Table.Row;
import dev.penstock.migrate.Table.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the settings of a product whose files have flows: for each instance its own, and those of the defaults it is based
 * on. Not thread-safe.
 */
final class StageImport {
    private static final int MAX_BASES = 8;

    private final Table table;
    private final Report report;
    /** By their full names in the table. */
    private final Map<SectionGroup, Map<String, PropertyLine>> settings = new LinkedHashMap<>();

    private final Set<String> groups = new LinkedHashSet<>();

    private record SectionGroup(String section, String group, boolean isTemplate) {}

    StageImport(Table table, Report report) {
        this.table = table;
        this.report = report;
    }

    /** The lines of each flow, by its old name; adds the lines that belong to another product to {@code others}. */
    Map<String, List<Value>> read(List<PropertyLine> lines, List<PropertyLine> others) {
        for (PropertyLine line : lines) {
            Place place = table.place(line.name());
            if (place == null) {
                others.add(line);
            } else {
                sort(line, place);
            }
        }
        boolean onlyDefaults = groups.isEmpty();
        if (onlyDefaults) {
            settings.keySet().forEach(key -> groups.add(key.group()));
        }
        Map<String, List<Value>> flows = new LinkedHashMap<>();
        for (String group : groups) {
            StageFlow flow = new StageFlow(group, onlyDefaults);
            if (flow.applyRules()) {
                flows.put(group, flow.lines());
            }
        }
        settings.values().stream()
                .flatMap(all -> all.values().stream())
                .forEach(unused -> report.drop(unused, "no instance uses it"));
        return flows;
    }

    private void sort(PropertyLine line, Place place) {
        Row row = place.row();
        boolean isOneOfMany = row != null
                && row.key().isEmpty()
                && (place.rest().contains("[") || row.name().endsWith("*"));
        if (place.rest().isEmpty() && !place.group().isEmpty() && line.value().isBlank()) {
            group(place);
            report.drop(line, "without settings of its own");
        } else if (row == null) {
            String near = table.near(place.rest(), Map.of(place.section(), ""))
                    .map(name -> "; did you mean " + name + "?")
                    .orElse("");
            report.dropUnknown(line, "unknown property of " + table.title() + near);
        } else if (place.group().isEmpty()) {
            report.drop(line, row.note());
        } else {
            Map<String, PropertyLine> all = group(place);
            if (isOneOfMany) {
                report.drop(line, row.note());
            } else {
                all.put(row.full(), line);
            }
        }
    }

    private Map<String, PropertyLine> group(Place place) {
        if (!place.isTemplate()) {
            groups.add(place.group());
        }
        return settings.computeIfAbsent(
                new SectionGroup(place.section(), place.group(), place.isTemplate()), key -> new LinkedHashMap<>());
    }

    /** The lines of one flow: those of the old file, defaults of the product, and what makes them valid. */
    private final class StageFlow {
        private static final long DEFAULT_DEADLINE = 30_000;

        /** The sections of the group: those that the file names for it, and those that every group has. */
        private final Set<String> sections = new LinkedHashSet<>();

        private final Map<String, PropertyLine> effective = new LinkedHashMap<>();
        private final List<Value> lines = new ArrayList<>();
        private final List<String> removed = new ArrayList<>();

        StageFlow(String group, boolean isTemplate) {
            for (SectionGroup key : settings.keySet()) {
                boolean isOwn = key.group().equals(group) && key.isTemplate() == isTemplate;
                if ((isOwn || table.isEverywhere(key.section())) && sections.add(key.section())) {
                    // A command of Hystrix may name its pool.
                    PropertyLine pool = key.section().equals("threadpool")
                            ? setting("command", group, isTemplate, "threadPoolKeyOverride")
                            : null;
                    add(new SectionGroup(key.section(), pool == null ? group : pool.filled(), isTemplate));
                }
            }
        }

        /** As resilience4j 2.4: every group but "default" is based on that one, unless it names another. */
        private void add(SectionGroup own) {
            SectionGroup next = own;
            for (int depth = 0; depth < MAX_BASES; depth++) {
                settings.getOrDefault(next, Map.of()).forEach(effective::putIfAbsent);
                PropertyLine base = setting(next.section(), next.group(), next.isTemplate(), "baseConfig");
                if (base == null && next.group().equals("default")) {
                    return;
                }
                next = new SectionGroup(next.section(), base == null ? "default" : base.filled(), true);
            }
        }

        private @Nullable PropertyLine setting(String section, String group, boolean isTemplate, String name) {
            return settings.getOrDefault(new SectionGroup(section, group, isTemplate), Map.of())
                    .get(section + "." + name);
        }

        /** Removes what other settings make ineffective; false when there is nothing to import at all. */
        boolean applyRules() {
            for (Rule rule : table.rules) {
                PropertyLine cause = effective.get(rule.name());
                if (!holds(rule, cause == null ? "" : cause.filled())) {
                    continue;
                }
                String[] written = rule.effect().split("=", 2);
                if (cause != null && written.length == 2) {
                    lines.add(new Value(written[0], written[1], cause.shown()));
                    report.use(cause);
                }
                removed.add(rule.prefix());
                effective.entrySet().removeIf(setting -> {
                    boolean isGone = setting.getKey().startsWith(rule.prefix());
                    if (isGone) {
                        report.drop(setting.getValue(), rule.reason());
                    }
                    return isGone;
                });
                if (rule.effect().equals("none")) {
                    return false;
                }
            }
            return true;
        }

        private boolean holds(Rule rule, String value) {
            if (rule.operator().equals(">")) {
                PropertyLine line = effective.get(rule.value());
                String other = line == null ? "" : line.filled();
                return value.matches("\\d{1,9}")
                        && other.matches("\\d{1,9}")
                        && Long.parseLong(value) > Long.parseLong(other);
            }
            Pattern form = Pattern.compile(rule.value(), Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
            return form.matcher(value).matches() == rule.operator().equals("~");
        }

        /** The lines, with the defaults of the product for these sections. */
        List<Value> lines() {
            table.rows().forEach(row -> write(row, effective.get(row.full())));
            table.rows().stream()
                    .filter(row -> !row.fallback().isEmpty() && sections.contains(row.section()))
                    .filter(row -> removed.stream().noneMatch(row.full()::startsWith) && find(row.key()) == null)
                    .forEach(this::writeDefault);
            Value deadline = find("deadline");
            long limit = deadline == null ? DEFAULT_DEADLINE : deadline.number();
            if (limit > 0) {
                atMost("queue.time", limit);
                atMost("collapse.budget", limit - 1);
            }
            if (lines.stream().anyMatch(line -> line.key().startsWith("collapse."))) {
                lines.add(new Value("batch", "", ""));
            }
            return lines;
        }

        private void write(Row row, @Nullable PropertyLine line) {
            if (line == null) {
                return;
            }
            if (row.key().isEmpty()) {
                report.drop(line, row.note());
            } else if (line.value().isBlank()) {
                report.drop(line, "empty");
            } else if (find(row.key()) != null) {
                report.drop(line, "another property for " + row.key() + " takes precedence");
            } else {
                report.use(line);
                lines.add(table.key(row.key()).read(line, row.note(), report));
            }
        }

        private void writeDefault(Row row) {
            String name = row.name().substring(row.name().lastIndexOf('.') + 1) + " is not given";
            String[] value = row.fallback().split(": ", 2);
            String comment = name + (value.length > 1 ? ": " + value[1] : "; the default of " + table.title());
            lines.add(table.key(row.key()).written(value[0], comment));
        }

        private void atMost(String key, long limit) {
            Value line = find(key);
            if (line != null && line.number() > limit) {
                lines.remove(line);
                String comment = line.comment() + "; here less than the deadline";
                lines.add(new Value(key, Notation.time(limit), comment, limit));
            }
        }

        private @Nullable Value find(String key) {
            return lines.stream()
                    .filter(line -> line.key().equals(key))
                    .findFirst()
                    .orElse(null);
        }
    }
}
