package dev.penstock.http;

import java.util.ArrayList;
import java.util.List;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.net.URIAuthority;

/** Turns calls into requests of HTTP/2, and its responses into answers. Safe for many threads. */
final class Http2Format {
    /** How many bytes of one answer may be on the way: 1 MiB. They are taken off at once, so this costs no memory. */
    static final int WINDOW = 1 << 20;

    private static final int NOT_MODIFIED = 304;

    private final Address address;
    private final URIAuthority authority;

    Http2Format(Address address) {
        this.address = address;
        boolean usual = address.port() == (address.secure() ? 443 : 80);
        this.authority = new URIAuthority(address.bareHost(), usual ? -1 : address.port());
    }

    /**
     * The request of a call.
     *
     * @param millisLeft what Penstock-Deadline-Ms says, or 0 for none
     */
    HttpRequest request(HttpCall call, long millisLeft) {
        BasicHttpRequest request =
                new BasicHttpRequest(call.method(), address.secure() ? "https" : "http", authority, call.path());
        for (dev.penstock.http.Header field : call.headers()) {
            request.addHeader(field.name(), field.value());
        }
        byte[] body = call.body();
        if (body.length > 0 || expectsContent(call.method())) {
            request.addHeader("Content-Length", Integer.toString(body.length));
        }
        if (millisLeft > 0) {
            request.setHeader(HttpSource.DEADLINE_HEADER, Long.toString(millisLeft));
        }
        return request;
    }

    /** A method that expects content says how much, also when it is none (RFC 9110 section 8.6). */
    private static boolean expectsContent(String method) {
        return "POST".equals(method) || "PUT".equals(method) || "PATCH".equals(method);
    }

    /**
     * The answer that came to a call.
     *
     * @throws ProtocolException its body is not as long as it says (RFC 9113 section 8.1.1)
     */
    HttpAnswer answer(HttpCall call, HttpResponse head, byte[] body) throws ProtocolException {
        boolean bodiless = "HEAD".equals(call.method()) || head.getCode() == NOT_MODIFIED;
        long told = toldLength(head);
        if (!bodiless && told >= 0 && told != body.length) {
            throw new ProtocolException("a body of " + body.length + " bytes where " + told + " were told");
        }
        List<dev.penstock.http.Header> fields = new ArrayList<>();
        for (Header field : head.getHeaders()) {
            String value = field.getValue();
            fields.add(new dev.penstock.http.Header(field.getName(), value == null ? "" : value));
        }
        Headers headers = EndToEnd.of(Headers.of(fields));
        if (!"HEAD".equals(call.method())) {
            headers = headers.without("Content-Length");
        }
        return HttpAnswer.of(head.getCode(), headers, body);
    }

    /** What Content-Length says, or -1 when there is none that can be read. */
    static long toldLength(HttpResponse head) {
        Header told = head.getFirstHeader("Content-Length");
        if (told == null || told.getValue() == null || !told.getValue().matches("\\d{1,18}")) {
            return -1;
        }
        return Long.parseLong(told.getValue());
    }
}
