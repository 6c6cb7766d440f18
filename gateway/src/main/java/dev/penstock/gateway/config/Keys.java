package dev.penstock.gateway.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys a mapping may have.
 *
 * @param where the mapping's name in messages
 * @param known the keys of this version; empty allows any key
 * @param later reserved keys that this version does not support
 * @param aliases common names for a known key that are too different for a spelling hint
 */
public record Keys(String where, List<String> known, List<String> later, Map<String, String> aliases) {
    private static final Pattern KEY = Pattern.compile("(\\w+)(?: \\(([^)]*)\\))?(?:, |$)");

    /**
     * Exactly these keys.
     *
     * @param spec the keys, each with its aliases, for instance {@code attempts (count max), backoff}
     */
    public static Keys of(String where, String spec) {
        List<String> known = new ArrayList<>();
        Map<String, String> aliases = new HashMap<>();
        Matcher key = KEY.matcher(spec);
        while (key.find()) {
            known.add(key.group(1));
            if (key.group(2) != null) {
                for (String alias : key.group(2).split(" ", -1)) {
                    aliases.put(alias, key.group(1));
                }
            }
        }
        return new Keys(where, List.copyOf(known), List.of(), Map.copyOf(aliases));
    }

    /** Keys that the user chooses. */
    public static Keys any(String where) {
        return of(where, "");
    }

    public Keys later(String... words) {
        return new Keys(where, known, List.of(words), aliases);
    }

    public boolean has(String key) {
        return known.isEmpty() || known.contains(key);
    }

    /** The message for an unknown key. */
    public String refusal(String key) {
        if (later.contains(key)) {
            return "this version of Penstock does not support '" + key + "'; remove it";
        }
        Optional<String> near = Optional.ofNullable(aliases.get(key)).or(() -> SpellingHint.of(key, known));
        return "unknown key '" + Quoted.plain(key) + "' in " + where + "; "
                + near.map(word -> "did you mean '" + word + "'?").orElse("known keys: " + String.join(", ", known));
    }
}
