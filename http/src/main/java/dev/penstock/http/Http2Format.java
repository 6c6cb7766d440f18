package dev.penstock.http;

import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.http.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.net.URIAuthority;

/** Converts calls to HTTP/2 requests, and HTTP/2 responses to answers. Thread-safe. */
final class Http2Format {
    private static final int NOT_MODIFIED = 304;

    private final Address address;
    private final URIAuthority authority;

    Http2Format(Address address) {
        this.address = address;
        boolean isDefaultPort = address.port() == (address.secure() ? 443 : 80);
        this.authority = new URIAuthority(address.bareHost(), isDefaultPort ? -1 : address.port());
    }

    /**
     * Creates the request for a call.
     *
     * @param millisLeft the value of Penstock-Deadline-Ms; 0 omits it
     */
    HttpRequest request(HttpCall call, long millisLeft) {
        BasicHttpRequest request =
                new BasicHttpRequest(call.method(), address.secure() ? "https" : "http", authority, call.path());
        for (Header field : call.headers()) {
            request.addHeader(field.name(), field.value());
        }
        byte[] body = call.body();
        if (body.length > 0 || expectsContent(call.method())) {
            request.addHeader("Content-Length", Integer.toString(body.length));
        }
        if (millisLeft > 0) {
            request.setHeader(Header.DEADLINE, Long.toString(millisLeft));
        }
        return request;
    }

    /** Requests with these methods have a Content-Length even without content (RFC 9110 section 8.6). */
    private static boolean expectsContent(String method) {
        return "POST".equals(method) || "PUT".equals(method) || "PATCH".equals(method);
    }

    /**
     * Creates the answer to a call.
     *
     * @throws ProtocolException the length of the body differs from Content-Length (RFC 9113 section 8.1.1)
     */
    HttpAnswer answer(HttpCall call, HttpResponse head, byte[] body) throws ProtocolException {
        boolean bodiless = "HEAD".equals(call.method()) || head.getCode() == NOT_MODIFIED;
        long declared = Http2Stream.contentLength(head);
        if (!bodiless && declared >= 0 && declared != body.length) {
            throw new ProtocolException("body of " + body.length + " bytes, but Content-Length is " + declared);
        }
        List<Header> fields = new ArrayList<>();
        for (var field : head.getHeaders()) {
            String value = field.getValue();
            fields.add(new Header(field.getName(), value == null ? "" : value));
        }
        return HttpAnswer.received(call, head.getCode(), Headers.of(fields), body);
    }
}
