package dev.penstock.http.source;

import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;

/**
 * The head of a request, as the client sent it.
 *
 * @param path not decoded
 * @param query with its question mark; empty for none
 * @param headers with the authority of the request as {@code Host}, in any version and form of the target
 * @param protocol the version for {@code Via}
 */
record ReceivedHead(String method, String path, String query, Headers headers, String protocol) {
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\\[[0-9A-Fa-f:.]+])(?::[0-9]{0,5})?");

    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
    private static final Set<HttpHeader> OF_HTTP1 = EnumSet.of(
            HttpHeader.TRANSFER_ENCODING, HttpHeader.KEEP_ALIVE, HttpHeader.PROXY_CONNECTION, HttpHeader.UPGRADE);

    /** @throws BadInput the request is malformed */
    static ReceivedHead of(Request request) {
        HttpURI uri = request.getHttpURI();
        if (uri.getFragment() != null) {
            throw new BadInput(400, "The request target must not have a fragment.");
        }
        String path = uri.getPath() == null ? "/" : uri.getPath();
        String query = uri.getQuery() == null ? "" : "?" + uri.getQuery();
        HttpVersion version = request.getConnectionMetaData().getHttpVersion();
        return new ReceivedHead(request.getMethod(), path, query, headers(request, uri, version), protocol(version));
    }

    /**
     * The request with another path and other fields.
     *
     * @throws BadInput the path or the query has an invalid character
     */
    HttpCall call(String otherPath, Headers others, byte[] body) {
        try {
            return HttpCall.of(method, otherPath + query, others, body);
        } catch (IllegalArgumentException e) {
            throw new BadInput(400, "The request target is invalid: " + e.getMessage() + ".");
        }
    }

    private static String protocol(HttpVersion version) {
        return switch (version) {
            case HTTP_2 -> "2.0";
            case HTTP_1_0 -> "1.0";
            default -> "1.1";
        };
    }

    private static Headers headers(Request request, HttpURI uri, HttpVersion version) {
        List<Header> fields = new ArrayList<>(request.getHeaders().size() + 1);
        boolean http2 = version == HttpVersion.HTTP_2;
        boolean hasHost = http2;
        StringJoiner cookies = new StringJoiner("; "); // RFC 9113 section 8.2.3
        for (HttpField field : request.getHeaders()) {
            if (http2) {
                checkHttp2(field, uri);
            } else if (field.getHeader() == HttpHeader.TRANSFER_ENCODING) {
                checkCoding(field.getValue(), version);
            }
            if (field.getHeader() == HttpHeader.HOST) {
                hasHost = true;
                checkHost(field.getValue());
            } else if (http2 && field.getHeader() == HttpHeader.COOKIE) {
                cookies.add(field.getValue());
            } else {
                fields.add(header(field.getName(), field.getValue()));
            }
        }
        // The authority of a target in absolute form replaces Host (RFC 9112 section 3.2.2).
        if (hasHost && uri.getAuthority() != null) {
            checkHost(uri.getAuthority());
            fields.add(header("Host", uri.getAuthority()));
        }
        if (cookies.length() > 0) {
            fields.add(header("Cookie", cookies.toString()));
        }
        return Headers.of(fields);
    }

    /** See RFC 9113 sections 8.1.1, 8.2.2 and 8.3.1. Jetty accepts these. */
    private static void checkHttp2(HttpField field, HttpURI uri) {
        HttpHeader name = field.getHeader();
        String value = String.valueOf(field.getValue());
        if (name != null && OF_HTTP1.contains(name)) {
            throw new BadInput(400, "HTTP/2 has no field " + name + ".");
        }
        if (name == HttpHeader.CONTENT_LENGTH && !LENGTH.matcher(value).matches()) {
            throw new BadInput(400, "The length of the content is invalid.");
        }
        if (name == HttpHeader.HOST && uri.getAuthority() != null && !value.equalsIgnoreCase(uri.getAuthority())) {
            throw new BadInput(400, "Host differs from the authority of the request.");
        }
    }

    /** See RFC 9112 section 6.1. Jetty accepts further codings before {@code chunked}, and leaves the body encoded. */
    private static void checkCoding(String coding, HttpVersion version) {
        if (version == HttpVersion.HTTP_1_0) {
            throw new BadInput(400, "Transfer-Encoding is not allowed in HTTP/1.0.");
        }
        if (!"chunked".equalsIgnoreCase(coding)) {
            throw new BadInput(501, "The only supported Transfer-Encoding is chunked.");
        }
    }

    /** A host with an optional port (RFC 9110 section 7.2), without user information. */
    private static void checkHost(String host) {
        if (host == null || !HOST.matcher(host).matches()) {
            throw new BadInput(400, "The host of the request is invalid.");
        }
    }

    private static Header header(String name, String value) {
        String text = value == null ? "" : value;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > '~') {
                throw new BadInput(400, "A header field has a value outside ASCII.");
            }
        }
        try {
            return new Header(name, text);
        } catch (IllegalArgumentException e) {
            throw new BadInput(400, "A header field has an invalid name or value.");
        }
    }
}
