package dev.penstock.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds the flow for the path of a request. Immutable. */
final class Router {
    /** A route, and what only another server may take for a path of a route further down. */
    private record Entry(Route route, PathAmbiguity readings) {}

    /**
     * Where a request goes.
     *
     * @param path of the request, in its normal form, under the path of the route
     */
    record Match(Route route, String path) {}

    private final List<Entry> entries = new ArrayList<>();

    /**
     * A router.
     *
     * @param routes longest path first
     */
    Router(List<Route> routes) {
        for (Route route : routes) {
            List<String> below = routes.stream()
                    .map(Route::path)
                    .filter(other -> isFurtherDown(other, route.path()))
                    .toList();
            entries.add(new Entry(route, new PathAmbiguity(below)));
        }
    }

    /** Also where only a server that ignores case takes it for that. Paths that differ in case alone are beside each other. */
    private static boolean isFurtherDown(String path, String above) {
        String one = path.toLowerCase(Locale.ROOT);
        String other = above.toLowerCase(Locale.ROOT);
        return !Paths.areSame(one, other) && NormalPath.under(one, other) != null;
    }

    /**
     * The flow whose path is the longest that the path is under.
     *
     * @param raw the path as the client sent it, without the query
     * @throws BadInput no flow has it, or it is not clear which one does
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
            if (entry.readings.mayLeadThere(path)) {
                throw new BadInput(
                                400,
                                "Some servers take this path for another one, which has a flow of its own: write"
                                        + " that path without escapes, semicolons, capitals or an extension.")
                        .forFlow(entry.route.flow());
            }
            return new Match(entry.route, matched);
        }
        throw new BadInput(404, "No flow has this path.");
    }
}
