package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Quoted;
import dev.penstock.migrate.NameForm.Place;
import dev.penstock.migrate.StageReader.OldSetting;
import dev.penstock.migrate.Table.Other;
import dev.penstock.migrate.Table.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the settings of a pool of database connections, as the pool does: the last of equal names counts. An invalid value
 * is reported. Not thread-safe.
 */
final class PoolImport {
    static final Table TABLE = Table.of("pools", "hikari", "c3p0", "hibernate", "spring");

    private static final int MAX_CONNECTIONS = 1_000;

    /** Before the name of a property of the driver: {@code data-source-properties.} or {@code dataSourceProperties['}. */
    private static final Pattern DATA_SOURCE = Pattern.compile("(?i)^data[-_]?source([-_]?properties)?[.\\[]['\"]?");

    private final ConfigProblems problems;
    private final List<PropertyLine> all;
    private final Map<String, PropertyLine> effective = new LinkedHashMap<>();
    private final Set<PropertyLine> used = new HashSet<>();
    private final List<FlowLine> lines = new ArrayList<>();

    PoolImport(List<PropertyLine> all, ConfigProblems problems) {
        this.all = all;
        this.problems = problems;
        all.forEach(property -> effective.put(property.name(), property));
    }

    /** Whether any name can only be one of a pool: the SDK has a {@code password} too, and other files a {@code url}. */
    boolean isPool() {
        return effective.keySet().stream().anyMatch(name -> {
            Row row = TABLE.row(name);
            return row != null
                    && !row.section().equals("dbcp")
                    && (name.contains(".") || !row.key().equals("password"));
        });
    }

    /** The lines for the template of a database, where the flow listens at {@code port}. */
    List<FlowLine> read(int port) {
        lines.add(new FlowLine("port", Integer.toString(port), ""));
        lines.add(new FlowLine("url", "\"${DATABASE_URL}\"", "not in the old file; set DATABASE_URL to it"));
        lines.add(new FlowLine("java.url", "url", ""));
        Map<String, OldSetting> last = new LinkedHashMap<>();
        effective.forEach((name, property) -> {
            Row row = TABLE.row(name);
            if (row != null && row.unit().equals("driver")) {
                driver(property, row);
            } else if (row != null && !row.key().isEmpty() && !property.value().isBlank()) {
                last.put(row.key(), new OldSetting(row, property));
            }
        });
        last.forEach((key, setting) -> read(key, setting.row().unit(), setting.line()));
        if (lines.stream().anyMatch(line -> line.key().matches("max|wait|age"))) {
            lines.add(new FlowLine("pinned", "", ""));
        }
        return lines;
    }

    private void read(String key, String unit, PropertyLine property) {
        used.add(property);
        String value = property.value().strip();
        switch (unit) {
            case "url" -> url(value, property);
            case "user" -> {
                lines.add(new FlowLine(key, YamlText.kept(value), property.shown()));
                lines.add(new FlowLine("java.user", value.contains("${") ? "user" : JavaText.quoted(value), ""));
            }
            case "secret" -> {
                Matcher placeholder = YamlText.PLACEHOLDER.matcher(value);
                String variable = placeholder.matches() ? YamlText.variable(placeholder.group(1)) : "DATABASE_PASSWORD";
                String comment = property.named() + ", not shown; set " + variable + " to it";
                lines.add(new FlowLine(key, "\"${" + variable + "}\"", comment));
                lines.add(new FlowLine("java.password", "password", property.named()));
            }
            default ->
                filled(property)
                        .ifPresentOrElse(text -> filled(key, unit, text, property), () -> used.remove(property));
        }
    }

    private void filled(String key, String unit, String value, PropertyLine property) {
        switch (unit) {
            case "count" -> number(value, property).ifPresent(number -> count(key, number, property));
            case "ms" -> number(value, property).ifPresent(number -> time(key, Duration.ofMillis(number), property));
            case "s" -> number(value, property).ifPresent(number -> time(key, Duration.ofSeconds(number), property));
            case "flag" -> flag(key, value, property);
            case "sql" -> {
                String variable = key.equals("init_sql") ? "initSql" : "testQuery";
                String java = JavaText.isSecret(value) ? variable : JavaText.value(value, variable);
                lines.add(new FlowLine(key, java, property.named()));
            }
            default ->
                lines.add(new FlowLine(key, JavaText.value(JavaText.isolation(value), "isolation"), property.named()));
        }
    }

    private void url(String url, PropertyLine property) {
        lines.removeIf(line -> line.key().endsWith("url"));
        if (!url.matches("(?s)(jdbc:|\\$\\{).*")) {
            problems.add("'" + Quoted.plain(property.name())
                    + "' is not a JDBC URL; write for instance jdbc:postgresql://db.example/billing");
        }
        boolean isHidden = YamlText.mayHaveSecrets(url);
        String hidden = property.named() + ", not shown because it may contain secrets; set DATABASE_URL to it";
        lines.add(
                isHidden
                        ? new FlowLine("url", "\"${DATABASE_URL}\"", hidden)
                        : new FlowLine("url", YamlText.kept(url), property.named()));
        lines.add(new FlowLine("java.url", isHidden || url.contains("${") ? "url" : JavaText.quoted(url), ""));
    }

