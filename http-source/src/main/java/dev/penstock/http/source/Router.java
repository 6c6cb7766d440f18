package dev.penstock.http.source;

import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.http.internal.NormalPath;
import dev.penstock.http.internal.Paths;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Finds the flow for the path of a request. Immutable. */
final class Router {
    /**
     * Routes a path to a flow, whose guarantees rest on header fields.
     *
     * @param keys the names of fields that identify a request: at most one of each, and not empty
     * @param others the names of further fields that the flow reads
     * @param via the name of this route in Via (RFC 9110 section 7.6.3), by which it recognizes its own requests
     */
    record Route(
            String path,
            String flow,
            RequestGate gate,
            int maxBody,
            List<String> keys,
            List<String> others,
            String via) {
        static Route of(
                String path, String flow, RequestGate gate, int maxBody, List<String> keys, List<String> others) {
            String via = "penstock-" + HexFormat.of().toHexDigits(RANDOM.nextLong());
            return new Route(path, flow, gate, maxBody, List.copyOf(keys), List.copyOf(others), via);
        }

        /** @throws BadInput a request has two keys of a name, or an empty one */
        void checkKeys(Headers headers) {
            for (String key : keys) {
                List<String> values = headers.all(key);
                if (values.size() > 1) {
                    throw new BadInput(400, "The request has " + values.size() + " fields " + key + ": send one key.");
                }
                if (!values.isEmpty() && values.getFirst().isEmpty()) {
                    throw new BadInput(400, "The field " + key + " is empty: send a key, or omit the field.");
                }
            }
        }

        /** @throws BadInput the request would lose a field on the way to the flow */
        void checkConnection(Headers received) {
            for (Header field : received.removedByConnection()) {
                if (isRequired(field)) {
                    throw new BadInput(
                            400,
                            "The field Connection names " + field.name()
                                    + ", so it would be removed although this flow needs it: remove it from Connection.");
                }
            }
        }

        /** Credentials and proxies identify the client; loops, traces and deadlines pass through every recipient. */
        private boolean isRequired(Header field) {
            return field.isCredential()
                    || TrustedProxies.isForwarding(field)
                    || Stream.of(PASSED_ON, keys, others).flatMap(List::stream).anyMatch(field::is);
        }
    }

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final List<String> PASSED_ON = List.of(Header.DEADLINE, "Via", "traceparent", "tracestate");

    /** A route, and the check for paths that another server could interpret as those of a more specific route. */
    private record Entry(Route route, PathAmbiguity ambiguity) {}

    /**
     * The route of a request.
     *
     * @param path of the request, in normal form, under the path of the route
     */
    record Match(Route route, String path) {}

    private final List<Entry> entries = new ArrayList<>();

    /**
     * Creates a router.
     *
     * @param routes longest path first
     */
    Router(List<Route> routes) {
        for (Route route : routes) {
            List<String> below = routes.stream()
                    .map(Route::path)
                    .filter(other -> isMoreSpecific(other, route.path()))
                    .toList();
            entries.add(new Entry(route, new PathAmbiguity(below)));
        }
    }

    /** Ignores case, as some servers do. Paths that differ only in case are not below each other. */
    private static boolean isMoreSpecific(String path, String above) {
        String one = path.toLowerCase(Locale.ROOT);
        String other = above.toLowerCase(Locale.ROOT);
        return !Paths.areSame(one, other) && NormalPath.under(one, other) != null;
    }

    /**
     * Returns the longest matching route.
     *
     * @param raw the path as the client sent it, without the query
     * @throws BadInput no route matches, or the path is ambiguous
     */
    Match match(String raw) {
        String path;
        try {
            path = NormalPath.of(raw);
        } catch (IllegalArgumentException e) {
            throw new BadInput(400, String.valueOf(e.getMessage()));
        }
        for (Entry entry : entries) {
            String matched = NormalPath.under(path, entry.route.path());
            if (matched == null) {
                continue;
            }
            if (entry.ambiguity.isAmbiguous(path)) {
                throw new BadInput(
                                400,
                                "Some servers interpret this path as the path of another flow: write it without"
                                        + " escapes, semicolons, upper-case letters or an extension.")
                        .forFlow(entry.route.flow());
            }
            return new Match(entry.route, matched);
        }
        throw new BadInput(404, "No flow has this path.");
    }
}
