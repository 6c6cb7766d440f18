package dev.penstock.http.batch;

import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Determines which requests may share a batch, by path and header fields, and which header fields the batch gets.
 *
 * @param path the only path allowed; null for any
 * @param per header names, in lower case, whose values must be equal within a batch; null for all except transport headers
 * @param names header names, in lower case, that identify a request
 * @param member the member of a body that also contains the identifier; null for none
 */
record BatchCompatibility(
        @Nullable String path,
        @Nullable Set<String> per,
        Set<String> names,
        @Nullable String member) {
    static final BatchCompatibility STANDARD = new BatchCompatibility(null, null, Set.of("idempotency-key"), null);

    /** Headers about a single body or resource; they would be wrong or lost in a batch. */
    private static final Pattern SINGLE_REQUEST = Pattern.compile(
            "expect|range|if-.*|content-(encoding|range|md5|digest)|(repr-|want-.*)?digest|signature(-input)?");

    /** Headers about the message, its transport or tracing. They may differ, because they do not affect the result. */
    private static final Pattern TRANSPORT = Pattern.compile("accept-encoding|connection|content-length|date|host"
            + "|keep-alive|te|trailer|transfer-encoding|upgrade|priority|user-agent|via|"
            + Header.DEADLINE.toLowerCase(Locale.ROOT)
            + "|traceparent|tracestate|baggage|b3|x-b3-.*|uber-trace-id|x-amzn-trace-id|x-cloud-trace-context");

    BatchCompatibility onPath(String only) {
        return new BatchCompatibility(only, per, names, member);
    }

    BatchCompatibility per(Set<String> headers) {
        return new BatchCompatibility(path, headers, names, member);
    }

    BatchCompatibility names(Set<String> headers) {
        return new BatchCompatibility(path, per, headers, member);
    }

    BatchCompatibility inBody(String named) {
        return new BatchCompatibility(path, per, names, named);
    }

    /**
     * Whether a request can share a batch with others without losing information.
     *
     * @param commonPath its path and query without what the format writes into the batch
     */
    boolean mayShare(HttpCall call, String commonPath) {
        return mayBeWrapped(call, commonPath) && !isIdentifiedByHeaderOnly(call);
    }

    /** Whether a request can be sent as a batch of one without losing information. */
    boolean mayBeWrapped(HttpCall call, String commonPath) {
        if (commonPath.indexOf('?') >= 0 || (path != null && !path.equals(commonPath))) {
            return false;
        }
        for (Header field : call.headers()) {
            if (SINGLE_REQUEST.matcher(lower(field)).matches()) {
                return false;
            }
        }
        return true;
    }

    private boolean isIdentifiedByHeaderOnly(HttpCall call) {
        for (Header field : call.headers()) {
            if (isName(lower(field)) && !isInBody(field, call)) {
                return true;
            }
        }
        return false;
    }

    private boolean isName(String name) {
        return names.contains(name) || name.contains("idempoten");
    }

    private boolean isInBody(Header field, HttpCall call) {
        String found = member == null ? null : JsonScanner.member(call.body(), member);
        return found != null
                && call.headers().all(field.name()).size() == 1
                && field.value().equals(found.startsWith("\"") ? found.substring(1) : found);
    }

    /** The header fields that must be equal within a batch. */
    List<Header> scope(HttpCall call) {
        List<Header> scope = new ArrayList<>();
        for (Header field : call.headers()) {
            String name = lower(field);
            if (separates(field, name)) {
                scope.add(new Header(name, field.value()));
            }
        }
        // A stable sort, because the order of fields with the same name is significant (RFC 9110 section 5.3).
        scope.sort(Comparator.comparing(Header::name));
        return scope;
    }

    private boolean separates(Header field, String name) {
        if (isName(name)) {
            return false;
        }
        // In any case, no request is sent with the credentials of another.
        return per == null
                ? !TRANSPORT.matcher(name).matches()
                : per.contains(name) || name.equals("content-type") || field.isCredential();
    }

    /** The header fields common to all requests; without identifiers if there is more than one request. */
    Headers common(List<HttpCall> requests) {
        boolean many = requests.size() > 1;
        List<Header> common = new ArrayList<>();
        for (Header field : requests.getFirst().headers()) {
            String name = lower(field);
            // A compressed answer could not be split.
            if (!(many && isName(name)) && !name.equals("accept-encoding") && allHave(field.name(), requests)) {
                common.add(field);
            }
        }
        return Headers.of(common);
    }

    private static boolean allHave(String name, List<HttpCall> requests) {
        List<String> values = requests.getFirst().headers().all(name);
        return requests.stream().allMatch(request -> request.headers().all(name).equals(values));
    }

    private static String lower(Header field) {
        return field.name().toLowerCase(Locale.ROOT);
    }
}
