package dev.penstock.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http2.frame.FrameType;
import org.apache.hc.core5.http2.hpack.HPackDecoder;

/** An HTTP/2 client that sends the frames of a test one by one, so that it can misbehave in any way. */
public final class FrameClient implements AutoCloseable {
    public static final int END_STREAM = 1;
    public static final int END_HEADERS = 4;
    public static final int PADDED = 8;

    /** RFC 9113 section 7. */
    public static final int CALM = 11;

    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int FRAME_HEAD = 9;
    private static final int PATIENCE_MS = 60_000;

    private final Socket socket;
    private final DataInputStream in;
    private final HPackDecoder decoder = new HPackDecoder(8192, StandardCharsets.ISO_8859_1);
    private final Map<Integer, String> statuses = new HashMap<>();

    /**
     * Connects.
     *
     * @param settings the payload of its first SETTINGS frame
     */
    public FrameClient(int port, byte... settings) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        send(PREFACE.getBytes(StandardCharsets.US_ASCII));
        send(frame(FrameType.SETTINGS, 0, 0, settings));
    }

    public static byte[] frame(FrameType type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(FRAME_HEAD + payload.length)
                .putInt(payload.length << 8 | type.getValue())
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** A WINDOW_UPDATE or RST_STREAM frame. */
    public static byte[] numbered(FrameType type, int stream, int value) {
        return frame(type, 0, stream, integer(value));
    }

    public static byte[] integer(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    /** The payload of a SETTINGS frame with one setting. */
    public static byte[] setting(int name, int value) {
        return ByteBuffer.allocate(6).putShort((short) name).putInt(value).array();
    }

    /** A header block of literals, without any table: names and values in turn, each shorter than 127 bytes. */
    public static byte[] block(String... namesAndValues) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i++) {
            if (i % 2 == 0) {
                block.write(0);
            }
            block.write(namesAndValues[i].length());
            block.writeBytes(namesAndValues[i].getBytes(StandardCharsets.ISO_8859_1));
        }
        return block.toByteArray();
    }

    /** A whole head without further fields. */
    public static byte[] head(int flags, int stream, String method, String path) {
        return frame(
                FrameType.HEADERS,
                flags | END_HEADERS,
                stream,
                block(":method", method, ":scheme", "http", ":path", path, ":authority", "h"));
    }

    public static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    public synchronized FrameClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** The status of the answer on a stream; {@code RST n} or {@code GOAWAY n} instead of one; {@code closed}. */
    public String answer(int stream) throws IOException {
        try {
            while (!statuses.containsKey(stream)) {
                String ended = next();
                if (!ended.isEmpty()) {
                    return ended;
                }
            }
            return statuses.get(stream);
        } catch (IOException closed) {
            return "closed";
        }
    }

    /** Reads to the end of the connection; the code of GOAWAY, or -1 without one. */
    public int end() {
        int code = -1;
        try {
            while (true) {
                String ended = next();
                code = ended.isEmpty() ? code : Integer.parseInt(ended.substring(ended.indexOf(' ') + 1));
            }
        } catch (IOException closed) {
            return code;
        }
    }

    private String next() throws IOException {
        int lengthAndType = in.readInt();
        in.readByte();
        int stream = in.readInt();
        byte[] payload = in.readNBytes(lengthAndType >>> 8);
        switch (FrameType.valueOf(lengthAndType & 0xff)) {
            case HEADERS -> statuses.putIfAbsent(stream, status(payload));
            case RST_STREAM ->
                statuses.putIfAbsent(stream, "RST " + ByteBuffer.wrap(payload).getInt());
            case GOAWAY -> {
                return "GOAWAY " + ByteBuffer.wrap(payload).getInt(Integer.BYTES);
            }
            default -> {}
        }
        return "";
    }

    private String status(byte[] block) throws IOException {
        try {
            return decoder.decodeHeaders(ByteBuffer.wrap(block)).getFirst().getValue();
        } catch (HttpException broken) {
            throw new IOException(broken);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
