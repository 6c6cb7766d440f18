package dev.penstock.http;

import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.text.SpellingHint;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once that requests have a header which is nearly the key, but not the key. Thread-safe. */
final class KeyHint {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.keys");
    /** Clients choose the names, so only so many are checked. */
    private static final int MAX_NAMES = 1_000;

    private static final Set<String> CHECKED = ConcurrentHashMap.newKeySet();

    private KeyHint() {}

    /** Checks a request without the key; returns whether anything was logged. */
    static boolean check(String key, Headers headers) {
        boolean logged = false;
        for (Header field : headers) {
            if (CHECKED.size() < MAX_NAMES
                    && CHECKED.add(key + ":" + field.name().toLowerCase(Locale.ROOT))
                    && SpellingHint.of(field.name(), List.of(key)).isPresent()) {
                LOG.warn(
                        "a request has the header {} and not {}, so it has no key: it is neither deduplicated nor sent again"
                                + " after an unknown ending; correct the name in the client, or the key of the flow",
                        field.name(),
                        key);
                logged = true;
            }
        }
        return logged;
    }
}
