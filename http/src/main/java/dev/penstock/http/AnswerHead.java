package dev.penstock.http;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of an answer, and what it says of the message: where its body ends (RFC 9112 section 6.3) and whether its
 * connection persists (section 9.3). Where senders and receivers could disagree on that, it cannot be read.
 *
 * @param minorVersion the 1 of HTTP/1.1
 * @param status 100 to 599
 * @param headers all of them, those of the one connection too
 */
record AnswerHead(int minorVersion, int status, Headers headers) {
    /** The length of a body in chunks. */
    static final long CHUNKED = -1;
    /** The length of a body that ends with its connection. */
    static final long UNTIL_CLOSE = -2;

    /** What a target leaves to us. */
    static final long AS_LONG_AS_WE_LIKE = Long.MAX_VALUE;

    private static final Pattern KEEP_ALIVE_SECONDS = Pattern.compile("(?i)timeout\\s*=\\s*\"?(\\d{1,6})");

    /** Whether another head follows (RFC 9110 section 15.2). */
    boolean isInterim() {
        return status < 200;
    }

    /** The length of the body that answers such a method, in bytes, {@link #CHUNKED} or {@link #UNTIL_CLOSE}. */
    long bodyLength(String method) throws MalformedAnswer {
        if (status == 204 || status == 304 || "HEAD".equals(method)) {
            return 0;
        }
        List<String> codings = headers.all("Transfer-Encoding");
        if (!codings.isEmpty()) {
            if (codings.size() > 1 || !codings.getFirst().equalsIgnoreCase("chunked") || minorVersion == 0) {
                throw new MalformedAnswer("a transfer coding other than chunked: " + codings);
            }
            if (headers.has("Content-Length")) {
                throw new MalformedAnswer("both a transfer coding and a Content-Length");
            }
            return CHUNKED;
        }
        return headers.has("Content-Length") ? agreed(headers.all("Content-Length")) : UNTIL_CLOSE;
    }

    /** Several are one when they agree (RFC 9110 section 8.6). */
    private static long agreed(List<String> fields) throws MalformedAnswer {
        if (fields.size() == 1 && fields.getFirst().indexOf(',') < 0) {
            return number(fields.getFirst());
        }
        long length = -1;
        for (String value : String.join(",", fields).split(",", -1)) {
            long one = number(value.strip());
            if (length >= 0 && one != length) {
                throw new MalformedAnswer("two values of Content-Length: " + length + " and " + one);
            }
            length = one;
        }
        return length;
    }

    private static long number(String digits) throws MalformedAnswer {
        if (digits.isEmpty() || digits.length() > 18 || !isOfDigits(digits)) {
            throw new MalformedAnswer("a Content-Length that is no number");
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
     * For how long the connection may be kept: nanoseconds, {@link #AS_LONG_AS_WE_LIKE}, or 0. Of a time that the target
     * names, nine tenths: its clock began before ours, and the next request needs its time to get there.
     */
    long keep(long bodyLength) {
        if (bodyLength == UNTIL_CLOSE || !persists()) {
            return 0;
        }
        String told = headers.first("Keep-Alive");
        if (told == null) {
            return AS_LONG_AS_WE_LIKE;
        }
        Matcher seconds = KEEP_ALIVE_SECONDS.matcher(told);
        return seconds.find()
                ? TimeUnit.SECONDS.toNanos(Long.parseLong(seconds.group(1))) / 10 * 9
                : AS_LONG_AS_WE_LIKE;
    }

    private boolean persists() {
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
