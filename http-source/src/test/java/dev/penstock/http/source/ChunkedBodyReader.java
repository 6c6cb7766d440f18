package dev.penstock.http.source;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpVersion;

/** Reads a chunked body as the server does, however it is cut on the wire. */
final class ChunkedBodyReader implements HttpParser.RequestHandler {
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final StringBuilder text = new StringBuilder();
    private boolean complete;
    private boolean broken;
    private boolean trailers;
    private int end;

    static ChunkedBodyReader read(byte[] body, IntSupplier pieces) {
        ChunkedBodyReader reader = new ChunkedBodyReader();
        HttpParser parser = new HttpParser(reader, 16 << 10, HttpCompliance.STRICT);
        boolean _ = parser.parseNext(ByteBuffer.wrap(HEAD.getBytes(StandardCharsets.ISO_8859_1)));
        while (reader.end < body.length && !reader.complete && !reader.broken) {
            int length = Math.min(pieces.getAsInt(), body.length - reader.end);
            ByteBuffer piece = ByteBuffer.wrap(body, reader.end, length).slice();
            while (piece.hasRemaining() && !reader.complete && !reader.broken) {
                boolean _ = parser.parseNext(piece);
            }
            reader.end += piece.position();
        }
        return reader;
    }

    boolean isComplete() {
        return complete && !broken && !trailers;
    }

    boolean isBroken() {
        return broken || trailers;
    }

    /** How many bytes it has. */
    int end() {
        return end;
    }

    String text() {
        return text.toString();
    }

    @Override
    public void startRequest(String method, String uri, HttpVersion version) {}

    @Override
    public boolean headerComplete() {
        return true;
    }

    @Override
    public boolean content(ByteBuffer item) {
        text.append(StandardCharsets.ISO_8859_1.decode(item));
        return false;
    }

    @Override
    public boolean contentComplete() {
        return false;
    }

    @Override
    public boolean messageComplete() {
        complete = true;
        return true;
    }

    @Override
    public void parsedHeader(HttpField field) {}

    @Override
    public void parsedTrailer(HttpField field) {
        trailers = true;
    }

    @Override
    public void earlyEOF() {
        broken = true;
    }

    @Override
    public void badMessage(HttpException failure) {
        broken = true;
    }
}
