package dev.penstock.http;

import java.util.List;
import java.util.function.Predicate;

/**
 * Removes hop-by-hop header fields: {@code Connection}, the fields that it names, and those that old senders do not list there
 * (RFC 9110 section 7.6.1). The other fields are end-to-end.
 */
final class EndToEnd {
    private static final List<String> ONE_HOP =
            List.of("Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade");

    private static final String PROXY = "Proxy-";

    private EndToEnd() {}

    static Headers of(Headers headers) {
        return of(headers, field -> false);
    }

    /** Removes hop-by-hop fields and unwanted fields in one pass. */
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
        // Called for every field of every request and answer; hardly any begins with one of these letters.
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
