package dev.penstock.http.http1;

import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of an answer. Determines the length of the body (RFC 9112 section 6.3) and whether the connection persists (section
 * 9.3). Ambiguous heads, which senders and receivers could interpret differently, are rejected.
 *
 * @param minorVersion the 1 of HTTP/1.1
 * @param status 100 to 599
 * @param headers all header fields, including hop-by-hop fields
 */
public record AnswerHead(int minorVersion, int status, Headers headers) {
    /** The body is chunked. */
    static final long CHUNKED = -1;
    /** The body ends when the connection is closed. */
    static final long UNTIL_CLOSE = -2;

    /** The target announced no keep-alive time. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final Pattern KEEP_ALIVE_SECONDS = Pattern.compile("(?i)timeout\\s*=\\s*\"?(\\d{1,6})");

    /** Whether another head follows (RFC 9110 section 15.2). */
    public boolean isInterim() {
        return status < 200;
    }

    /** The length of the body of an answer to this method: bytes, {@link #CHUNKED} or {@link #UNTIL_CLOSE}. */
    public long bodyLength(String method) throws MalformedAnswer {
        if (status == 204 || status == 304 || "HEAD".equals(method)) {
            return 0;
        }
        List<String> codings = headers.all("Transfer-Encoding");
        if (!codings.isEmpty()) {
            if (codings.size() > 1 || !codings.getFirst().equalsIgnoreCase("chunked") || minorVersion == 0) {
                throw new MalformedAnswer("unsupported Transfer-Encoding, only chunked is allowed: " + codings);
            }
            if (headers.has("Content-Length")) {
                throw new MalformedAnswer("both Transfer-Encoding and Content-Length");
            }
            return CHUNKED;
        }
        return headers.has("Content-Length") ? agreed(headers.all("Content-Length")) : UNTIL_CLOSE;
    }

    /** Several equal values count as one (RFC 9110 section 8.6). */
    private static long agreed(List<String> fields) throws MalformedAnswer {
        if (fields.size() == 1 && fields.getFirst().indexOf(',') < 0) {
            return number(fields.getFirst());
        }
        long length = -1;
        for (String value : String.join(",", fields).split(",", -1)) {
            long one = number(value.strip());
            if (length >= 0 && one != length) {
                throw new MalformedAnswer("conflicting values of Content-Length: " + length + " and " + one);
            }
            length = one;
        }
        return length;
    }

    private static long number(String digits) throws MalformedAnswer {
        if (digits.isEmpty() || digits.length() > 18 || !isOfDigits(digits)) {
            throw new MalformedAnswer("Content-Length is not a number");
        }
        return Long.parseLong(digits);
    }

    private static boolean isOfDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /**
     * How long the connection may be kept: nanoseconds, {@link #UNLIMITED}, or 0. For an announced time it is nine tenths,
     * because the timer of the target started earlier and the next request takes time to arrive.
     */
    public long keep(long bodyLength) {
        if (bodyLength == UNTIL_CLOSE || !persists()) {
            return 0;
        }
        String announced = headers.first("Keep-Alive");
        if (announced == null) {
            return UNLIMITED;
        }
        Matcher seconds = KEEP_ALIVE_SECONDS.matcher(announced);
        return seconds.find() ? TimeUnit.SECONDS.toNanos(Long.parseLong(seconds.group(1))) / 10 * 9 : UNLIMITED;
    }

    /** Whether the sender keeps the connection open after this answer (RFC 9112 section 9.3). */
    public boolean persists() {
        boolean persists = minorVersion > 0;
        for (Header field : headers) {
            if (field.is("Connection")) {
                for (String option : field.value().split(",", -1)) {
                    if (option.strip().equalsIgnoreCase("close")) {
                        return false;
                    }
                    persists |= option.strip().equalsIgnoreCase("keep-alive");
                }
            }
        }
        return persists;
    }
}
