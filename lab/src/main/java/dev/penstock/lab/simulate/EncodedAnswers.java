package dev.penstock.lab.simulate;

import java.nio.charset.StandardCharsets;

/** Encodes answers as single byte arrays, so that one write sends each. */
final class EncodedAnswers {
    static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private EncodedAnswers() {}

    /**
     * Encodes one answer.
     *
     * @param status the status code
     * @param type the Content-Type
     * @param body the body
     * @param bodiless the request was HEAD: the length is sent, the body is not
     * @param last whether the connection is closed afterwards
     */
    static byte[] of(int status, String type, byte[] body, boolean bodiless, boolean last) {
        String head = "HTTP/1.1 " + status + ' ' + phrase(status) + "\r\nContent-Type: " + type + "\r\nContent-Length: "
                + body.length + (last ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n");
        int headLength = head.length();
        byte[] bytes = new byte[headLength + (bodiless ? 0 : body.length)];
        System.arraycopy(head.getBytes(StandardCharsets.ISO_8859_1), 0, bytes, 0, headLength);
        System.arraycopy(body, 0, bytes, headLength, bytes.length - headLength);
        return bytes;
    }

    private static String phrase(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 400 -> "Bad Request";
            case 408 -> "Request Timeout";
            case 413 -> "Content Too Large";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 503 -> "Service Unavailable";
            case 505 -> "HTTP Version Not Supported";
            default -> "Simulated";
        };
    }
}
