package dev.penstock.http;

import dev.penstock.http.pool.Proxy;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.jspecify.annotations.Nullable;

/** Turns calls into the library's requests, and its responses into answers. Safe for many threads. */
final class WireFormat {
    private static final Pattern KEEP_ALIVE_SECONDS = Pattern.compile("timeout\\s*=\\s*\"?(\\d{1,6})");
    private static final byte[] NOTHING = new byte[0];
    private static final HttpContext CONTEXT = HttpCoreContext.create();
    /** What a target leaves to us. */
    static final long AS_LONG_AS_WE_LIKE = Long.MAX_VALUE;

    private final Address address;
    private final TargetLimits limits;
    private final @Nullable Proxy proxy;

    /** @param passedOnBy the proxy that passes plain requests on, if one does */
    WireFormat(Address address, TargetLimits limits, @Nullable Proxy passedOnBy) {
        this.address = address;
        this.limits = limits;
        this.proxy = passedOnBy;
    }

    BasicClassicHttpRequest request(HttpCall call) {
        // To a proxy the whole URL is said (RFC 9112 section 3.2.2).
        String path = proxy == null ? call.path() : "http://" + address.authority() + call.path();
        BasicClassicHttpRequest request = new BasicClassicHttpRequest(call.method(), path);
        request.addHeader("Host", address.authority());
        String secret = proxy == null ? null : proxy.authorization();
        if (secret != null) {
            request.addHeader("Proxy-Authorization", secret);
        }
        for (dev.penstock.http.Header field : call.headers()) {
            request.addHeader(field.name(), field.value());
        }
        byte[] body = call.body();
        // A method that expects content says how much, also when it is none (RFC 9110 section 8.6).
        if (body.length > 0
                || "POST".equals(call.method())
                || "PUT".equals(call.method())
                || "PATCH".equals(call.method())) {
            request.addHeader("Content-Length", Integer.toString(body.length));
        }
        return request;
    }

    HttpAnswer answer(HttpCall call, ClassicHttpResponse response, @Nullable InputStream body)
            throws IOException, HttpException {
        List<dev.penstock.http.Header> fields = new ArrayList<>();
        for (Header field : response.getHeaders()) {
            String value = field.getValue();
            fields.add(new dev.penstock.http.Header(field.getName(), value == null ? "" : value));
        }
        Headers headers = EndToEnd.of(Headers.of(fields));
        if (!"HEAD".equals(call.method())) {
            headers = headers.without("Content-Length");
        }
        return HttpAnswer.of(response.getCode(), headers, body == null ? NOTHING : whole(body, Codec.length(response)));
    }

    private byte[] whole(InputStream body, long told) throws IOException {
        if (told > limits.maxAnswer()) {
            throw new AnswerTooLarge();
        }
        byte[] bytes = body.readNBytes(told < 0 ? limits.maxAnswer() : (int) told);
        if (body.read() >= 0) {
            throw new AnswerTooLarge();
        }
        return bytes;
    }

    /** For how long the connection may be kept, as the target says: nanoseconds, {@link #AS_LONG_AS_WE_LIKE}, or 0. */
    static long keep(BasicClassicHttpRequest request, ClassicHttpResponse response) {
        if (!DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, response, CONTEXT)) {
            return 0;
        }
        Header told = response.getFirstHeader("Keep-Alive");
        Matcher seconds = KEEP_ALIVE_SECONDS.matcher(told == null ? "" : told.getValue());
        return seconds.find() ? TimeUnit.SECONDS.toNanos(Long.parseLong(seconds.group(1))) : AS_LONG_AS_WE_LIKE;
    }

    /** The body of an answer has more bytes than are allowed. */
    static final class AnswerTooLarge extends IOException {
        private static final long serialVersionUID = 1L;

        AnswerTooLarge() {
            super("answer too large");
        }
    }
}
