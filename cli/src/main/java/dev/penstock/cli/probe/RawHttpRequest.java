package dev.penstock.cli.probe;

import dev.penstock.http.HttpCall;
import dev.penstock.http.http1.AnswerHead;
import dev.penstock.http.http1.AnswerReader;
import dev.penstock.http.http1.MalformedAnswer;
import dev.penstock.http.http1.RequestWriter;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.URI;

/** A request for plain idle sockets: the pool of a target would maintain its connections. */
final class RawHttpRequest {
    private static final int MAX_ANSWER = 64 << 20;

    private final RequestWriter writer;
    private final HttpCall call;

    private RawHttpRequest(RequestWriter writer, HttpCall call) {
        this.writer = writer;
        this.call = call;
    }

    /** The request of a call to a URL. */
    static RawHttpRequest of(URI url, HttpCall call) {
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
        return new RawHttpRequest(
                new RequestWriter(new RequestWriter.Form("", "Host: " + url.getRawAuthority() + "\r\n")),
                HttpCall.of(call.method(), target, call.headers(), call.body()));
    }

    /**
     * Sends the request and reads the whole answer.
     *
     * @return the head, with all connection fields, which an {@code HttpTarget} does not expose
     */
    AnswerHead over(Socket socket) throws IOException {
        writer.write(call.method(), call.path(), call.headers(), call.body(), 0, socket.getOutputStream());
        AnswerReader answer = new AnswerReader();
        try {
            AnswerHead head = answer.head(socket.getInputStream());
            while (head.isInterim()) {
                head = answer.head(socket.getInputStream());
            }
            byte[] _ = answer.body(socket.getInputStream(), head.bodyLength(call.method()), MAX_ANSWER, bytes -> {});
            return head;
        } catch (MalformedAnswer e) {
            throw new ProtocolException("not an HTTP/1.1 server (" + e.getMessage() + "); check the target");
        }
    }
}
