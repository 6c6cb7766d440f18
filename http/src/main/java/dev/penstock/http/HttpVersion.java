package dev.penstock.http;

/** The HTTP version for requests to a target. */
public enum HttpVersion {
    /** HTTP/2 if the target offers it during the TLS handshake (ALPN), HTTP/1.1 otherwise. */
    AUTO,
    /** HTTP/1.1 only. */
    HTTP_1_1,
    /** HTTP/2 only. */
    HTTP_2;

    /** The value in a flow file. */
    public String word() {
        return switch (this) {
            case AUTO -> "auto";
            case HTTP_1_1 -> "1.1";
            case HTTP_2 -> "2";
        };
    }
}
