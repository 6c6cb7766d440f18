package dev.penstock.http.source;

import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.util.List;

/**
 * The header fields that the guarantees of a flow rest on. A request that would lose such a field on the way to the flow, or
 * that has two keys, is refused. Immutable.
 *
 * @param keys the names of fields that identify a request: at most one of each, and not empty
 * @param others the names of further fields that the flow reads
 */
record RequiredFields(List<String> keys, List<String> others) {
    private static final List<String> PASSED_ON = List.of(Header.DEADLINE, "Via", "traceparent", "tracestate");

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

    /** @throws BadInput the request would lose a field */
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
                || PASSED_ON.stream().anyMatch(field::is)
                || keys.stream().anyMatch(field::is)
                || others.stream().anyMatch(field::is);
    }
}
