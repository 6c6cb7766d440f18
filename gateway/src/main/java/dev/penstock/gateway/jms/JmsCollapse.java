package dev.penstock.gateway.jms;

import dev.penstock.Collapse;
import dev.penstock.Collapse.Prefer;
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
import org.jspecify.annotations.Nullable;

/**
 * Batching of several messages into one commit.
 *
 * @param location where it is in the file
 * @param max the maximum batch size
 * @param budget the longest time a message waits for others; null is adaptive
 * @param prefer whether to optimise for fewer commits or for latency; default auto
 */
record JmsCollapse(
        FileLocation location,
        Configured<Integer> max,
        @Nullable Configured<Budget> budget,
        Configured<Prefer> prefer) implements CollapseKind {
    private static final Schema COLLAPSE = Schema.of("collapse", "collapse: { max: 100 }, or collapse: auto");
    private static final Key<Integer> MAX = CollapseReader.max(COLLAPSE);
    private static final Key<Budget> BUDGET = CollapseReader.budget(COLLAPSE);
    private static final Key<Prefer> PREFER = CollapseReader.prefer(COLLAPSE);

    // No key is required, so "auto" is complete.
    static final KeyType<JmsCollapse> TYPE =
            KeyType.mapping(COLLAPSE, JmsCollapse::read).orWords("auto");

    private static @Nullable JmsCollapse read(ConfigValue value) {
        if (value.is("auto")) {
            return new JmsCollapse(
                    value.location(),
                    Configured.byDefault(Collapse.DEFAULT_MAX),
                    null,
                    Configured.byDefault(Prefer.AUTO));
        }
        ConfigMapping collapse = value.mapping(COLLAPSE);
        return collapse == null
                ? null
                : new JmsCollapse(value.location(), collapse.get(MAX), collapse.find(BUDGET), collapse.get(PREFER));
    }
}
