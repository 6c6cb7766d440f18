package dev.penstock.lab.simulate;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request line and its headers.
 *
 * @param method as sent
 * @param target as sent
 * @param minor 1 for HTTP/1.1, 0 for HTTP/1.0
 * @param headers by name in lower case; values of repeated headers are joined by ", "
 */
record RequestHead(String method, String target, int minor, Map<String, String> headers) {
    @Nullable
    String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }

    boolean chunked() {
        return headers.containsKey("transfer-encoding");
    }

    /** Whether the client waits for 100 Continue before sending the body (RFC 9110, 10.1.1). */
    boolean expectsContinue() {
        return minor == 1 && "100-continue".equalsIgnoreCase(headers.getOrDefault("expect", ""));
    }

    /** Whether the connection stays open after this request (RFC 9112, 9.3). */
    boolean keepsAlive() {
        String connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
        for (String option : connection.split(",", -1)) {
            if (option.strip().equals("close")) {
                return false;
            }
        }
        return minor == 1;
    }
}
