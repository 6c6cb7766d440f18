package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.migrate.FlowKey.Unit;
import dev.penstock.migrate.StageReader.OldSetting;
import dev.penstock.migrate.Table.Row;
import dev.penstock.migrate.Table.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The lines of one flow: those of the old file, defaults of the product, and what makes them valid. Not thread-safe. */
final class StageFlow {
    private static final long DEFAULT_DEADLINE = 30_000;

    private final Table table;
    private final Map<String, OldSetting> effective;
    private final Leftovers leftovers;
    private final ConfigProblems problems;
    private final List<FlowLine> lines = new ArrayList<>();
    private final List<String> removed = new ArrayList<>();

    /**
     * A flow without lines.
     *
     * @param effective the settings by the names of the table
     */
    StageFlow(Table table, Map<String, OldSetting> effective, Leftovers leftovers, ConfigProblems problems) {
        this.table = table;
        this.effective = effective;
        this.leftovers = leftovers;
        this.problems = problems;
    }

    /** Removes what other settings make ineffective; false when there is nothing to import at all. */
    boolean applyRules() {
        for (Rule rule : table.rules) {
            OldSetting cause = effective.get(rule.name());
            if (!holds(rule, cause)) {
                continue;
            }
            String[] written = rule.effect().split("=", 2);
            if (cause != null && written.length == 2) {
                lines.add(new FlowLine(written[0], written[1], cause.line().shown()));
                leftovers.use(cause.line());
                effective.remove(rule.name());
            }
            removed.add(rule.prefix());
            effective.values().removeIf(setting -> {
                boolean gone = setting.row().full().startsWith(rule.prefix());
                if (gone) {
                    leftovers.drop(setting.line(), rule.reason());
                }
                return gone;
            });
            if (rule.effect().equals("none")) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(Rule rule, @Nullable OldSetting cause) {
        String value = value(cause);
        if (rule.operator().equals(">")) {
            String other = value(effective.get(rule.value()));
            return value.matches("\\d{1,9}")
                    && other.matches("\\d{1,9}")
                    && Long.parseLong(value) > Long.parseLong(other);
        }
        boolean matches = Pattern.compile(rule.value(), Pattern.CASE_INSENSITIVE | Pattern.DOTALL)
                .matcher(value)
                .matches();
        return matches == rule.operator().equals("~");
    }

    private static String value(@Nullable OldSetting setting) {
        return setting == null ? "" : setting.line().filled();
    }

    /** The lines, with the defaults of the product for these sections. */
    List<FlowLine> lines(Set<String> sections) {
        table.rows().forEach(this::write);
        table.rows().stream()
                .filter(row -> !row.fallback().isEmpty() && sections.contains(row.section()))
                .filter(row -> removed.stream().noneMatch(row.full()::startsWith) && find(row.key()) == null)
                .forEach(this::writeDefault);
        FlowLine deadline = find("deadline");
        long limit = deadline == null ? DEFAULT_DEADLINE : deadline.number();
        if (limit > 0) {
            atMost("queue.time", limit);
            atMost("collapse.budget", limit - 1);
        }
        if (lines.stream().anyMatch(line -> line.key().startsWith("collapse."))) {
            lines.add(new FlowLine("batch", "", ""));
        }
        return lines;
    }

    private void write(Row row) {
        OldSetting setting = effective.get(row.full());
        if (setting == null) {
            return;
        }
        PropertyLine line = setting.line();
        if (row.key().isEmpty()) {
            leftovers.drop(line, row.note());
        } else if (line.value().isBlank()) {
            leftovers.drop(line, "empty");
        } else if (find(row.key()) != null) {
            leftovers.drop(line, "another property for " + row.key() + " takes precedence");
        } else {
            leftovers.use(line);
            lines.add(StageValue.of(FlowKey.of(row.key()), row.note(), line, problems));
        }
    }

    private void writeDefault(Row row) {
        String name = row.name().substring(row.name().lastIndexOf('.') + 1) + " is not given";
        String[] value = row.fallback().split(": ", 2);
        String comment = value.length > 1 ? name + ": " + value[1] : name + "; the default of " + table.title;
        lines.add(StageValue.written(FlowKey.of(row.key()), value[0], comment));
    }

    private void atMost(String key, long limit) {
        FlowLine line = find(key);
        if (line != null && line.number() > limit) {
            lines.remove(line);
            lines.add(new FlowLine(
                    key, StageValue.write(Unit.TIME, limit), line.comment() + "; here less than the deadline", limit));
        }
    }

    private @Nullable FlowLine find(String key) {
        return lines.stream().filter(line -> line.key().equals(key)).findFirst().orElse(null);
    }
}
