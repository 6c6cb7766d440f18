package dev.penstock.http.source;

import dev.penstock.Deadline;
import dev.penstock.Service;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.http.http1.BodyReader;
import dev.penstock.http.source.Router.Route;
import dev.penstock.memory.MemoryBudget;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads each request completely, within its limits, before it is passed to a flow. Throws {@link BadInput} for refused
 * requests. Thread-safe.
 */
final class SourceRequestReader {
    private static final Set<String> METHODS = Set.of(FlowHandler.ALLOWED.split(", ", -1));
    private static final Pattern MILLIS = Pattern.compile("0*[1-9][0-9]{0,14}");
    private static final byte[] NOTHING = new byte[0];

    /** A request with its route. */
    record Offer(Route route, HttpCall call, @Nullable Deadline deadline, Service<HttpCall, HttpAnswer> service) {}

    /** How long a body waits for memory: 500 ms. Meanwhile connections of slow clients that hold memory are closed. */
    private static final long MAX_MEMORY_WAIT = 500_000_000;

    private final Router router;
    private final MemoryBudget memory;

    /**
     * Creates a reader.
     *
     * @param routes longest path first
     */
    SourceRequestReader(List<Route> routes, MemoryBudget memory) {
        this.router = new Router(routes);
        this.memory = memory;
    }

    Offer read(ServerRequest request, TimedConnection connection, MemoryBudget.Lease lease) {
        String method = method(request.prologue().method());
        if (request.prologue().fragment().hasValue()) {
            throw new BadInput(400, "The request target must not have a fragment.");
        }
        Router.Match match = router.match(request.prologue().uriPath().rawPath());
        Route route = match.route();
        try {
            return offer(request, connection, method, match.path(), route, lease);
        } catch (BadInput e) {
            throw e.forFlow(route.flow());
        }
    }

    private Offer offer(
            ServerRequest request,
            TimedConnection connection,
            String method,
            String path,
            Route route,
            MemoryBudget.Lease lease) {
        RequestGate.Admitted admitted =
                route.gate().admit(headers(request), new RequestGate.Peer(connection.client(), List.of()));
        Headers headers = admitted.headers();
        route.required().check(headers);
        if (headers.all("Via").stream().anyMatch(hops -> hops.contains(route.via()))) {
            throw BadInput.loop();
        }
        // The deadline starts before the body is read: a slow body uses up the client's own time.
        Deadline deadline = deadline(headers);
        HttpCall call = call(method, path, request, headers);
        byte[] body = body(request, headers, route.maxBody(), connection, lease);
        HttpCall whole = call.with(forwarded(headers, connection.isHttp10(), route), body);
        return new Offer(route, whole.within(lease), deadline, admitted.service());
    }

    private static String method(Method method) {
        String name = method.text();
        if (METHODS.contains(name)) {
            return name;
        }
        if ("TRACE".equals(name)) {
            throw BadInput.methodNotAllowed(
                    "TRACE is not supported, because it would reveal headers that proxies have added.",
                    FlowHandler.ALLOWED);
        }
        throw new BadInput(501, "This method is not supported. Supported methods are " + FlowHandler.ALLOWED + ".");
    }

    private static Headers headers(ServerRequest request) {
        List<Header> fields = new ArrayList<>();
        try {
            for (io.helidon.http.Header field : request.headers()) {
                for (String value : field.allValues()) {
                    fields.add(new Header(field.name(), value));
                }
            }
        } catch (IllegalArgumentException e) {
            throw new BadInput(400, "A header field has an invalid name or value.");
        }
        return Headers.of(fields);
    }

    private static @Nullable Deadline deadline(Headers headers) {
        List<String> given = headers.all(Header.DEADLINE);
        if (given.isEmpty()) {
            return null;
        }
        if (given.size() > 1 || !MILLIS.matcher(given.getFirst()).matches()) {
            throw new BadInput(400, Header.DEADLINE + " must be one whole number of milliseconds above 0.");
        }
        return Deadline.in(Duration.ofMillis(Long.parseLong(given.getFirst())));
    }

    private static HttpCall call(String method, String path, ServerRequest request, Headers headers) {
        String query =
                request.prologue().hasQuery() ? "?" + request.prologue().query().rawValue() : "";
        try {
            return HttpCall.of(method, path + query, headers, NOTHING);
        } catch (IllegalArgumentException e) {
            throw new BadInput(400, "The request target is invalid: " + e.getMessage() + ".");
        }
    }

    private byte[] body(
            ServerRequest request, Headers headers, int allowed, TimedConnection connection, MemoryBudget.Lease lease) {
        int max = (int) Math.min(allowed, memory.largest());
        String declared = headers.first("Content-Length");
        // Helidon has validated that it is a number in range.
        long length = declared == null ? max : Long.parseLong(declared);
        if (length > max) {
            throw tooLarge(max);
        }
        if (!request.content().hasEntity()) {
            return NOTHING;
        }
        connection.body(max, headers.has("Transfer-Encoding"));
        try {
            byte[] body = BodyReader.atMost(
                    request.content().inputStream(), (int) length, bytes -> take(lease, bytes, connection));
            if (body == null) {
                throw tooLarge(max);
            }
            return body;
        } catch (IOException e) {
            throw new CloseConnectionException("the client closed the connection within the body", e);
        } catch (CloseConnectionException | BadInput e) {
            throw e;
        } catch (RequestException e) {
            throw new BadInput(e.status().code(), BadRequests.DETAIL);
        } catch (RuntimeException e) {
            // Helidon's chunk parser throws unchecked exceptions for malformed chunks.
            throw new BadInput(400, BadRequests.DETAIL);
        }
    }

    private static void take(MemoryBudget.Lease lease, int bytes, TimedConnection connection) {
        if (lease.tryTake(bytes)) {
            return;
        }
        try {
            if (!connection.phase().whileWaiting(() -> lease.tryTake(bytes, MAX_MEMORY_WAIT))) {
                throw BadInput.noMemory();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CloseConnectionException("the source is closed", e);
        }
    }

    private static BadInput tooLarge(int max) {
        return new BadInput(413, "The body has more than the maximum of " + max + " bytes.");
    }

    private static boolean isConsumed(Header field) {
        return field.is("Content-Length") || field.is("Expect") || field.is(Header.DEADLINE);
    }

    /** The fields for the flow. Via tells the target that there is a gateway (RFC 9110 section 7.6.3). */
    private static Headers forwarded(Headers headers, boolean http10, Route route) {
        return headers.endToEnd(SourceRequestReader::isConsumed).and("Via", (http10 ? "1.0 " : "1.1 ") + route.via());
    }
}