    private void driver(PropertyLine property, Row row) {
        String rest = Objects.requireNonNull(TABLE.place(property.name())).rest();
        boolean isDirect = row.name().equals("*");
        String name =
                isDirect ? rest : DATA_SOURCE.matcher(rest).replaceFirst("").replaceFirst("['\"]?]$", "");
        if (name.equals(rest) && !isDirect) {
            return;
        }
        used.add(property);
        boolean isSecret = JavaText.isSecret(name) || property.value().matches("(?s).*://.*@.*");
        String value = isSecret ? "secret" : JavaText.value(property.value(), "value");
        String comment = property.named() + (isSecret ? ", not shown" : "");
        lines.add(new FlowLine("driver", JavaText.quoted(name) + ", " + value, comment));
    }

    private void count(String key, long number, PropertyLine property) {
        int min = key.equals("max") ? 1 : 0;
        long within = Math.clamp(number, min, MAX_CONNECTIONS);
        String range = within == number ? "" : "; allowed here: " + min + " to " + MAX_CONNECTIONS;
        lines.add(new FlowLine(key, Long.toString(within), property.shown() + range));
    }

    /** A time; 0 or less means no limit in the old pool. */
    private void time(String key, Duration time, PropertyLine property) {
        boolean isUnlimited = time.isNegative() || time.isZero();
        if (key.equals("idle")) {
            lines.add(new FlowLine(isUnlimited ? "never_idle" : "idle", "", property.shown()));
            return;
        }
        Duration max = Duration.ofHours(key.equals("wait") ? 1 : 24);
        boolean isAbove = isUnlimited || time.compareTo(max) > 0;
        Duration within = isAbove ? max : time;
        String above = isUnlimited ? "; 0 means no limit, the maximum here is " : "; the maximum is ";
        String comment = property.shown() + (isAbove ? above + YamlText.time(max) : "");
        lines.add(new FlowLine(key, YamlText.time(within), comment));
        lines.add(new FlowLine("java." + key, JavaText.duration(within), comment));
    }

    private void flag(String key, String value, PropertyLine property) {
        boolean isSpring = property.name().startsWith("spring.");
        boolean isTrue = value.matches(isSpring ? "(?i:true|on|yes|1)" : "(?i:true)");
        if (!isTrue && !value.matches(isSpring ? "(?i:false|off|no|0)" : "(?i:false)")) {
            refuse(property, value, "neither true nor false; write one of them");
        }
        lines.add(new FlowLine(key, Boolean.toString(isTrue), property.shown()));
    }

    /** The value, or the default of a placeholder. */
    private static Optional<String> filled(PropertyLine property) {
        String value = property.value().strip();
        Matcher placeholder = YamlText.PLACEHOLDER.matcher(value);
        return !placeholder.matches()
                ? Optional.of(value)
                : Optional.ofNullable(placeholder.group(2))
                        .map(fallback -> fallback.substring(1).strip())
                        .filter(fallback -> !fallback.isEmpty());
    }

    private Optional<Long> number(String value, PropertyLine property) {
        if (value.matches("-?\\d{1,9}|-?[01]\\d{9}")) {
            return Optional.of(Long.parseLong(value));
        }
        refuse(property, value, "not a whole number; write for instance 30");
        return Optional.empty();
    }

    private void refuse(PropertyLine property, String value, String why) {
        problems.add(
                property.location(),
                "'" + Quoted.plain(property.name()) + "' is " + Quoted.of(value) + ", which is " + why);
    }

    /** Reports what became of each property. */
    void drop(Leftovers leftovers) {
        boolean isPool = isPool();
        for (PropertyLine property : all) {
            Row row = TABLE.row(property.name());
            if (used.contains(property)) {
                leftovers.use(property);
            } else if (row != null) {
                leftovers.drop(property, reason(property, row));
            } else {
                dropUnknown(property, isPool, leftovers);
            }
        }
    }

    private static String reason(PropertyLine property, Row row) {
        if (!row.note().isEmpty()) {
            return row.note();
        }
        if (property.hasPlaceholder()) {
            return "a placeholder without a default; set the key to its value";
        }
        return property.value().isBlank() ? "empty" : "another line takes precedence";
    }

    private static void dropUnknown(PropertyLine property, boolean isPool, Leftovers leftovers) {
        String name = property.name();
        Other other = TABLE.other(name).orElse(null);
        Place place = TABLE.place(name);
        boolean mayBeMeant = place != null && !place.rest().contains(".") && (other == null || name.contains("."));
        Optional<String> near =
                place != null && mayBeMeant ? TABLE.near(place.rest(), place.hints()) : Optional.empty();
        if (near.isPresent()) {
            leftovers.dropUnknown(property, "unknown pool property; did you mean " + near.get() + "?");
        } else if (other != null && other.isNamed()) {
            leftovers.drop(property, other.reason());
        } else if (other != null) {
            leftovers.dropUnknown(property, other.reason());
        } else if (isPool && !name.contains(".")) {
            leftovers.dropUnknown(property, "unknown pool property");
        } else {
            leftovers.dropUnknown(property, "not about connections or calls; stays with the application");
        }
    }
}
