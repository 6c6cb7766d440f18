package dev.penstock.http.source;

import dev.penstock.Deadline;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.Router.Route;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.meter.LastReasons;
import dev.penstock.meter.Meter;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the flow for the path of a request and writes its answer to the client. Thread-safe. */
final class FlowHandler implements Handler {
    private static final Logger LOG = LoggerFactory.getLogger(HttpSource.class);

    static final String ALLOWED = "GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS";

    private static final Header ANSWERED = new Header(ProblemDetails.ENDING_HEADER, "answered");

    /** The same header as a Helidon type. */
    private static final io.helidon.http.Header HELIDON_ANSWERED =
            HeaderValues.createCached(ANSWERED.name(), ANSWERED.value());

    /** Larger answers are written in pieces of this size, to detect clients that read slowly. */
    private static final int PIECE = 64 << 10;

    private static final Duration MEMORY_RETRY = Duration.ofSeconds(1);

    private final MemoryBudget memory;
    private final SourceRequestReader requests;
    private final RandomGenerator random;
    private final BooleanSupplier draining;
    private final Map<String, LastReasons> unexpectedErrors = new ConcurrentHashMap<>();

    /** The flows with a loop that was logged. */
    private final Set<String> loops = ConcurrentHashMap.newKeySet();

    FlowHandler(List<Route> routes, MemoryBudget memory, RandomGenerator random, BooleanSupplier draining) {
        this.memory = memory;
        this.requests = new SourceRequestReader(routes, memory);
        this.random = random;
        this.draining = draining;
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        try (MemoryBudget.Lease lease = memory.lease()) {
            handle(request, response, TimedConnection.CURRENT.get(), lease);
        }
    }

    private void handle(
            ServerRequest request, ServerResponse response, TimedConnection connection, MemoryBudget.Lease lease) {
        HttpAnswer answer;
        boolean readWhole = true;
        try {
            SourceRequestReader.Offer offer = requests.read(request, connection, lease);
            connection.flow();
            answer = transact(offer);
            lease.holdAtLeast(answer.body().length);
        } catch (BadInput e) {
            answer = e.isTemporary() ? withRetryAfter(e) : e.answer();
            if (e.isLoop() && loops.add(String.valueOf(e.flow()))) {
                LOG.warn(
                        "{}: a request came back to this flow and was answered 508: its target leads back to it; correct the"
                                + " URL of the target (logged once)",
                        e.flow());
            }
            readWhole = !request.content().hasEntity();
        }
        boolean last = !readWhole || draining.getAsBoolean() || wantsClose(request);
        connection.answer();
        write(request, response, answer, connection, persistence(connection, last));
        if (!readWhole) {
            connection.linger();
        }
        if (last) {
            // Helidon would go on reading requests.
            throw new CloseConnectionException("the last answer on this connection was sent");
        }
        connection.idle();
    }

    private HttpAnswer withRetryAfter(BadInput e) {
        return e.answer().withHeader("Retry-After", Long.toString(ProblemDetails.retryAfter(MEMORY_RETRY, random)));
    }

    /** Whether the client sent {@code Connection: close}. Most requests have no such field, so its value is rarely parsed. */
    private static boolean wantsClose(ServerRequest request) {
        return request.headers().contains(HeaderNames.CONNECTION)
                && request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
    }

    private HttpAnswer transact(SourceRequestReader.Offer offer) {
        String flow = offer.route().flow();
        Deadline deadline = offer.deadline();
        try {
            HttpAnswer answer = deadline == null
                    ? offer.service().call(offer.call())
                    : deadline.call(() -> offer.service().call(offer.call()));
            return answer.withHeader(ANSWERED);
        } catch (Unanswered ending) {
            return ProblemDetails.ofEnding(flow, ending, random);
        } catch (BadInput wrong) {
            return wrong.forFlow(flow).answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log(flow, e);
            return ProblemDetails.ofError(flow);
        } catch (Exception | Error e) { // the flow counted an Error as unknown, and so it is answered
            log(flow, e);
            return ProblemDetails.ofError(flow);
        }
    }

    /** The Connection header of an answer. HTTP/1.1 connections persist by default, HTTP/1.0 connections do not. */
    private static io.helidon.http.@Nullable Header persistence(TimedConnection connection, boolean last) {
        if (last) {
            return HeaderValues.CONNECTION_CLOSE;
        }
        return connection.isHttp10() ? HeaderValues.CONNECTION_KEEP_ALIVE : null;
    }

    /** Logs an exception of a service that is not a flow, or of code around a flow. Flows throw only endings, and log them. */
    private void log(String flow, Throwable e) {
        Unknown ending = new Unknown(
                Unknown.Cause.ERROR, "the service of this path threw an exception that is not an ending", e);
        String line = unexpectedErrors
                .computeIfAbsent(flow, name -> new LastReasons(name, InstantSource.system()))
                .ended(ending, Ticker.SYSTEM.nanos());
        if (line != null) {
            Meter.warn(LOG, line);
        }
    }

    private static void write(
            ServerRequest request,
            ServerResponse response,
            HttpAnswer answer,
            TimedConnection connection,
            io.helidon.http.@Nullable Header persistence) {
        boolean head = "HEAD".equals(request.prologue().method().text());
        boolean without = isWithoutContent(answer.status());
        byte[] body = head || without ? new byte[0] : answer.body();
        boolean hasLength = head && !without && (answer.headers().has("Content-Length") || answer.body().length > 0);
        if (!hasLength && (head || answer.status() == 204 || answer.status() == 304)) {
            connection.omitLength();
        }
        try {
            response.status(Status.create(answer.status()));
            Headers fields = answer.headers().endToEnd();
            boolean ascii = true;
            for (Header field : fields) {
                ascii &= Latin1Header.isAscii(field.value());
                // Only an answer to HEAD may have a Content-Length that differs from its body, and Helidon forbids it
                // for
                // statuses without content.
                if ((head && !without) || !field.is("Content-Length")) {
                    response.headers().add(field.equals(ANSWERED) ? HELIDON_ANSWERED : helidonHeader(field));
                }
            }
            if (!ascii) {
                Latin1Header.setAll(fields, response.headers());
            }
            if (head && !without && !answer.headers().has("Content-Length") && answer.body().length > 0) {
                response.headers().contentLength(answer.body().length);
            }
            if (persistence != null) {
                response.headers().set(persistence);
            }
            if (body.length <= PIECE) {
                response.send(body);
            } else {
                sendInPieces(response, body, connection);
            }
        } catch (RuntimeException | IOException e) {
            // The client disconnected. The ending of its transaction is already counted.
            throw new CloseConnectionException("the answer could not be written: client disconnected", e);
        }
    }

    private static void sendInPieces(ServerResponse response, byte[] body, TimedConnection connection)
            throws IOException {
        response.headers().contentLength(body.length);
        try (OutputStream out = response.outputStream()) {
            for (int sent = 0; sent < body.length; sent += PIECE) {
                int piece = Math.min(PIECE, body.length - sent);
                out.write(body, sent, piece);
                connection.phase().transferred(piece);
            }
        }
    }

    private static io.helidon.http.Header helidonHeader(Header field) {
        return HeaderValues.create(HeaderNames.create(field.name()), field.value());
    }

    private static boolean isWithoutContent(int status) {
        return status == 204 || status == 205 || status == 304;
    }
}
