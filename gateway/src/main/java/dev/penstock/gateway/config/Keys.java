package dev.penstock.gateway.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys a mapping may have.
 *
 * @param where the mapping's name in messages
 * @param known the keys of this version; empty allows any key
 * @param later reserved keys that this version does not support
 * @param aliases common names for a known key that are too different for a spelling hint
 */
record Keys(String where, List<String> known, List<String> later, Map<String, String> aliases) {
    /** Exactly these keys. */
    static Keys of(String where, String... known) {
        return new Keys(where, List.of(known), List.of(), Map.of());
    }

    /** Keys that the user chooses. */
    static Keys any(String where) {
        return of(where);
    }

    Keys later(String... words) {
        return new Keys(where, known, List.of(words), aliases);
    }

    Keys aliases(Map<String, String> words) {
        return new Keys(where, known, later, words);
    }

    boolean has(String key) {
        return known.isEmpty() || known.contains(key);
    }

    /** The message for an unknown key. */
    String refusal(String key) {
        if (later.contains(key)) {
            return "this version of Penstock does not support '" + key + "'; remove it";
        }
        Optional<String> near = Optional.ofNullable(aliases.get(key)).or(() -> SpellingHint.of(key, known));
        return "unknown key '" + Quoted.plain(key) + "' in " + where + "; "
                + near.map(word -> "did you mean '" + word + "'?").orElse("known keys: " + String.join(", ", known));
    }
}
