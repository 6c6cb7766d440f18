package dev.penstock.cli.probe;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.penstock.http.Header;
import dev.penstock.http.HttpCall;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;

/** A request as bytes, for plain idle sockets: the pool of a target would maintain its connections. */
final class RawHttpRequest {
    private final byte[] bytes;
    private final boolean bodiless;

    private RawHttpRequest(byte[] bytes, boolean bodiless) {
        this.bytes = bytes;
        this.bodiless = bodiless;
    }

    /** The request of a call to a URL. */
    static RawHttpRequest of(URI url, HttpCall call) {
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        StringBuilder head = new StringBuilder()
                .append(call.method())
                .append(' ')
                .append(url.getRawQuery() == null ? path : path + "?" + url.getRawQuery())
                .append(" HTTP/1.1\r\nHost: ")
                .append(url.getRawAuthority())
                .append("\r\n");
        for (Header field : call.headers()) {
            head.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        if (call.body().length > 0
                || call.method().equals("POST")
                || call.method().equals("PUT")) {
            head.append("Content-Length: ").append(call.body().length).append("\r\n");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.append("\r\n").toString().getBytes(ISO_8859_1));
        bytes.writeBytes(call.body());
        return new RawHttpRequest(bytes.toByteArray(), call.method().equals("HEAD"));
    }

    /** Sends the request and reads the whole answer. */
    HttpHead over(Socket socket) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return HttpHead.read(new BufferedInputStream(socket.getInputStream()), bodiless);
    }
}
