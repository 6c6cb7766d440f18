package dev.penstock.gateway.config;

import dev.penstock.Collapse;
import org.jspecify.annotations.Nullable;

/**
 * Batching with the keys that all targets have.
 *
 * @param location where it is in the file
 * @param max the maximum batch size
 * @param budget the longest time a request waits for others; null is adaptive
 * @param atOnce the maximum number of concurrent batches, where the file leaves it to the gateway
 */
public record PlainCollapse(
        FileLocation location,
        Configured<Integer> max,
        @Nullable Configured<Budget> budget,
        int atOnce) implements CollapseKind {
    private static final Schema COLLAPSE = CollapseReader.schema("collapse: { max: 100 }, or collapse: auto");
    private static final Key<Integer> MAX = CollapseReader.max(COLLAPSE);
    private static final Key<Budget> BUDGET = CollapseReader.budget(COLLAPSE);

    /** Its type. No key is required, so "auto" is complete. */
    public static KeyType<PlainCollapse> type(int atOnce) {
        return KeyType.mapping(COLLAPSE, value -> read(value, atOnce)).orWords("auto");
    }

    private static @Nullable PlainCollapse read(ConfigValue value, int atOnce) {
        if (value.is("auto")) {
            return new PlainCollapse(value.location(), Configured.byDefault(Collapse.DEFAULT_MAX), null, atOnce);
        }
        ConfigMapping given = value.mapping(COLLAPSE);
        return given == null ? null : new PlainCollapse(value.location(), given.get(MAX), given.find(BUDGET), atOnce);
    }
}
