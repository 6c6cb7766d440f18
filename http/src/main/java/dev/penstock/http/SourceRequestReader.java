package dev.penstock.http;

import dev.penstock.Deadline;
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
 * Reads requests, each in full and within its bounds, before any flow hears of them. Throws {@link BadInput} for what is
 * turned away. Safe for many threads.
 */
final class SourceRequestReader {
    private static final Set<String> METHODS = Set.of(FlowHandler.ALLOWED.split(", ", -1));
    private static final Pattern MILLIS = Pattern.compile("0*[1-9][0-9]{0,14}");
    private static final byte[] NOTHING = new byte[0];
    private static final Header VIA = new Header("Via", "1.1 penstock");
    private static final Header VIA_HTTP_10 = new Header("Via", "1.0 penstock");

    /** A request and where it is to go. */
    record Offer(Route route, HttpCall call, @Nullable Deadline deadline) {}

    /** How long a body waits for memory. Meanwhile clients that hold much of it and are too slow are cut. */
    private static final long MEMORY_PATIENCE = 500_000_000;

    private final Router router;
    private final MemoryBudget memory;

    /**
     * A reader.
     *
     * @param routes longest path first
     */
    SourceRequestReader(List<Route> routes, MemoryBudget memory) {
        this.router = new Router(routes);
        this.memory = memory;
    }

    Offer read(ServerRequest request, TimedConnection connection, MemoryBudget.Lease lease) {
        String method = method(request.prologue().method());
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
        Headers headers = headers(request);
        // From here on: a slow body takes from the client's own time.
        Deadline deadline = deadline(headers);
        HttpCall call = call(method, path, request, headers);
        byte[] body = body(request, headers, route.maxBody(), connection, lease);
        HttpCall whole = call.with(forwarded(headers, connection.isHttp10()), body);
        return new Offer(route, whole.within(lease), deadline);
    }

    private static String method(Method method) {
        String name = method.text();
        if (METHODS.contains(name)) {
            return name;
        }
        if ("TRACE".equals(name)) {
            throw new BadInput(405, "TRACE is not carried, since it would show what others have added.");
        }
        throw new BadInput(501, "This method is not carried. Methods are " + FlowHandler.ALLOWED + ".");
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
            throw new BadInput(400, "A header field has a name or a value that no header can carry.");
        }
        return Headers.of(fields);
    }

    private static @Nullable Deadline deadline(Headers headers) {
        List<String> given = headers.all(HttpSource.DEADLINE_HEADER);
        if (given.isEmpty()) {
            return null;
        }
        if (given.size() > 1 || !MILLIS.matcher(given.getFirst()).matches()) {
            throw new BadInput(400, HttpSource.DEADLINE_HEADER + " is one whole number of milliseconds above 0.");
        }
        return Deadline.in(Duration.ofMillis(Long.parseLong(given.getFirst())));
    }

    private static HttpCall call(String method, String path, ServerRequest request, Headers headers) {
        String query =
                request.prologue().hasQuery() ? "?" + request.prologue().query().rawValue() : "";
        if (request.prologue().fragment().hasValue()) {
            throw new BadInput(400, "A fragment is never sent.");
        }
        try {
            return HttpCall.of(method, path + query, headers, NOTHING);
        } catch (IllegalArgumentException e) {
            throw new BadInput(400, "The path has a character that must be percent-encoded, or a . or .. segment.");
        }
    }

    private byte[] body(
            ServerRequest request,
            Headers headers,
            int allowed,
            TimedConnection connection,
            MemoryBudget.Lease lease) {
        int most = (int) Math.min(allowed, memory.largest());
        String told = headers.first("Content-Length");
        // The server has checked that it is a number that fits.
        long length = told == null ? most : Long.parseLong(told);
        if (length > most) {
            throw tooLarge(most);
        }
        if (!request.content().hasEntity()) {
            return NOTHING;
        }
        connection.body(most, headers.has("Transfer-Encoding"));
        try {
            byte[] body = BodyReader.atMost(
                    request.content().inputStream(), (int) length, bytes -> take(lease, bytes, connection));
            if (body == null) {
                throw tooLarge(most);
            }
            return body;
        } catch (IOException e) {
            throw new CloseConnectionException("the body broke off", e);
        } catch (CloseConnectionException | BadInput e) {
            throw e;
        } catch (RequestException e) {
            throw new BadInput(e.status().code(), BadRequests.DETAIL);
        } catch (RuntimeException e) {
            // The server's reader of chunks lets exceptions of its own parsing out.
            throw new BadInput(400, BadRequests.DETAIL);
        }
    }

    private static void take(MemoryBudget.Lease lease, int bytes, TimedConnection connection) {
        if (lease.tryTake(bytes)) {
            return;
        }
        try {
            if (!connection.phase().whileWaiting(() -> lease.tryTake(bytes, MEMORY_PATIENCE))) {
                throw BadInput.noMemory();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CloseConnectionException("the source is closed", e);
        }
    }

    private static BadInput tooLarge(int most) {
        return new BadInput(413, "The body may have " + most + " bytes at most.");
    }

    private static boolean isOurs(Header field) {
        return field.is("Content-Length") || field.is("Expect") || field.is(HttpSource.DEADLINE_HEADER);
    }

    /** What travels on. Via tells the target that there is a gateway before it (RFC 9110 section 7.6.3). */
    private static Headers forwarded(Headers headers, boolean http10) {
        return EndToEnd.of(headers, SourceRequestReader::isOurs).and(http10 ? VIA_HTTP_10 : VIA);
    }
}
