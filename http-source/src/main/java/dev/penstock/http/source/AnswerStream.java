package dev.penstock.http.source;

import dev.penstock.http.header.Headers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;

/** An answer of unknown length. Each write blocks until the client has room for it. Not thread-safe. */
final class AnswerStream extends OutputStream {
    private final ServedRequest request;
    private final Response response;
    private boolean ended;

    AnswerStream(ServedRequest request, Response response, Headers headers) {
        this.request = request;
        this.response = response;
        response.setStatus(200);
        AnswerWriter.putAll(headers, response.getHeaders());
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        send(false, ByteBuffer.wrap(bytes, from, length));
    }

    private void send(boolean last, ByteBuffer bytes) throws IOException {
        request.renew();
        try {
            Content.Sink.write(response, last, bytes);
        } catch (IOException e) {
            ended = true;
            request.finish(e);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        if (!ended) {
            ended = true;
            send(true, ByteBuffer.allocate(0));
            request.written();
        }
    }
}
