package dev.penstock.gateway.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which keys a mapping may have.
 *
 * @param where the mapping's name in messages
 * @param known the keys this version has; empty when any key will do
 * @param later keys of the flow file that this version does not have
 * @param meant words that people write for one of the known keys, though they do not look alike
 */
record Keys(String where, List<String> known, List<String> later, Map<String, String> meant) {
    /** Exactly these keys. */
    static Keys of(String where, String... known) {
        return new Keys(where, List.of(known), List.of(), Map.of());
    }

    /** Names that the user chooses. */
    static Keys any(String where) {
        return of(where);
    }

    Keys later(String... words) {
        return new Keys(where, known, List.of(words), meant);
    }

    Keys meant(Map<String, String> words) {
        return new Keys(where, known, later, words);
    }

    boolean has(String key) {
        return known.isEmpty() || known.contains(key);
    }

    /** What to say of a key that is not one of the known. */
    String refusal(String key) {
        if (later.contains(key)) {
            return "this version of Penstock does not have '" + key + "' yet; leave it out";
        }
        Optional<String> near = Optional.ofNullable(meant.get(key)).or(() -> SpellingHint.of(key, known));
        return "unknown key '" + Quoted.plain(key) + "' in " + where + "; "
                + near.map(word -> "did you mean '" + word + "'?").orElse("known here: " + String.join(", ", known));
    }
}
