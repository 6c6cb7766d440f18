package dev.penstock.races.httppool;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a contestant runs with, for people: names and values in the order in which they are written, in every run. */
final class ContestantSettings {
    private ContestantSettings() {}

    /** Each name, then its value. */
    static Map<String, String> of(String... namesAndValues) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            settings.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return Collections.unmodifiableMap(settings);
    }
}
