package dev.penstock.http;

import org.jspecify.annotations.Nullable;

/**
 * A request that is turned away before any flow sees it, so that it counts nowhere; thrown by the service of a route, it is
 * answered as a problem with its status. Carries no stack trace: it is expected.
 */
public final class BadInput extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    private final String cause;

    private final @Nullable String flow;

    /**
     * Bad input.
     *
     * @param status 400 to 499
     * @param detail a sentence for the client, without secrets
     */
    public BadInput(int status, String detail) {
        this(status, detail, "bad_input", null);
    }

    private BadInput(int status, String detail, String cause, @Nullable String flow) {
        super(detail, null, false, false);
        this.status = status;
        this.cause = cause;
        this.flow = flow;
    }

    /** The body of a request finds no memory now. */
    static BadInput noMemory() {
        return new BadInput(
                503, "There is no memory for this body now. Nothing was sent. Send it again later.", "memory", null);
    }

    /** Whether it may be accepted later. */
    boolean isForNow() {
        return status == 503;
    }

    private String detail() {
        return getMessage() == null ? ProblemDetails.phrase(status) : getMessage();
    }

    /** The same, meant for a flow. */
    BadInput meantFor(String name) {
        return new BadInput(status, detail(), cause, name);
    }

    HttpAnswer answer() {
        HttpAnswer answer = ProblemDetails.ofBadInput(status, detail(), cause, flow);
        return status == 405 ? answer.withHeader("Allow", FlowHandler.ALLOWED) : answer;
    }
}
