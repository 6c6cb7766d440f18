package dev.penstock.http.source;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a request before it reaches a flow, so that it is not counted. If the service of a route throws it, the client gets a
 * problem document with its status. Has no stack trace, because it is expected.
 */
public final class BadInput extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** RFC 5842 section 7.2. */
    static final int LOOP_DETECTED = 508;

    /** RFC 6585 section 4. */
    static final int TOO_MANY_REQUESTS = 429;

    private final int status;
    private final String cause;
    private final @Nullable String flow;
    /** Further fields of the answer. */
    private final Headers fields;

    /**
     * Creates a refusal.
     *
     * @param status 400 to 499
     * @param detail a sentence for the client, without secrets
     */
    public BadInput(int status, String detail) {
        this(status, detail, "bad_input", null, Headers.none());
    }

    /**
     * Creates a refusal with a cause and further fields of the answer.
     *
     * @param status 401, 403, 429 or 503
     * @param detail a sentence for the client, without secrets
     * @param cause one word
     */
    public BadInput(int status, String detail, String cause, Headers fields) {
        this(status, detail, cause, null, fields);
    }

    private BadInput(int status, String detail, String cause, @Nullable String flow, Headers fields) {
        super(detail, null, false, false);
        this.status = status;
        this.cause = cause;
        this.flow = flow;
        this.fields = fields;
    }

    /**
     * Refuses the method of a request with 405.
     *
     * @param detail a sentence for the client, without secrets
     * @param allowed the methods that are allowed, separated by commas
     */
    public static BadInput methodNotAllowed(String detail, String allowed) {
        return new BadInput(405, detail, "bad_input", Headers.none().with("Allow", allowed));
    }

    /** The memory budget has no room for the body of a request. */
    static BadInput noMemory() {
        String detail = "There is no memory for this body now. Nothing was sent. Send it again later.";
        return new BadInput(503, detail, "memory", Headers.none());
    }

    /** The request has passed through this route before: the target leads back to it. */
    static BadInput loop() {
        String detail =
                "This request came through this flow before: the flow's target leads back to it. Nothing was sent.";
        return new BadInput(LOOP_DETECTED, detail, "loop", Headers.none());
    }

    boolean isLoop() {
        return status == LOOP_DETECTED;
    }

    @Nullable
    String flow() {
        return flow;
    }

    /** Whether the same request may be accepted later, at a time that the answer does not name yet. */
    boolean isTemporary() {
        return status == 503 && !fields.has("Retry-After");
    }

    /** Returns a copy that names the flow of the request. */
    BadInput forFlow(String name) {
        return new BadInput(status, String.valueOf(getMessage()), cause, name, fields);
    }

    HttpAnswer answer() {
        HttpAnswer answer = ProblemDetails.ofBadInput(status, String.valueOf(getMessage()), cause, flow);
        for (Header field : fields) {
            answer = answer.withHeader(field);
        }
        return answer;
    }
}
