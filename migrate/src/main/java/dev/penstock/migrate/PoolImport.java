package dev.penstock.migrate;

import dev.penstock.gateway.config.Quoted;
import dev.penstock.migrate.FlowText.Value;
import dev.penstock.migrate.Table.Other;
import dev.penstock.migrate.Table.Place;
import dev.penstock.migrate.Table.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the settings of a pool of database connections, as the pool does: the last of equal names counts. An invalid value
 * is reported. Not thread-safe.
 */
final class PoolImport {
    static final Table TABLE = Table.of("pools", "hikari", "c3p0", "hibernate", "spring");

    /** Before the name of a property of the driver: {@code data-source-properties.} or {@code dataSourceProperties['}. */
    private static final Pattern DATA_SOURCE = Pattern.compile("(?i)^data[-_]?source([-_]?properties)?[.\\[]['\"]?");

    private final Report report;
    private final List<PropertyLine> all;
    private final Map<String, PropertyLine> effective = new LinkedHashMap<>();
    private final List<Value> lines = new ArrayList<>();

    PoolImport(List<PropertyLine> all, Report report) {
        this.all = all;
        this.report = report;
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
    List<Value> read(int port) {
        line("port", Integer.toString(port), "");
        url("\"${DATABASE_URL}\"", "url", "not in the old file; set DATABASE_URL to it");
        Map<String, Runnable> last = new LinkedHashMap<>();
        effective.forEach((name, property) -> {
            Row row = TABLE.row(name);
            if (row != null && row.unit().equals("driver")) {
                driver(property, row);
            } else if (row != null && !row.key().isEmpty() && !property.value().isBlank()) {
                last.put(row.key(), () -> read(row, property));
            }
        });
        last.values().forEach(Runnable::run);
        if (lines.stream().anyMatch(line -> line.key().matches("max|wait|age"))) {
            line("pinned", "", "");
        }
        return lines;
    }

    private void line(String key, String yaml, String comment) {
        lines.add(new Value(key, yaml, comment));
    }

    private void read(Row row, PropertyLine property) {
        String value = property.value().strip();
        Matcher placeholder = Notation.PLACEHOLDER.matcher(value);
        boolean isFilledIn = placeholder.matches();
        switch (row.unit()) {
            case "url" -> url(value, property);
            case "user" -> {
                line(row.key(), Notation.kept(value), property.shown());
                line("java.user", value.contains("${") ? "user" : Notation.java(value), "");
            }
            case "secret" -> {
                String variable = isFilledIn ? Notation.variable(placeholder.group(1)) : "DATABASE_PASSWORD";
                String comment = property.named() + ", not shown; set " + variable + " to it";
                line(row.key(), "\"${" + variable + "}\"", comment);
                line("java.password", "password", property.named());
            }
            default -> {
                String fallback = isFilledIn ? Notation.fallback(placeholder) : value;
                if (fallback == null || fallback.isBlank()) {
                    return;
                }
                filled(row, property, property.with(fallback.strip()));
            }
        }
        report.use(property);
    }

    /** Reads a value that has the default of its placeholder. */
    private void filled(Row row, PropertyLine property, PropertyLine filled) {
        String value = filled.value();
        switch (row.unit()) {
            case "flag" -> {
                boolean isSpring = property.name().startsWith("spring.");
                boolean isTrue =
                        FlowKey.flag(filled, isSpring ? "on|yes|1" : "true", isSpring ? "off|no|0" : "false", report);
                line(row.key(), Boolean.toString(isTrue), property.shown());
            }
            case "sql" -> {
                String variable = row.key().equals("init_sql") ? "initSql" : "testQuery";
                boolean isSecret = Notation.isSecret(value);
                line(row.key(), isSecret ? variable : Notation.java(value, variable), property.named());
            }
            case "isolation" -> line(row.key(), Notation.java(isolation(value), "isolation"), property.named());
            default -> number(row, property, TABLE.key(row.key()).number(filled, row.unit(), report));
        }
    }

    /** Hibernate uses the numbers of the constants of {@link java.sql.Connection}. */
    private static String isolation(String value) {
        return switch (value) {
            case "1" -> "TRANSACTION_READ_UNCOMMITTED";
            case "2" -> "TRANSACTION_READ_COMMITTED";
            case "4" -> "TRANSACTION_REPEATABLE_READ";
            case "8" -> "TRANSACTION_SERIALIZABLE";
            default -> value.startsWith("TRANSACTION_") ? value : "TRANSACTION_" + value;
        };
    }

    private void number(Row row, PropertyLine property, long number) {
        if (row.key().equals("idle")) {
            line(number > 0 ? "idle" : "never_idle", "", property.shown());
            return;
        }
        Value line = TABLE.key(row.key()).line(number, property.shown());
        lines.add(line);
        line("java." + row.key(), Notation.java(line.number()), line.comment());
    }

    private void url(String url, PropertyLine property) {
        if (!url.matches("(?s)(jdbc:|\\$\\{).*")) {
            report.problems.add("'" + Quoted.plain(property.name())
                    + "' is not a JDBC URL; write for instance jdbc:postgresql://db.example/billing");
        }
        lines.removeIf(line -> line.key().endsWith("url"));
        if (Notation.mayHaveSecrets(url)) {
            String hidden = ", not shown because it may contain secrets; set DATABASE_URL to it";
            url("\"${DATABASE_URL}\"", "url", property.named() + hidden);
        } else {
            url(Notation.kept(url), url.contains("${") ? "url" : Notation.java(url), property.named());
        }
    }

    private void url(String yaml, String java, String comment) {
        line("url", yaml, comment);
        line("java.url", java, "");
    }

    private void driver(PropertyLine property, Row row) {
        Place place = TABLE.place(property.name());
        String rest = place == null ? "" : place.rest();
        boolean isDirect = row.name().equals("*");
        String name =
                isDirect ? rest : DATA_SOURCE.matcher(rest).replaceFirst("").replaceFirst("['\"]?]$", "");
        if (name.equals(rest) && !isDirect) {
            return;
        }
        report.use(property);
        boolean isSecret = Notation.isSecret(name) || property.value().matches("(?s).*://.*@.*");
        String value = isSecret ? "secret" : Notation.java(property.value(), "value");
        line("driver", Notation.java(name) + ", " + value, property.named() + (isSecret ? ", not shown" : ""));
    }

    /** Reports why properties that are not used are dropped. */
    void drop() {
        boolean isPool = isPool();
        for (PropertyLine property : all) {
            Row row = TABLE.row(property.name());
            if (row == null) {
                dropUnknown(property, isPool);
            } else if (!row.note().isEmpty()) {
                report.drop(property, row.note());
            } else if (property.hasPlaceholder()) {
                report.drop(property, "a placeholder without a default; set the key to its value");
            } else {
                report.drop(property, property.value().isBlank() ? "empty" : "another line takes precedence");
            }
        }
    }

    private void dropUnknown(PropertyLine property, boolean isPool) {
        String name = property.name();
        Optional<Other> other = TABLE.other(name);
        Place place = TABLE.place(name);
        boolean mayBeMeant = place != null && !place.rest().contains(".") && (other.isEmpty() || name.contains("."));
        Optional<String> near =
                place != null && mayBeMeant ? TABLE.near(place.rest(), place.hints()) : Optional.empty();
        if (near.isPresent()) {
            report.dropUnknown(property, "unknown pool property; did you mean " + near.get() + "?");
        } else if (other.filter(Other::isNamed).isPresent()) {
            report.drop(property, other.get().reason());
        } else {
            String unknown = isPool && !name.contains(".")
                    ? "unknown pool property"
                    : "not about connections or calls; stays with the application";
            report.dropUnknown(property, other.map(Other::reason).orElse(unknown));
        }
    }
}
