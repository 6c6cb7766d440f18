package dev.penstock.gateway.udp;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import dev.penstock.udp.Datagram;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Converts datagrams to HTTP calls: the datagram is the request body, and the answer's body is the reply. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>A datagram has no status, so the sender could not distinguish an error of the target from an answer. An answer
 * that means that the target did not take the request ({@link HttpAnswer#isTaken}), or an error of the target (500 and
 * above), is therefore not sent back, as with a queue. Neither is a transaction without an answer. Every other answer
 * is sent back, also a business "no".
 *
 * <p>The id of a datagram becomes the header {@value #ID}, which {@code dedupe: id} and {@code retry: { key: id }}
 * read, and {@code Idempotency-Key} for the target. Bytes that a header cannot contain are written in hexadecimal.
 *
 * @param flow the flow
 */
record DatagramCalls(Service<HttpCall, HttpAnswer> flow) implements Service<Datagram, byte[]> {
    static final String ID = "id";

    private static final String KEY_HEADER = "Idempotency-Key";
    private static final int FAULTS = 500;
    private static final String TYPE = "application/octet-stream";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._~+/=:-]+");

    @Override
    public byte[] call(Datagram datagram) throws Exception {
        HttpAnswer answer = callFlow(HttpCall.of("POST", "/", headers(datagram), datagram.bytes()));
        if (!answer.isTaken()) {
            throw new Failed(Failed.Cause.REFUSED, "the target did not accept the request: status " + answer.status());
        }
        if (answer.status() >= FAULTS) {
            throw new Unknown(Unknown.Cause.ERROR, "the target answered with status " + answer.status());
        }
        return answer.body();
    }

    private HttpAnswer callFlow(HttpCall call) throws Exception {
        try {
            return flow.call(call);
        } catch (BadInput wrong) {
            throw new Failed(Failed.Cause.REFUSED, "the datagram is not a valid request: " + wrong.getMessage(), wrong);
        }
    }

    private static Headers headers(Datagram datagram) {
        Headers headers = Headers.none().with("Content-Type", TYPE);
        String id = datagram.id();
        return id == null || id.isEmpty() ? headers : headers.with(ID, id).with(KEY_HEADER, id);
    }

    /** Encodes bytes as an id that a header can contain; equal bytes give equal ids. */
    static String id(byte[] bytes, int at, int length) {
        String text = new String(bytes, at, length, StandardCharsets.ISO_8859_1);
        return PLAIN.matcher(text).matches() ? text : "0x" + HexFormat.of().formatHex(bytes, at, at + length);
    }
}
