package dev.penstock.cli;

import dev.penstock.http.HttpCall;
import dev.penstock.lab.load.TransactionMix;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One of the requests of an HTTP load, as given by {@code --request}.
 *
 * @param share its label, and its weight among all requests
 * @param method a token such as {@code POST}
 * @param path below the target, may have a query
 * @param body as {@code --body}; null for none, or for a random payment each time if the method has a body
 */
record LabelledRequest(
        TransactionMix.Share share,
        String method,
        String path,
        @Nullable String body) {
    private static final int PARTS = 5;

    /**
     * Parses a request.
     *
     * @param text {@code LABEL WEIGHT METHOD PATH [BODY]}
     * @throws IllegalArgumentException it is not one, with a one-line remedy
     */
    static LabelledRequest parse(String text) {
        String[] parts = text.strip().split("\\s+", PARTS);
        if (parts.length < PARTS - 1 || !parts[1].matches("\\d{1,9}") || !parts[3].startsWith("/")) {
            throw new IllegalArgumentException("\"" + text
                    + "\" is not a request: write LABEL WEIGHT METHOD PATH [BODY], for instance 'browse 8 GET /items'");
        }
        return new LabelledRequest(
                new TransactionMix.Share(parts[0], Integer.parseInt(parts[1])),
                parts[2],
                parts[3],
                parts.length == PARTS ? parts[PARTS - 1] : null);
    }

    /** The mix of these requests. */
    static TransactionMix mix(List<LabelledRequest> requests, long seed) {
        return new TransactionMix(requests.stream().map(LabelledRequest::share).toList(), seed);
    }

    /**
     * A factory of HTTP calls.
     *
     * @param requests at least one
     * @param headers of all of them, each {@code NAME: VALUE}
     * @param seed of their mix and of the payments
     * @throws IllegalArgumentException invalid requests, with a one-line remedy
     */
    static LongFunction<HttpCall> calls(List<LabelledRequest> requests, List<String> headers, long seed) {
        TransactionMix mix = mix(requests, seed);
        List<LongFunction<HttpCall>> calls = requests.stream()
                .map(request -> CallMaker.of(request.method, request.path, request.body, headers, seed))
                .toList();
        return number -> calls.get(mix.labelOf(number)).apply(number);
    }

    /** The text of a request without its query and body, which may contain secrets. */
    static String withoutSecrets(String text) {
        String[] parts = text.strip().split("\\s+", PARTS);
        if (parts.length == PARTS) {
            parts[PARTS - 1] = "***";
        }
        return String.join(" ", parts).replaceFirst("\\?\\S*", "?***");
    }
}
