package dev.penstock.http.batch;

import dev.penstock.http.Header;
import dev.penstock.http.Headers;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which requests may share a call, by all but their bodies, and which of their header fields go along.
 *
 * @param path the only path that is fit; null for any
 * @param per the header fields, in lower case, that keep requests apart; null for all but those that say nothing
 * @param names header fields, in lower case, that name a request
 * @param member the member of a body that bears such a name too; null when none does
 */
record BatchCompatibility(
        @Nullable String path,
        @Nullable Set<String> per,
        Set<String> names,
        @Nullable String member) {
    static final BatchCompatibility STANDARD = new BatchCompatibility(null, null, Set.of("idempotency-key"), null);

    /** They speak of one body, or of one thing that the target has, and would be wrong or lost for many. */
    private static final Pattern OF_ONE_REQUEST = Pattern.compile(
            "expect|range|if-.*|content-(encoding|range|md5|digest)|(repr-|want-.*)?digest|signature(-input)?");

    /** They may differ, since they tell of a message, of its way, or of who watches it, and not of what is asked. */
    private static final Pattern OF_THE_WAY = Pattern.compile("accept-encoding|connection|content-length|date|host"
            + "|keep-alive|te|trailer|transfer-encoding|upgrade|priority|user-agent|via|"
            + HttpSource.DEADLINE_HEADER.toLowerCase(Locale.ROOT)
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

    /** Whether nothing of a request would be lost or mistaken in the company of others. */
    boolean mayShare(HttpCall call) {
        return mayBeWrapped(call) && !isNamedByHeaderAlone(call);
    }

    /** Whether nothing of a request would be lost or mistaken in a batch that is its own. */
    boolean mayBeWrapped(HttpCall call) {
        if (call.path().indexOf('?') >= 0 || (path != null && !path.equals(call.path()))) {
            return false;
        }
        for (Header field : call.headers()) {
            if (OF_ONE_REQUEST.matcher(lower(field)).matches()) {
                return false;
            }
        }
        return true;
    }

    private boolean isNamedByHeaderAlone(HttpCall call) {
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

    /** Equal for requests that may share a call. */
    List<Header> scope(HttpCall call) {
        List<Header> scope = new ArrayList<>();
        for (Header field : call.headers()) {
            String name = lower(field);
            if (separates(field, name)) {
                scope.add(new Header(name, field.value()));
            }
        }
        // Stable: the order of fields of one name counts (RFC 9110 section 5.3), that of names does not.
        scope.sort(Comparator.comparing(Header::name));
        return scope;
    }

    private boolean separates(Header field, String name) {
        if (isName(name)) {
            return false;
        }
        // Whatever else may be shared: nobody's call is made with the credentials of another.
        return per == null
                ? !OF_THE_WAY.matcher(name).matches()
                : per.contains(name) || name.equals("content-type") || field.isCredential();
    }

    /** The header fields of the first request that all the others have too; no name of one when there are others. */
    Headers common(List<HttpCall> requests) {
        boolean many = requests.size() > 1;
        List<Header> common = new ArrayList<>();
        for (Header field : requests.getFirst().headers()) {
            String name = lower(field);
            // An encoded answer could not be taken apart.
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
