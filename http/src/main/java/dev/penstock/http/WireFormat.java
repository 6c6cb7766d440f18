package dev.penstock.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/** Turns calls into the library's requests, and its responses into answers. Safe for many threads. */
final class WireFormat {
    private static final Pattern KEEP_ALIVE_SECONDS = Pattern.compile("timeout\\s*=\\s*\"?(\\d{1,6})");
    private static final byte[] NOTHING = new byte[0];

    private final Address address;
    private final TargetLimits limits;

    WireFormat(Address address, TargetLimits limits) {
        this.address = address;
        this.limits = limits;
    }

    BasicClassicHttpRequest request(HttpCall call) {
        BasicClassicHttpRequest request = new BasicClassicHttpRequest(call.method(), call.path());
        request.addHeader("Host", address.authority());
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
            request.setEntity(new ByteArrayEntity(body, null));
        }
        return request;
    }

    HttpAnswer answer(HttpCall call, ClassicHttpResponse response) throws IOException {
        List<dev.penstock.http.Header> fields = new ArrayList<>();
        for (Header field : response.getHeaders()) {
            String value = field.getValue();
            fields.add(new dev.penstock.http.Header(field.getName(), value == null ? "" : value));
        }
        Headers headers = EndToEnd.of(Headers.of(fields));
        if (!"HEAD".equals(call.method())) {
            headers = headers.without("Content-Length");
        }
        return HttpAnswer.of(response.getCode(), headers, body(response.getEntity()));
    }

    private byte[] body(@Nullable HttpEntity entity) throws IOException {
        if (entity == null) {
            return NOTHING;
        }
        long told = entity.getContentLength();
        if (told > limits.maxAnswer()) {
            throw new AnswerTooLarge();
        }
        try (InputStream in = entity.getContent()) {
            byte[] bytes = in.readNBytes(told < 0 ? limits.maxAnswer() : (int) told);
            if (in.read() >= 0) {
                throw new AnswerTooLarge();
            }
            return bytes;
        }
    }

    /** For how long the connection may be kept: our time, or less when the target says so; null when not at all. */
    @Nullable
    TimeValue keep(BasicClassicHttpRequest request, ClassicHttpResponse response, HttpContext context) {
        if (!DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, response, context)) {
            return null;
        }
        TimeValue ours = TimeValue.of(limits.idle());
        Header told = response.getFirstHeader("Keep-Alive");
        Matcher seconds = KEEP_ALIVE_SECONDS.matcher(told == null ? "" : told.getValue());
        if (!seconds.find()) {
            return ours;
        }
        TimeValue theirs = TimeValue.ofSeconds(Long.parseLong(seconds.group(1)));
        if (theirs.getDuration() == 0) {
            // The library would take 0 for no bound.
            return null;
        }
        return theirs.compareTo(ours) < 0 ? theirs : ours;
    }

    /** The body of an answer has more bytes than are allowed. */
    static final class AnswerTooLarge extends IOException {
        private static final long serialVersionUID = 1L;

        AnswerTooLarge() {
            super("answer too large");
        }
    }
}
