package dev.penstock.migrate;

import dev.penstock.text.SpellingHint;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of the property names of one product, with what becomes of each. Of two names of one key, the first counts. */
final class StageNames {
    private final Map<String, StageName> all = new LinkedHashMap<>();
    private final Map<String, StageName> byPlainName = new LinkedHashMap<>();
    private final String section;

    /** A table whose names all begin with a section and a dot. */
    StageNames(String section) {
        this.section = section;
    }

    /** Names that are written as a key; {@code note} is added to the comment. */
    StageNames use(FlowKey key, String note, String... names) {
        for (String name : names) {
            put(new StageName(section + "." + name, key, note));
        }
        return this;
    }

    /** Names that are dropped, and why. */
    StageNames drop(String why, String... names) {
        return use(FlowKey.NONE, why, names);
    }

    StageNames and(StageNames others) {
        others.all.values().forEach(this::put);
        return this;
    }

    private void put(StageName name) {
        all.put(name.name(), name);
        byPlainName.put(plain(name.name()), name);
    }

    /** All of them, in the order of the table, by their sections and names. */
    Map<String, StageName> all() {
        return all;
    }

    /** The entry of a name in any notation: maxAttempts, max-attempts, recordExceptions[0]. */
    @Nullable
    StageName get(String name) {
        StageName exact = byPlainName.getOrDefault(plain(name), byPlainName.get(plain(name) + ".*"));
        for (int dot = name.lastIndexOf('.'); exact == null && dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
            exact = byPlainName.get(plain(name.substring(0, dot)) + ".*");
        }
        return exact;
    }

    /** A name without its notation: that of maxAttempts, max-attempts and MAX_ATTEMPTS[0] is maxattempts. */
    static String plain(String name) {
        return name.replaceAll("\\[.*", "").replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    /** The probably intended name, without its section. */
    Optional<String> near(String name) {
        String before = name.substring(0, name.indexOf('.') + 1);
        return SpellingHint.of(
                name.substring(before.length()),
                all.keySet().stream()
                        .filter(other -> other.startsWith(before))
                        .map(other -> other.substring(before.length()))
                        .toList());
    }

    /**
     * A property name.
     *
     * @param name its section and name, for instance {@code retry.maxAttempts}; {@code .*} at the end for all below
     * @param key what it is written as
     * @param note added to the comment; why it is dropped, for {@link FlowKey#NONE}
     */
    record StageName(String name, FlowKey key, String note) {}
}
