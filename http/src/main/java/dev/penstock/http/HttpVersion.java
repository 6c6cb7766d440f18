package dev.penstock.http;

/** Which version of HTTP a target is spoken to in. */
public enum HttpVersion {
    /** HTTP/2 where the target offers it by TLS (ALPN), and HTTP/1.1 otherwise. */
    AUTO,
    /** HTTP/1.1 only. */
    HTTP_1_1,
    /** HTTP/2 only. */
    HTTP_2;

    /** As it is written in a flow file. */
    public String word() {
        return switch (this) {
            case AUTO -> "auto";
            case HTTP_1_1 -> "1.1";
            case HTTP_2 -> "2";
        };
    }
}
