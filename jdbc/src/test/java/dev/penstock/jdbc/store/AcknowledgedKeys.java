package dev.penstock.jdbc.store;

import dev.penstock.jdbc.store.KeyRows.KeyRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a store acknowledged, read from the lines that its process printed. */
final class AcknowledgedKeys {
    private final Map<String, String> states = new HashMap<>();

    /** Reads one line: {@code claimed K}, {@code ended K}, {@code releasing K} or {@code released K}. */
    void line(String text) {
        String[] words = text.split(" ", -1);
        if (words.length == 2) {
            states.put(words[1], words[0]);
        }
    }

    int size() {
        return states.size();
    }

    /** The ending of a key. Some are large, so that the log is copied into the file from time to time. */
    static byte[] ending(String key, int size) {
        byte[] ending = new byte[size];
        Arrays.fill(ending, (byte) key.hashCode());
        return ending;
    }

    /** What is missing in the rows. */
    List<String> lost(Map<String, KeyRow> rows) {
        List<String> lost = new ArrayList<>();
        states.forEach((key, state) -> {
            KeyRow row = rows.get(key);
            boolean isThere = switch (state) {
                case "claimed" -> row != null && isOwn(key, row) && isEnding(key, row.ending(), true);
                case "ended" -> row != null && isOwn(key, row) && isEnding(key, row.ending(), false);
                case "released" -> row == null;
                default -> true;
            };
            if (!isThere) {
                lost.add(state + " " + key + ", but the row is " + row);
            }
        });
        return lost;
    }

    private static boolean isOwn(String key, KeyRow row) {
        return row.owner() == key.hashCode() && !row.isExpired();
    }

    private static boolean isEnding(String key, byte @Nullable [] ending, boolean orNone) {
        return ending == null ? orNone : Arrays.equals(ending, ending(key, ending.length)) && ending.length > 0;
    }

    List<String> keys() {
        return List.copyOf(states.keySet());
    }
}
