package dev.penstock.http.source;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.header.Header;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers requests that Jetty refuses, mostly before any handler runs, with the same problem documents as other errors. */
final class ErrorAnswers implements Request.Handler {
    static final String DETAIL = "The request violates HTTP.";

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Throwable cause = (Throwable) request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        int status = cause instanceof HttpException refusal ? refusal.getCode() : response.getStatus();
        HttpAnswer answer = answer(status == 426 ? 505 : status < 400 ? 500 : status);
        response.setStatus(answer.status());
        for (Header field : answer.headers()) {
            response.getHeaders().put(field.name(), field.value());
        }
        if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        response.write(true, ByteBuffer.wrap(answer.body()), callback);
        return true;
    }

    static HttpAnswer answer(int status) {
        String detail = ProblemDetails.SENTENCES.getProperty("none/" + status, DETAIL);
        return ProblemDetails.ofBadInput(status, detail, status == 500 ? "error" : "bad_input", null);
    }
}
