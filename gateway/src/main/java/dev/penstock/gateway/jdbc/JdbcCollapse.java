package dev.penstock.gateway.jdbc;

import dev.penstock.Collapse;
import dev.penstock.Collapse.Prefer;
import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.CollapseKind.Budget;
import dev.penstock.gateway.config.CollapseReader;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.Keys;
import org.jspecify.annotations.Nullable;

/**
 * Batching of several database requests into one batch or one query.
 *
 * @param location where it is in the file
 * @param max the maximum batch size; the default depends on the kind of statement
 * @param budget the longest time a request waits for others; null is adaptive
 * @param prefer whether to optimise for fewer calls or for latency; default auto
 * @param key the parameter that orders requests with equal values across batches; null for none
 * @param lookup the column that matches rows to requests; null for a statement that writes
 */
record JdbcCollapse(
        FileLocation location,
        Configured<Integer> max,
        @Nullable Configured<Budget> budget,
        Configured<Prefer> prefer,
        @Nullable Configured<String> key,
        @Nullable Configured<String> lookup)
        implements CollapseKind {
    private static final Keys COLLAPSE = Keys.of(
            "collapse", "max (size length), budget (window wait linger), prefer, key (order per), lookup (by column)");

    static @Nullable JdbcCollapse read(ConfigValue value) {
        // No key is required, so "auto" is complete.
        if (value.is("auto")) {
            return new JdbcCollapse(
                    value.location(),
                    Configured.byDefault(Collapse.DEFAULT_MAX),
                    null,
                    Configured.byDefault(Prefer.AUTO),
                    null,
                    null);
        }
        ConfigMapping collapse = value.mapping(COLLAPSE, "collapse: { max: 100 }, or collapse: auto");
        return collapse == null
                ? null
                : new JdbcCollapse(
                        value.location(),
                        CollapseReader.max(collapse),
                        CollapseReader.budget(collapse),
                        CollapseReader.prefer(collapse),
                        collapse.ifGiven("key", JdbcCollapse::name),
                        collapse.ifGiven("lookup", JdbcCollapse::name));
    }

    private static @Nullable String name(ConfigValue value) {
        String name = value.text();
        if (name == null || !name.isBlank()) {
            return name;
        }
        value.refuse("is empty", "write a name, or leave it out");
        return null;
    }
}
