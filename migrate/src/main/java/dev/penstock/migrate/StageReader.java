package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.migrate.StageNames.StageName;
import dev.penstock.migrate.StageProduct.OldPlace;
import dev.penstock.migrate.StageValue.FlowLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the settings of a product: for each instance its own, and those of the defaults it is based on. Not thread-safe.
 */
final class StageReader {
    private static final int MAX_BASES = 8;

    private final StageProduct product;
    private final ConfigProblems problems;
    private final Leftovers leftovers;
    private final Map<SectionGroup, Map<String, OldSetting>> settings = new LinkedHashMap<>();
    private final Set<String> groups = new LinkedHashSet<>();

    StageReader(StageProduct product, ConfigProblems problems, Leftovers leftovers) {
        this.product = product;
        this.problems = problems;
        this.leftovers = leftovers;
    }

    /** The lines of each flow, by its old name, and the lines that belong to another product. */
    Map<String, List<FlowLine>> read(List<PropertyLine> lines, List<PropertyLine> others) {
        for (PropertyLine line : lines) {
            OldPlace place = product.place(line.name());
            if (place == null) {
                others.add(line);
            } else {
                sort(line, place);
            }
        }
        Map<String, List<FlowLine>> flows = new LinkedHashMap<>();
        boolean onlyDefaults = groups.isEmpty();
        if (onlyDefaults) {
            settings.keySet().forEach(key -> groups.add(key.group()));
        }
        for (String group : groups) {
            Set<String> sections = sections(group, onlyDefaults);
            Map<String, OldSetting> effective = effective(sections, group, onlyDefaults);
            List<FlowLine> written = new ArrayList<>();
            StageRules rules = new StageRules(product, effective, leftovers, written);
            if (rules.apply()) {
                write(effective, written);
                StageDefaults.complete(product, sections, effective, written);
                flows.put(group, written);
            }
        }
        settings.values().stream()
                .flatMap(all -> all.values().stream())
                .forEach(unused -> leftovers.drop(unused.line(), "no instance uses it"));
        return flows;
    }

    private void sort(PropertyLine line, OldPlace place) {
        StageName name = product.names().get(place.name());
        if (place.rest().isEmpty() && !place.group().isEmpty() && line.value().isBlank()) {
            group(place);
            leftovers.drop(line, "without settings of its own");
        } else if (name == null) {
            String near = product.names().near(place.name()).orElse("");
            if (place.section().isEmpty()) {
                leftovers.drop(line, "not about a connector; stays with " + product.title);
            } else {
                leftovers.dropUnknown(
                        line,
                        "unknown property of " + product.title
                                + (near.isEmpty() ? "" : "; did you mean " + near + "?"));
            }
        } else if (place.group().isEmpty()) {
            leftovers.drop(line, name.note());
        } else {
            Map<String, OldSetting> all = group(place);
            boolean isOneOfMany = place.rest().contains("[") || name.name().endsWith("*");
            if (name.key() == FlowKey.NONE && isOneOfMany) {
                leftovers.drop(line, name.note());
            } else {
                all.put(name.name(), new OldSetting(name, line));
            }
        }
    }

    private Map<String, OldSetting> group(OldPlace place) {
        if (!place.template()) {
            groups.add(place.group());
        }
        return settings.computeIfAbsent(
                new SectionGroup(place.section(), place.group(), place.template()), key -> new LinkedHashMap<>());
    }

    /**
     * The sections of a group. Of resilience4j, an instance has only those that the file names for it; in Hystrix, all
     * commands have defaults, but no collapser.
     */
    private Set<String> sections(String group, boolean onlyDefaults) {
        Set<String> sections = new LinkedHashSet<>();
        settings.keySet().stream()
                .filter(key -> (key.group().equals(group) && key.template() == onlyDefaults)
                        || (product == StageProduct.HYSTRIX && !key.section().equals("collapser")))
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
        Map<String, OldSetting> own =
                settings.getOrDefault(new SectionGroup("command", command, onlyDefaults), Map.of());
        OldSetting override = own.get("command.threadPoolKeyOverride");
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

    private void write(Map<String, OldSetting> effective, List<FlowLine> written) {
        for (StageName name : product.names().all().values()) {
            OldSetting setting = effective.get(name.name());
            if (setting == null) {
                continue;
            }
            PropertyLine line = setting.line();
            boolean given = written.stream().anyMatch(other -> other.key() == name.key());
            if (name.key() == FlowKey.NONE) {
                leftovers.drop(line, name.note());
            } else if (line.value().isBlank()) {
                leftovers.drop(line, "empty");
            } else if (given) {
                leftovers.drop(line, "another property for " + name.key().path + " takes precedence");
            } else {
                leftovers.use(line);
                written.add(StageValue.of(name.key(), name.note(), line, problems));
            }
        }
    }

    private record SectionGroup(String section, String group, boolean template) {}

    /** A property of the old file, and its entry in the table. */
    record OldSetting(StageName name, PropertyLine line) {}
}
