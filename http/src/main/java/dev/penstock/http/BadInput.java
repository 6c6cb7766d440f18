package dev.penstock.http;

/** A request that is turned away before any flow sees it. Carries no stack trace: it is expected. */
final class BadInput extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    BadInput(int status, String detail) {
        super(detail, null, false, false);
        this.status = status;
    }

    HttpAnswer answer() {
        String detail = getMessage() == null ? Problem.phrase(status) : getMessage();
        HttpAnswer answer = Problem.ofBadInput(status, detail);
        return status == 405 ? answer.withHeader("Allow", FlowHandler.ALLOWED) : answer;
    }
}
