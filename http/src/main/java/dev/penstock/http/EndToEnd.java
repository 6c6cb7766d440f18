package dev.penstock.http;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Keeps the header fields that travel from end to end, and drops those that concern one connection only: {@code
 * Connection} and all that it names, and the few that old senders leave out of it (RFC 9110 section 7.6.1).
 */
final class EndToEnd {
    private static final Set<String> ONE_HOP =
            Set.of("connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade");

    private EndToEnd() {}

    static Headers of(Headers headers) {
        Set<String> dropped = new HashSet<>(ONE_HOP);
        for (String names : headers.all("Connection")) {
            for (String name : names.split(",", -1)) {
                dropped.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return headers.withoutAll(field -> {
            String name = field.name().toLowerCase(Locale.ROOT);
            return dropped.contains(name) || name.startsWith("proxy-");
        });
    }
}
