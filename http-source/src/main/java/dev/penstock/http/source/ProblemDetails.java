package dev.penstock.http.source;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.header.Header;
import dev.penstock.text.Json;
import dev.penstock.text.Uuid7;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.random.RandomGenerator;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a client if there is no answer of the target: {@code application/problem+json} (RFC 9457). The texts are fixed,
 * one per cause, so that host names, addresses and error messages do not leak.
 */
final class ProblemDetails {
    static final String ENDING_HEADER = "Penstock-Ending";
    static final String VIOLATION = "The request violates HTTP.";

    /** The titles of endings, and the sentences of their causes, or of a status. */
    static final Properties SENTENCES = new Properties();

    static {
        try (InputStream in = ProblemDetails.class.getResourceAsStream("sentences.properties")) {
            SENTENCES.load(Objects.requireNonNull(in));
        } catch (IOException damaged) {
            throw new UncheckedIOException(damaged);
        }
    }

    private ProblemDetails() {}

    /**
     * The answer for an ending of a flow.
     *
     * @param id the id of the transaction; null for none
     */
    static HttpAnswer ofEnding(String flow, @Nullable String id, Unanswered ending, RandomGenerator random) {
        HttpAnswer answer = ofEnding(flow, id, ending.ending(), ending.causeName(), status(ending), detail(ending));
        return ending instanceof Rejected rejected
                ? answer.withHeader("Retry-After", Long.toString(retryAfter(rejected.retryAfter(), random)))
                : answer;
    }

    /** The answer for an exception of a service that is not an ending. */
    static HttpAnswer ofError(String flow) {
        return ofEnding(flow, null, "unknown", "error", 504, detail("unknown", "error"));
    }

    /**
     * The answer for a request that was refused before it reached a flow, so that there is no transaction.
     *
     * @param flow the flow that the request was for, or null if unknown
     */
    static HttpAnswer ofBadInput(int status, String detail, String cause, @Nullable String flow) {
        // Neither is refused for what the client sent.
        String ending = status == BadInput.LOOP_DETECTED || status == BadInput.TOO_MANY_REQUESTS ? "rejected" : "none";
        return answer("about:blank", HttpStatus.getMessage(status), status, detail, ending, cause, flow, null);
    }

    /** A refusal because of the data is the client's fault: a 5xx would make a balancer take the gateway for broken. */
    private static int status(Unanswered ending) {
        return switch (ending) {
            case Rejected _ -> 503;
            case Unknown _ -> 504;
            case Failed failed ->
                switch (failed.refusal()) {
                    case CONFLICT -> 409;
                    case VALUE -> 422;
                    case OTHER -> 502;
                };
        };
    }

    private static String detail(Unanswered ending) {
        return switch (ending instanceof Failed failed ? failed.refusal() : Failed.Refusal.OTHER) {
            case CONFLICT -> detail("failed", "conflict");
            case VALUE -> detail("failed", "value");
            case OTHER -> detail(ending.ending(), ending.causeName());
        };
    }

    private static HttpAnswer ofEnding(
            String flow, @Nullable String id, String ending, String cause, int status, String detail) {
        // A tag URI (RFC 4151): identifies the kind of problem, and is not a link.
        String type = "tag:penstock.dev,2026:" + ending + "/" + cause;
        return answer(type, SENTENCES.getProperty(ending, ending), status, detail, ending, cause, flow, id);
    }

    private static HttpAnswer answer(
            String type,
            String title,
            int status,
            String detail,
            String ending,
            String cause,
            @Nullable String flow,
            @Nullable String id) {
        Map<String, Object> members = Json.object("type", type, "title", title, "status", status, "detail", detail);
        members.putAll(Json.object("ending", ending, "cause", cause));
        if (flow != null) {
            members.put("flow", flow);
        }
        if (id != null) {
            members.put("instance", Uuid7.urn(id));
        }
        return HttpAnswer.of(status, Json.write(members))
                .withHeader("Content-Type", "application/problem+json")
                .withHeader("Cache-Control", "no-store")
                .withHeader(ENDING_HEADER, ending);
    }

    /**
     * Adds jitter of up to the base time, at least 2 s because the header has whole seconds, so that clients that were rejected
     * together do not retry together.
     */
    static long retryAfter(Duration base, RandomGenerator random) {
        double seconds = base.toNanos() / 1e9;
        return (long) Math.ceil(seconds + random.nextDouble() * Math.max(2, seconds));
    }

    static String detail(String ending, String cause) {
        return SENTENCES.getProperty(ending + "/" + cause, SENTENCES.getProperty("otherwise", ""));
    }

    /** The answer of a status, without a request that a flow could answer. */
    static HttpAnswer ofStatus(int status) {
        String detail = SENTENCES.getProperty("none/" + status, VIOLATION);
        return ofBadInput(status, detail, status == 500 ? "error" : "bad_input", null);
    }

    /** Answers a request that Jetty refuses, mostly before any handler runs. */
    static boolean refuse(Request request, Response response, Callback callback) {
        Throwable cause = (Throwable) request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        int status = cause instanceof HttpException refusal ? refusal.getCode() : response.getStatus();
        HttpAnswer answer = ofStatus(status == 426 ? 505 : status < 400 ? 500 : status);
        response.setStatus(answer.status());
        answer.headers().forEach(field -> response.getHeaders().put(field.name(), field.value()));
        if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        response.write(true, ByteBuffer.wrap(answer.body()), callback);
        return true;
    }

    /** The answer for a request that was not received in time. */
    static HttpAnswer timeout() {
        return ofBadInput(408, "The request was not received completely within the time limit.", "bad_input", null);
    }

    /** The bytes of a complete response, for a connection that no other thread writes to. */
    static byte[] finalResponse(HttpAnswer answer) {
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(answer.status())
                .append(' ')
                .append(HttpStatus.getMessage(answer.status()))
                .append("\r\n");
        for (Header field : answer.headers().with("Connection", "close")) {
            head.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        head.append("Content-Length: ")
                .append(answer.body().length)
                .append("\r\n\r\n")
                .append(answer.text());
        return head.toString().getBytes(StandardCharsets.UTF_8);
    }
}
