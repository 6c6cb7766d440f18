package dev.penstock.gateway.jms;

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
import dev.penstock.jms.JmsBatch;
import org.jspecify.annotations.Nullable;

/**
 * Batching of several messages into one commit.
 *
 * @param location where it is in the file
 * @param max the maximum batch size
 * @param budget the longest time a message waits for others; null is adaptive
 */
record JmsCollapse(
        FileLocation location,
        Configured<Integer> max,
        @Nullable Configured<Budget> budget) implements CollapseKind {
    private static final Schema COLLAPSE = CollapseReader.schema("collapse: { max: 100 }, or collapse: auto");
    private static final Key<Integer> MAX = CollapseReader.max(COLLAPSE);
    private static final Key<Budget> BUDGET = CollapseReader.budget(COLLAPSE);

    // No key is required, so "auto" is complete.
    static final KeyType<JmsCollapse> TYPE =
            KeyType.mapping(COLLAPSE, JmsCollapse::read).orWords("auto");

    @Override
    public int atOnce() {
        return JmsBatch.AT_ONCE;
    }

    private static @Nullable JmsCollapse read(ConfigValue value) {
        if (value.is("auto")) {
            return new JmsCollapse(value.location(), Configured.byDefault(Collapse.DEFAULT_MAX), null);
        }
        ConfigMapping collapse = value.mapping(COLLAPSE);
        return collapse == null ? null : new JmsCollapse(value.location(), collapse.get(MAX), collapse.find(BUDGET));
    }
}
