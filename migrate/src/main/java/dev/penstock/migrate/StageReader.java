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
import org.jspecify.annotations.Nullable;

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
            Map<String, OldSetting> effective = effective(group, onlyDefaults);
            List<FlowLine> written = new ArrayList<>();
            if (!new StageRules(product, effective, leftovers, written).apply()) {
                continue;
            }
            write(effective, written);
            StageRules.complete(product, effective, written);
            flows.put(group, written);
        }
        settings.values().stream()
                .flatMap(all -> all.values().stream())
                .forEach(unused -> leftovers.drop(unused.line(), "no instance uses it"));
        return flows;
    }

    private void sort(PropertyLine line, OldPlace place) {
        StageName name = product.names().get(place.name());
        if (name == null) {
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
            if (!place.template()) {
                groups.add(place.group());
            }
            if (name.key() == FlowKey.NONE && place.rest().contains("[")) {
                leftovers.drop(line, name.note());
                return;
            }
            settings.computeIfAbsent(
                            new SectionGroup(place.section(), place.group(), place.template()),
                            key -> new LinkedHashMap<>())
                    .put(name.name(), new OldSetting(name, line));
        }
    }

    /** The settings of a group by the names of the table. */
    private Map<String, OldSetting> effective(String group, boolean onlyDefaults) {
        Map<String, OldSetting> effective = new LinkedHashMap<>();
        Set<String> sections = new LinkedHashSet<>();
        settings.keySet().forEach(key -> sections.add(key.section()));
        for (String section : sections) {
            Map<String, OldSetting> own = settings.get(new SectionGroup(section, group, onlyDefaults));
            // Of resilience4j, an instance has only the parts that the file names; in Hystrix, all commands have
            // defaults.
            if (own != null || product == StageProduct.HYSTRIX) {
                add(section, own, effective);
            }
        }
        return effective;
    }

    private void add(String section, @Nullable Map<String, OldSetting> own, Map<String, OldSetting> effective) {
        Map<String, OldSetting> next = own;
        if (section.equals("collapser") && own == null) {
            return;
        }
        for (int depth = 0; depth < MAX_BASES; depth++) {
            OldSetting base = null;
            if (next != null) {
                next.forEach(effective::putIfAbsent);
                base = next.get(section + ".baseConfig");
            }
            if (base == null && depth > 0) {
                return;
            }
            String name = base == null ? "default" : base.line().value().strip();
            next = settings.get(new SectionGroup(section, name, true));
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
