package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.migrate.NameForm.Place;
import dev.penstock.migrate.Table.Row;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the settings of a product whose files have flows: for each instance its own, and those of the defaults it is based
 * on. Not thread-safe.
 */
final class StageReader {
    private static final int MAX_BASES = 8;

    private final Table table;
    private final ConfigProblems problems;
    private final Leftovers leftovers;
    private final Map<SectionGroup, Map<String, OldSetting>> settings = new LinkedHashMap<>();
    private final Set<String> groups = new LinkedHashSet<>();

    StageReader(Table table, ConfigProblems problems, Leftovers leftovers) {
        this.table = table;
        this.problems = problems;
        this.leftovers = leftovers;
    }

    /** The lines of each flow, by its old name, and the lines that belong to another product. */
    Map<String, List<FlowLine>> read(List<PropertyLine> lines, List<PropertyLine> others) {
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
        Map<String, List<FlowLine>> flows = new LinkedHashMap<>();
        for (String group : groups) {
            Set<String> sections = sections(group, onlyDefaults);
            Map<String, OldSetting> effective = effective(sections, group, onlyDefaults);
            StageFlow flow = new StageFlow(table, effective, leftovers, problems);
            if (flow.applyRules()) {
                flows.put(group, flow.lines(sections));
            }
        }
        settings.values().stream()
                .flatMap(all -> all.values().stream())
                .forEach(unused -> leftovers.drop(unused.line(), "no instance uses it"));
        return flows;
    }

    private void sort(PropertyLine line, Place place) {
        Row row = table.row(place);
        if (place.rest().isEmpty() && !place.group().isEmpty() && line.value().isBlank()) {
            group(place);
            leftovers.drop(line, "without settings of its own");
        } else if (row == null) {
            String near = table.near(place.rest(), Map.of(place.section(), ""))
                    .map(name -> "; did you mean " + name + "?")
                    .orElse("");
            leftovers.dropUnknown(line, "unknown property of " + table.title + near);
        } else if (place.group().isEmpty()) {
            leftovers.drop(line, row.note());
        } else {
            Map<String, OldSetting> all = group(place);
            boolean isOneOfMany = place.rest().contains("[") || row.name().endsWith("*");
            if (row.key().isEmpty() && isOneOfMany) {
                leftovers.drop(line, row.note());
            } else {
                all.put(row.full(), new OldSetting(row, line));
            }
        }
    }

    private Map<String, OldSetting> group(Place place) {
        if (!place.isTemplate()) {
            groups.add(place.group());
        }
        return settings.computeIfAbsent(
                new SectionGroup(place.section(), place.group(), place.isTemplate()), key -> new LinkedHashMap<>());
    }

    /** The sections of a group: those that the file names for it, and those that every group has. */
    private Set<String> sections(String group, boolean onlyDefaults) {
        Set<String> sections = new LinkedHashSet<>();
        settings.keySet().stream()
                .filter(key -> (key.group().equals(group) && key.isTemplate() == onlyDefaults)
                        || table.everywhere.contains(key.section()))
                .forEach(key -> sections.add(key.section()));
        return sections;
    }

    /** The settings of a group by the names of the table. */
    private Map<String, OldSetting> effective(Set<String> sections, String group, boolean onlyDefaults) {
        Map<String, OldSetting> effective = new LinkedHashMap<>();
        for (String section : sections) {
            String named = section.equals("threadpool") ? threadPool(group, onlyDefaults) : group;
            add(new SectionGroup(section, named, onlyDefaults), effective);
        }
        return effective;
    }

    /** A command of Hystrix may name its pool. */
    private String threadPool(String command, boolean onlyDefaults) {
        OldSetting override = settings.getOrDefault(new SectionGroup("command", command, onlyDefaults), Map.of())
                .get("command.threadPoolKeyOverride");
        return override == null ? command : override.line().filled();
    }

    /** As resilience4j 2.4: every group but "default" is based on that one, unless it names another. */
    private void add(SectionGroup own, Map<String, OldSetting> effective) {
        SectionGroup next = own;
        for (int depth = 0; depth < MAX_BASES; depth++) {
            Map<String, OldSetting> all = settings.getOrDefault(next, Map.of());
            all.forEach(effective::putIfAbsent);
            OldSetting base = all.get(next.section() + ".baseConfig");
            if (base == null && next.group().equals("default")) {
                return;
            }
            next = new SectionGroup(
                    next.section(), base == null ? "default" : base.line().filled(), true);
        }
    }

    private record SectionGroup(String section, String group, boolean isTemplate) {}

    /** A property of the old file, and its entry in the table. */
    record OldSetting(Row row, PropertyLine line) {}
}
