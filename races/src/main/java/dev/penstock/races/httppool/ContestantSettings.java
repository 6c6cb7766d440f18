package dev.penstock.races.httppool;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of a contestant for the report, in their order. */
final class ContestantSettings {
    private ContestantSettings() {}

    /** Alternating names and values. */
    static Map<String, String> of(String... namesAndValues) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            settings.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return Collections.unmodifiableMap(settings);
    }
}
