package dev.penstock.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentLengthStrategy;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.BasicHttpTransportMetrics;
import org.apache.hc.core5.http.impl.DefaultContentLengthStrategy;
import org.apache.hc.core5.http.impl.io.ChunkedInputStream;
import org.apache.hc.core5.http.impl.io.ContentLengthInputStream;
import org.apache.hc.core5.http.impl.io.DefaultHttpRequestWriterFactory;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParserFactory;
import org.apache.hc.core5.http.impl.io.IdentityInputStream;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.apache.hc.core5.http.impl.io.SessionOutputBufferImpl;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.HttpMessageWriter;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 as HttpCore writes and reads it. Its buffers, 12 KB, go from one exchange to the next, so an idle connection has
 * none; one whose exchange failed is thrown away, for bytes may be left in it.
 *
 * <p>For one exchange at a time.
 */
final class Codec {
    private static final int READ_AT_ONCE = 8 << 10;
    /** A request of a head and 2 KB goes out in one piece. */
    private static final int SENT_AT_ONCE = 4 << 10;

    private static final int SWITCHING_PROTOCOLS = 101;

    /** Bounds on what is read before a body: lines of 16 KB, 200 of them. */
    private static final Http1Config HEAD = Http1Config.custom()
            .setMaxLineLength(16 << 10)
            .setMaxHeaderCount(200)
            .setMaxEmptyLineCount(1)
            .build();

    private final SessionOutputBufferImpl sent =
            new SessionOutputBufferImpl(new BasicHttpTransportMetrics(), SENT_AT_ONCE, SENT_AT_ONCE, null);
    private final SessionInputBufferImpl read = new SessionInputBufferImpl(
            new BasicHttpTransportMetrics(), READ_AT_ONCE, -1, HEAD.getMaxLineLength(), null);
    private final HttpMessageWriter<ClassicHttpRequest> writer = DefaultHttpRequestWriterFactory.INSTANCE.create();
    // The library's own default parser reads over garbage until something like an answer comes.
    private final HttpMessageParser<ClassicHttpResponse> parser = new DefaultHttpResponseParserFactory(HEAD).create();

    /** Sends a request with its body, in one piece where it fits. */
    void send(ClassicHttpRequest request, byte[] body, OutputStream to) throws IOException, HttpException {
        writer.write(request, sent, to);
        if (body.length > 0) {
            sent.write(body, 0, body.length, to);
        }
        sent.flush(to);
    }

    /** Reads the head of the final answer; interim ones (RFC 9110, 15.2) are passed over. */
    ClassicHttpResponse head(InputStream from) throws IOException, HttpException {
        while (true) {
            ClassicHttpResponse response = parser.parse(read, from);
            if (response == null) {
                throw new NoHttpResponseException("it closed the connection before its answer began");
            }
            if (response.getCode() == SWITCHING_PROTOCOLS) {
                throw new ProtocolException("it switched protocols without being asked to");
            }
            if (response.getCode() >= 200) {
                return response;
            }
        }
    }

    /** The body of an answer; null when it has none. */
    @Nullable
    InputStream body(String method, ClassicHttpResponse response, InputStream from) throws HttpException {
        if ("HEAD".equals(method) || response.getCode() == 204 || response.getCode() == 304) {
            return null;
        }
        long length = length(response);
        if (length == ContentLengthStrategy.CHUNKED) {
            return new ChunkedInputStream(read, from, HEAD);
        }
        return length < 0 ? new IdentityInputStream(read, from) : new ContentLengthInputStream(read, from, length);
    }

    /** The length of its body in bytes, below 0 when that is not told. */
    static long length(ClassicHttpResponse response) throws HttpException {
        return DefaultContentLengthStrategy.INSTANCE.determineLength(response);
    }

    /** Whether nothing lies in it that no request has asked for: a peer may send more than its answer. */
    boolean isClean() {
        return !read.hasBufferedData();
    }
}
