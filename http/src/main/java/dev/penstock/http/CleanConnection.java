package dev.penstock.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hc.client5.http.impl.io.DefaultManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParserFactory;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is used again only when nothing lies in it that no request has asked for. A target may send more than
 * its answer, or a 408 before it closes what lay idle; the library would take that for the answer to the next request.
 */
final class CleanConnection extends DefaultManagedHttpClientConnection {
    private static final AtomicLong NUMBER = new AtomicLong();

    private final Answers answers;

    private CleanConnection(Http1Config head, Answers answers) {
        super("penstock-" + NUMBER.incrementAndGet(), null, null, head, null, null, null, _ -> answers);
        this.answers = answers;
    }

    static CleanConnection with(Http1Config head) {
        // The library's own default parser reads over garbage until something like an answer comes.
        return new CleanConnection(head, new Answers(new DefaultHttpResponseParserFactory(head).create()));
    }

    /** Looks whether the peer has closed it or has sent what it was not asked for. */
    @Override
    public boolean isStale() throws IOException {
        return super.isStale() || answers.isAnyLeft();
    }

    /** Asked when an exchange is over: whether the connection may be kept. */
    @Override
    public boolean isConsistent() {
        return super.isConsistent() && !answers.isAnyLeft();
    }

    /** The library's parser, through which the connection's buffer is seen. */
    private static final class Answers implements HttpMessageParser<ClassicHttpResponse> {
        private final HttpMessageParser<ClassicHttpResponse> parser;
        private @Nullable SessionInputBuffer buffer;

        Answers(HttpMessageParser<ClassicHttpResponse> parser) {
            this.parser = parser;
        }

        @Override
        public ClassicHttpResponse parse(SessionInputBuffer from, InputStream in) throws IOException, HttpException {
            buffer = from;
            return parser.parse(from, in);
        }

        boolean isAnyLeft() {
            SessionInputBuffer read = buffer;
            return read != null && read.length() > 0;
        }
    }
}
