package dev.penstock.observe;

import dev.penstock.Busy;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/**
 * A span that is current on the thread that began it, until that thread ends it.
 *
 * @param context with the span
 */
record CurrentSpan(Span span, Context context, Scope scope) {
    private static final int ERRORS = 400;
    private static final int SERVER_ERRORS = 500;

    @SuppressWarnings("MustBeClosedChecker") // end closes it
    static CurrentSpan begin(Span span, Context in) {
        Context context = in.with(span);
        return new CurrentSpan(span, context, context.makeCurrent());
    }

    /** Ends the span, with an answer or with what was thrown. */
    void end(@Nullable Object answer, @Nullable Throwable thrown, boolean isClient) {
        scope.close();
        if (span.isRecording()) {
            if (thrown == null) {
                answered(Busy.statusOf(answer), isClient ? ERRORS : SERVER_ERRORS);
            } else {
                thrown(thrown);
            }
        }
        span.end();
    }

    private void answered(int status, int errors) {
        span.setAttribute("penstock.ending", "answered");
        if (status > 0) {
            span.setAttribute("http.response.status_code", status);
        }
        if (status >= errors) {
            span.setAttribute("error.type", Integer.toString(status)).setStatus(StatusCode.ERROR);
        }
    }

    private void thrown(Throwable thrown) {
        if (thrown instanceof Unanswered ending) {
            span.setAttribute("penstock.ending", ending.ending()).setAttribute("penstock.cause", ending.causeName());
            if (!(ending instanceof Rejected)) {
                span.setAttribute("error.type", ending.causeName())
                        .setStatus(StatusCode.ERROR, ending.reason().sentence());
            }
        } else {
            span.setAttribute("error.type", thrown.getClass().getName()).setStatus(StatusCode.ERROR);
        }
    }
}
