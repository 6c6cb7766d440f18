package dev.penstock.migrate;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** A key of a flow, with what it allows: {@code keys.txt}. */
record FlowKey(String path, Unit unit, long min, long max, boolean negativeIsUnlimited) {
    static final Map<String, FlowKey> ALL = Table.lines("keys.txt").stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> of(Arrays.asList(line.split(" \\| ", -1))))
            .collect(Collectors.toMap(FlowKey::path, key -> key));

    private static FlowKey of(List<String> cells) {
        boolean isNumber = cells.size() > 2;
        return new FlowKey(
                cells.get(0),
                Unit.valueOf(cells.get(1).toUpperCase(Locale.ROOT)),
                isNumber ? Long.parseLong(cells.get(2)) : 0,
                isNumber ? Long.parseLong(cells.get(3)) : 0,
                cells.contains("unlimited"));
    }

    static FlowKey of(String path) {
        return Objects.requireNonNull(ALL.get(path), path);
    }

    /** How a value is written. */
    enum Unit {
        COUNT,
        PERCENT,
        /** In the old file milliseconds, unless it has a unit. */
        TIME,
        /** In the old file bytes, unless it has a unit. */
        SIZE,
        FLAG,
        TEXT
    }
}
