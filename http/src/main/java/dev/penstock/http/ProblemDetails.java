package dev.penstock.http;

import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a client is told when there is no answer of the target: {@code application/problem+json} (RFC 9457). The sentences
 * are fixed, one for each cause, so that no host name, address or message of a library gets out.
 */
final class ProblemDetails {
    static final String ENDING_HEADER = "Penstock-Ending";
    /** What stands in place of an ending where nothing was offered to a flow. */
    private static final String NO_ENDING = "none";

    private static final double NANOS_PER_SECOND = 1e9;

    private ProblemDetails() {}

    /** The ending of a transaction of a flow, other than an answer. */
    static HttpAnswer ofEnding(String flow, Unanswered ending, RandomGenerator random) {
        HttpAnswer answer = ofEnding(flow, ending.ending(), ending.whyWord());
        return ending instanceof Rejected rejected
                ? answer.withHeader("Retry-After", Long.toString(retryAfter(rejected.retryAfter(), random)))
                : answer;
    }

    /** The ending of a transaction whose service threw something that does not tell what became of it. */
    static HttpAnswer ofError(String flow) {
        return ofEnding(flow, "unknown", "error");
    }

    /**
     * A request that was turned away before it was offered to a flow: there is no transaction that could end.
     *
     * @param flow the flow that it was meant for, if that can be told
     */
    static HttpAnswer ofBadInput(int status, String detail, @Nullable String flow) {
        return ofBadInput(status, detail, "bad_input", flow);
    }

    /** The same for another cause than the request itself. */
    static HttpAnswer ofBadInput(int status, String detail, String cause, @Nullable String flow) {
        String json = "{" + member("type", "about:blank") + "," + member("title", phrase(status)) + ",\"status\":"
                + status + "," + member("detail", detail) + "," + member("ending", NO_ENDING) + ","
                + member("cause", cause) + (flow == null ? "" : "," + member("flow", flow)) + "}";
        return answer(status, json).withHeader(ENDING_HEADER, NO_ENDING);
    }

    private static HttpAnswer ofEnding(String flow, String ending, String cause) {
        int status = switch (ending) {
            case "rejected" -> 503;
            case "failed" -> 502;
            default -> 504;
        };
        // A tag URI (RFC 4151): it names the kind of problem and is not meant to be opened.
        String json = "{" + member("type", "tag:penstock.dev,2026:" + ending + "/" + cause) + ","
                + member("title", title(ending)) + ",\"status\":" + status + ","
                + member("detail", detail(ending, cause)) + "," + member("ending", ending) + ","
                + member("cause", cause) + "," + member("flow", flow) + "}";
        return answer(status, json).withHeader(ENDING_HEADER, ending);
    }

    private static HttpAnswer answer(int status, String json) {
        return HttpAnswer.of(status, json)
                .withHeader("Content-Type", "application/problem+json")
                .withHeader("Cache-Control", "no-store");
    }

    /**
     * Spread over once to twice the time, and over two seconds at least, for only whole ones can be told: so that those
     * who were rejected together do not come back together.
     */
    static long retryAfter(Duration base, RandomGenerator random) {
        double seconds = base.toNanos() / NANOS_PER_SECOND;
        return (long) Math.ceil(seconds + random.nextDouble() * Math.max(2, seconds));
    }

    private static String title(String ending) {
        return switch (ending) {
            case "rejected" -> "Not sent";
            case "failed" -> "Known not to have taken effect";
            default -> "Sent, and no answer came";
        };
    }

    static String detail(String ending, String cause) {
        return switch (ending + "/" + cause) {
            case "rejected/limit" -> "As many transactions as can be served are under way. Send it again later.";
            case "rejected/queue" -> "It waited as long as it may for its turn. Send it again later.";
            case "rejected/deadline" -> "The time left was not enough for an answer. Send it again with more time.";
            case "rejected/breaker" -> "The target has been failing and is given a rest. Send it again later.";
            case "rejected/pool" -> "No connection to the target came free in time. Send it again later.";
            case "rejected/draining" -> "This flow is shutting down. Send it again, over a new connection.";
            case "failed/connect" -> "The target could not be reached. Nothing was sent.";
            case "failed/undone" -> "The transaction is known not to have taken effect.";
            case "failed/rolled_back" -> "The transaction is known to have been undone. Send it again.";
            case "failed/refused" -> "The transaction was refused for good. Do not send it again as it is.";
            case "failed/not_there" ->
                "No answer came, and the target says that the transaction is not there. Send it again.";
            case "unknown/timeout" -> "No answer came in time. It may have taken effect: look before sending it again.";
            case "unknown/closed" ->
                "The connection was closed before the answer. It may have taken effect: look before sending it again.";
            case "unknown/interrupted" ->
                "The wait for the answer was broken off. It may have taken effect: look before sending it again.";
            case "unknown/garbled" ->
                "The answer of the target could not be read. It may have taken effect: look before sending it again.";
            default -> "It is not known what became of the transaction: look before sending it again.";
        };
    }

    /** The phrase of a status that a source gives by itself (RFC 9110 section 15, RFC 6585). */
    static String phrase(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 408 -> "Request Timeout";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 503 -> "Service Unavailable";
            case 505 -> "HTTP Version Not Supported";
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

    /** The bytes of a whole response, for a connection that nothing else writes to any more. */
    static byte[] lastWords(HttpAnswer answer) {
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
