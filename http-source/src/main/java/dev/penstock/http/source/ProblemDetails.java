package dev.penstock.http.source;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.header.Header;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a client if there is no answer of the target: {@code application/problem+json} (RFC 9457). The texts are fixed,
 * one per cause, so that host names, addresses and error messages do not leak.
 */
final class ProblemDetails {
    static final String ENDING_HEADER = "Penstock-Ending";
    /** The header value for requests that did not reach a flow. */
    private static final String NO_ENDING = "none";

    private static final double NANOS_PER_SECOND = 1e9;

    private ProblemDetails() {}

    /** The answer for an ending of a flow. */
    static HttpAnswer ofEnding(String flow, Unanswered ending, RandomGenerator random) {
        HttpAnswer answer = ofEnding(flow, ending.ending(), ending.causeName(), status(ending), detail(ending));
        return ending instanceof Rejected rejected
                ? answer.withHeader("Retry-After", Long.toString(retryAfter(rejected.retryAfter(), random)))
                : answer;
    }

    /** The answer for an exception of a service that is not an ending. */
    static HttpAnswer ofError(String flow) {
        return ofEnding(flow, "unknown", "error", 504, detail("unknown", "error"));
    }

    /**
     * The answer for a request that was refused before it reached a flow, so that there is no transaction.
     *
     * @param flow the flow that the request was for, or null if unknown
     */
    static HttpAnswer ofBadInput(int status, String detail, @Nullable String flow) {
        return ofBadInput(status, detail, "bad_input", flow);
    }

    /** The same with a specific cause. */
    static HttpAnswer ofBadInput(int status, String detail, String cause, @Nullable String flow) {
        // Neither is refused for what the client sent.
        String ending =
                status == BadInput.LOOP_DETECTED || status == BadInput.TOO_MANY_REQUESTS ? "rejected" : NO_ENDING;
        String json = "{" + member("type", "about:blank") + "," + member("title", phrase(status)) + ",\"status\":"
                + status + "," + member("detail", detail) + "," + member("ending", ending) + ","
                + member("cause", cause) + (flow == null ? "" : "," + member("flow", flow)) + "}";
        return answer(status, json).withHeader(ENDING_HEADER, ending);
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
            case CONFLICT ->
                "The target refused the transaction: it is a duplicate, or violates another constraint. Do not send it again unchanged.";
            case VALUE -> "The target refused a value of the transaction. Do not send it again unchanged.";
            case OTHER -> detail(ending.ending(), ending.causeName());
        };
    }

    private static HttpAnswer ofEnding(String flow, String ending, String cause, int status, String detail) {
        // A tag URI (RFC 4151): identifies the kind of problem, and is not a link.
        String json = "{" + member("type", "tag:penstock.dev,2026:" + ending + "/" + cause) + ","
                + member("title", title(ending)) + ",\"status\":" + status + ","
                + member("detail", detail) + "," + member("ending", ending) + ","
                + member("cause", cause) + "," + member("flow", flow) + "}";
        return answer(status, json).withHeader(ENDING_HEADER, ending);
    }

    private static HttpAnswer answer(int status, String json) {
        return HttpAnswer.of(status, json)
                .withHeader("Content-Type", "application/problem+json")
                .withHeader("Cache-Control", "no-store");
    }

    /**
     * Adds jitter of up to the base time, at least 2 s because the header has whole seconds, so that clients that were rejected
     * together do not retry together.
     */
    static long retryAfter(Duration base, RandomGenerator random) {
        double seconds = base.toNanos() / NANOS_PER_SECOND;
        return (long) Math.ceil(seconds + random.nextDouble() * Math.max(2, seconds));
    }

    private static String title(String ending) {
        return switch (ending) {
            case "rejected" -> "Not sent";
            case "failed" -> "Did not take effect";
            default -> "Sent, but no answer was received";
        };
    }

    static String detail(String ending, String cause) {
        return switch (ending + "/" + cause) {
            case "rejected/limit" -> "Too many transactions are in progress. Send it again later.";
            case "rejected/queue" -> "It waited in the queue for the maximum time. Send it again later.";
            case "rejected/deadline" -> "The time left was too short for an answer. Send it again with more time.";
            case "rejected/breaker" ->
                "The circuit breaker is open because the target has been failing. Send it again later.";
            case "rejected/pool" -> "No connection to the target became free in time. Send it again later.";
            case "rejected/store" ->
                "It could not be stored here, which is required before it is sent: the disk is full, or a store does not"
                        + " work. Nothing was sent. Send it again later.";
            case "rejected/draining" -> "This flow is shutting down. Send it again over a new connection.";
            case "failed/connect" -> "The target could not be reached. Nothing was sent.";
            case "failed/undone" -> "The transaction did not take effect.";
            case "failed/rolled_back" -> "The transaction was rolled back. Send it again.";
            case "failed/refused" ->
                "The target, or a rule of this flow such as one key for one request, refused it for good. Do not send it again unchanged.";
            case "failed/not_there" ->
                "No answer was received, and the target reports that the transaction does not exist. Send it again.";
            case "unknown/timeout" -> "No answer in time. It may have taken effect: check before sending it again.";
            case "unknown/closed" ->
                "The connection was closed before the answer. It may have taken effect: check before sending it again.";
            case "unknown/interrupted" ->
                "The wait for the answer was interrupted. It may have taken effect: check before sending it again.";
            case "unknown/garbled" ->
                "The answer of the target was malformed. It may have taken effect: check before sending it again.";
            default -> "The outcome of the transaction is unknown: check before sending it again.";
        };
    }

    /** The reason phrase of a status that a source sends itself (RFC 9110 section 15, RFC 6585). */
    static String phrase(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 408 -> "Request Timeout";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 422 -> "Unprocessable Content";
            case 429 -> "Too Many Requests";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 503 -> "Service Unavailable";
            case 505 -> "HTTP Version Not Supported";
            case 508 -> "Loop Detected";
            default -> "Error";
        };
    }

    private static String member(String name, String value) {
        StringBuilder json = new StringBuilder().append('"').append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    /** The answer for a request that was not received in time. */
    static HttpAnswer timeout() {
        return ofBadInput(408, "The request was not received completely within the time limit.", null);
    }

    /** The bytes of a complete response, for a connection that no other thread writes to. */
    static byte[] finalResponse(HttpAnswer answer) {
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(answer.status())
                .append(' ')
                .append(phrase(answer.status()))
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
