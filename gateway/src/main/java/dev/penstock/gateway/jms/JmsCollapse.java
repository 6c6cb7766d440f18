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
import dev.penstock.gateway.config.Keys;
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
    private static final Keys COLLAPSE = Keys.of("collapse", "max (size length), budget (window wait linger), prefer");

    static @Nullable JmsCollapse read(ConfigValue value) {
        // No key is required, so "auto" is complete.
        if (value.is("auto")) {
            return new JmsCollapse(
                    value.location(),
                    Configured.byDefault(Collapse.DEFAULT_MAX),
                    null,
                    Configured.byDefault(Prefer.AUTO));
        }
        ConfigMapping collapse = value.mapping(COLLAPSE, "collapse: { max: 100 }, or collapse: auto");
        return collapse == null
                ? null
                : new JmsCollapse(
                        value.location(),
                        CollapseReader.max(collapse),
                        CollapseReader.budget(collapse),
                        CollapseReader.prefer(collapse));
    }
}
