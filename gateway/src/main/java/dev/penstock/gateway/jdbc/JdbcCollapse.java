package dev.penstock.gateway.jdbc;

import dev.penstock.Collapse;
import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.CollapseKind.Budget;
import dev.penstock.gateway.config.CollapseReader;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import dev.penstock.jdbc.JdbcBatch;
import org.jspecify.annotations.Nullable;

/**
 * Batching of several database requests into one batch or one query.
 *
 * @param location where it is in the file
 * @param max the maximum batch size; the default depends on the kind of statement
 * @param budget the longest time a request waits for others; null is adaptive
 * @param key the parameter that orders requests with equal values across batches; null for none
 * @param lookup the column that matches rows to requests; null for a statement that writes
 */
record JdbcCollapse(
        FileLocation location,
        Configured<Integer> max,
        @Nullable Configured<Budget> budget,
        @Nullable Configured<String> key,
        @Nullable Configured<String> lookup)
        implements CollapseKind {
    private static final Schema COLLAPSE = CollapseReader.schema("collapse: { max: 100 }, or collapse: auto");
    private static final Key<Integer> MAX = CollapseReader.max(COLLAPSE);
    private static final Key<Budget> BUDGET = CollapseReader.budget(COLLAPSE);
    private static final Key<String> KEY = COLLAPSE.key(
                    "key",
                    KeyType.text("a parameter", JdbcCollapse::name),
                    "the parameter whose equal values keep requests in order across batches")
            .without("no order")
            .alias("order per");
    private static final Key<String> LOOKUP = COLLAPSE.key(
                    "lookup",
                    KeyType.text("a column", JdbcCollapse::name),
                    "the column of the result that has the key: one query for many keys, in (:id)")
            .without("one commit for many writes")
            .alias("by column");

    // No key is required, so "auto" is complete.
    static final KeyType<JdbcCollapse> TYPE =
            KeyType.mapping(COLLAPSE, JdbcCollapse::read).orWords("auto");

    /** Only writes end with a commit. */
    @Override
    public int atOnce() {
        return lookup == null ? JdbcBatch.AT_ONCE : CollapseKind.super.atOnce();
    }

    private static @Nullable JdbcCollapse read(ConfigValue value) {
        if (value.is("auto")) {
            return new JdbcCollapse(value.location(), Configured.byDefault(Collapse.DEFAULT_MAX), null, null, null);
        }
        ConfigMapping collapse = value.mapping(COLLAPSE);
        return collapse == null
                ? null
                : new JdbcCollapse(
                        value.location(),
                        collapse.get(MAX),
                        collapse.find(BUDGET),
                        collapse.find(KEY),
                        collapse.find(LOOKUP));
    }

    private static @Nullable String name(ConfigValue value) {
        return value.notEmpty(String::isBlank, "write a name, or leave it out");
    }
}
