package dev.penstock.gateway;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.http.Headers;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.udp.Datagram;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Brings datagrams to a flow whose words are those of HTTP: the bytes are a body, and the answer's body goes back. Safe for many
 * threads.
 *
 * <h2>Design note</h2>
 *
 * <p>A datagram has no status, so whoever asked could not tell a fault of the target from its answer. So what says that the
 * target did not take the request ({@link HttpAnswer#isTaken}), or is a fault of it (500 and above), is not sent back, as with
 * a queue; nor is what ends without an answer. All else is an answer, also a business "no".
 *
 * <p>The id of a datagram travels as the header {@value #ID}, by which {@code dedupe: id} and {@code retry: { key: id }} find
 * it, and as {@code Idempotency-Key}, by which targets know it. Bytes that no header can carry are written in hexadecimal.
 *
 * @param flow where requests go
 */
record DatagramCalls(Service<HttpCall, HttpAnswer> flow) implements Service<Datagram, byte[]> {
    static final String ID = "id";

    private static final int FAULTS = 500;
    private static final String TYPE = "application/octet-stream";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._~+/=:-]+");

    @Override
    public byte[] call(Datagram datagram) throws Exception {
        HttpAnswer answer = flow.call(HttpCall.of("POST", "/", headers(datagram), datagram.bytes()));
        if (!answer.isTaken()) {
            throw new Failed(Failed.Cause.REFUSED, "the target did not take it, and answered " + answer.status());
        }
        if (answer.status() >= FAULTS) {
            throw new Unknown(Unknown.Cause.ERROR, "the target answered " + answer.status());
        }
        return answer.body();
    }

    private static Headers headers(Datagram datagram) {
        Headers headers = Headers.none().with("Content-Type", TYPE);
        String id = datagram.id();
        return id == null || id.isEmpty() ? headers : headers.with(ID, id).with(QueueMessages.KEY_HEADER, id);
    }

    /** Bytes as an id that a header can carry; the same bytes always give the same. */
    static String id(byte[] bytes, int at, int length) {
        String text = new String(bytes, at, length, StandardCharsets.ISO_8859_1);
        return PLAIN.matcher(text).matches() ? text : "0x" + HexFormat.of().formatHex(bytes, at, at + length);
    }
}
