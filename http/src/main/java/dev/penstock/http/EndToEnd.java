package dev.penstock.http;

import java.util.List;
import java.util.function.Predicate;

/**
 * Keeps the header fields that travel from end to end, and drops those that concern one connection only: {@code
 * Connection} and all that it names, and the few that old senders leave out of it (RFC 9110 section 7.6.1).
 */
final class EndToEnd {
    private static final List<String> ONE_HOP =
            List.of("Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade");

    private static final String PROXY = "Proxy-";

    private EndToEnd() {}

    static Headers of(Headers headers) {
        return of(headers, field -> false);
    }

    /** The same without others that are unwanted, in one go. */
    static Headers of(Headers headers, Predicate<Header> unwanted) {
        Headers left = headers;
        if (headers.has("Connection")) {
            for (String names : headers.all("Connection")) {
                for (String name : names.split(",", -1)) {
                    left = left.without(name.strip());
                }
            }
        }
        return left.withoutAll(field -> isOneHop(field) || unwanted.test(field));
    }

    private static boolean isOneHop(Header field) {
        // This is asked of every field of every request and answer, and hardly any begins like one of them.
        char initial = field.name().charAt(0);
        if ("CKTUPcktup".indexOf(initial) < 0) {
            return false;
        }
        for (String name : ONE_HOP) {
            if (field.is(name)) {
                return true;
            }
        }
        return field.name().regionMatches(true, 0, PROXY, 0, PROXY.length());
    }
}
