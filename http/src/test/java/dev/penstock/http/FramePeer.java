package dev.penstock.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.config.H2Param;
import org.apache.hc.core5.http2.config.H2Setting;
import org.apache.hc.core5.http2.frame.DefaultFrameFactory;
import org.apache.hc.core5.http2.frame.FrameFactory;
import org.apache.hc.core5.http2.frame.FrameFlag;
import org.apache.hc.core5.http2.frame.FrameType;
import org.apache.hc.core5.http2.frame.RawFrame;
import org.apache.hc.core5.http2.hpack.HPackDecoder;
import org.apache.hc.core5.http2.hpack.HPackEncoder;
import org.apache.hc.core5.http2.impl.io.FrameInputBuffer;
import org.apache.hc.core5.http2.impl.io.FrameOutputBuffer;
import org.apache.hc.core5.util.ByteArrayBuffer;
import org.jspecify.annotations.Nullable;

/** An HTTP/2 server that does what a script says with each connection, frame by frame, so that it can misbehave in any way. */
public final class FramePeer implements AutoCloseable {
    private static final FrameFactory FRAMES = DefaultFrameFactory.INSTANCE;

    private static final int PREFACE = 24;

    private final ServerSocket listening;
    private final @Nullable List<String> protocols;
    private final List<Talk> talks = new CopyOnWriteArrayList<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    public interface Script {
        void serve(Talk talk) throws Exception;
    }

    /** A whole request, with its pseudo-header fields. */
    record Request(int stream, Map<String, String> fields, String body) {}

    private FramePeer(ServerSocket listening, @Nullable List<String> protocols) {
        this.listening = listening;
        this.protocols = protocols;
    }

    /** A peer without TLS. */
    public static FramePeer plain(Script script) throws IOException {
        return start(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), null, script);
    }

    /** A peer with TLS that chooses among these protocols, as the list stands when a connection comes. */
    public static FramePeer secure(SSLContext context, List<String> protocols, Script script) throws IOException {
        return start(
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                protocols,
                script);
    }

    private static FramePeer start(ServerSocket listening, @Nullable List<String> protocols, Script script) {
        FramePeer peer = new FramePeer(listening, protocols);
        Thread.ofVirtual().start(() -> peer.accept(script));
        return peer;
    }

    private void accept(Script script) {
        try {
            while (true) {
                Talk talk = new Talk(offering(listening.accept()));
                talks.add(talk);
                Thread.ofVirtual().start(() -> talk.run(script));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private Socket offering(Socket accepted) throws IOException {
        accepted.setTcpNoDelay(true); // a head and its content are two writes
        if (protocols != null && accepted instanceof SSLSocket secured) {
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setApplicationProtocols(protocols.toArray(String[]::new));
            secured.setSSLParameters(parameters);
        }
        return accepted;
    }

    Address address() {
        return Address.of((protocols == null ? "http" : "https") + "://" + host() + ":" + port());
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Every request that was read whole, over all connections. */
    List<Request> requests() {
        return requests;
    }

    int connections() {
        return talks.size();
    }

    /** Ends all connections. */
    void cut() throws IOException {
        for (Talk talk : talks) {
            talk.socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }

    /** One connection. */
    public final class Talk {
        private final Socket socket;
        private final FrameInputBuffer in = new FrameInputBuffer(1 << 16);
        private final FrameOutputBuffer out = new FrameOutputBuffer(1 << 16);
        private final HPackDecoder decoder = new HPackDecoder(8192, StandardCharsets.ISO_8859_1);
        private final HPackEncoder encoder = new HPackEncoder(4096, StandardCharsets.ISO_8859_1);
        private final Map<Integer, Map<String, String>> heads = new LinkedHashMap<>();
        private final Map<Integer, ByteArrayOutputStream> bodies = new LinkedHashMap<>();
        private final List<String> resets = new CopyOnWriteArrayList<>();
        private @Nullable InputStream source;

        private Talk(Socket socket) {
            this.socket = socket;
        }

        private void run(Script script) {
            try (socket) {
                script.serve(this);
            } catch (Exception e) {
                // The other side, or the test, closed it.
            }
        }

        private InputStream source() throws IOException {
            InputStream known = source;
            if (known == null) {
                known = new BufferedInputStream(socket.getInputStream());
                source = known;
            }
            return known;
        }

        /** Takes the client's preface and tells how many streams there may be; less than 0 for no such setting. */
        public void open(int streams) throws IOException {
            if (source().readNBytes(PREFACE).length < PREFACE) {
                throw new IOException("no preface");
            }
            send(
                    streams < 0
                            ? FRAMES.createSettings()
                            : FRAMES.createSettings(new H2Setting(H2Param.MAX_CONCURRENT_STREAMS, streams)));
        }

        synchronized void send(RawFrame frame) throws IOException {
            OutputStream target = socket.getOutputStream();
            out.write(frame, target);
            target.flush();
        }

        void sendRaw(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
        }

        /** Reads a whole request; an EOFException ends the script with the connection. */
        Request request() throws Exception {
            Request whole = null;
            while (whole == null) {
                RawFrame frame = in.read(source());
                if (frame == null) {
                    throw new EOFException();
                }
                whole = take(frame);
            }
            requests.add(whole);
            return whole;
        }

        /** Reads on until the client ends the connection, in whatever way. */
        public void awaitEnd() {
            try {
                while (true) {
                    request();
                }
            } catch (Exception e) {
                // That is what was waited for.
            }
        }

        private @Nullable Request take(RawFrame frame) throws Exception {
            int stream = frame.getStreamId();
            switch (FrameType.valueOf(frame.getType())) {
                case SETTINGS -> {
                    if (!frame.isFlagSet(FrameFlag.ACK)) {
                        send(FRAMES.createSettingsAck());
                    }
                    return null;
                }
                case HEADERS -> {
                    Map<String, String> fields = new LinkedHashMap<>();
                    decoder.decodeHeaders(frame.getPayloadContent())
                            .forEach(field -> fields.put(field.getName(), field.getValue()));
                    heads.put(stream, fields);
                    bodies.put(stream, new ByteArrayOutputStream());
                }
                case DATA -> {
                    ByteBuffer content = frame.getPayloadContent();
                    if (content != null) {
                        byte[] bytes = new byte[content.remaining()];
                        content.get(bytes);
                        Objects.requireNonNull(bodies.get(stream)).write(bytes);
                    }
                }
                case RST_STREAM -> {
                    resets.add(
                            stream + " " + H2Error.getByCode(frame.getPayload().getInt()));
                    return null;
                }
                default -> {
                    return null;
                }
            }
            return frame.isFlagSet(FrameFlag.END_STREAM)
                    ? new Request(
                            stream,
                            Objects.requireNonNull(heads.get(stream)),
                            Objects.requireNonNull(bodies.get(stream)).toString(StandardCharsets.UTF_8))
                    : null;
        }

        /** The streams that the client has reset, each with its code. */
        List<String> resets() {
            return resets;
        }

        /** Answers with a body, empty for none. */
        void answer(int stream, String body, String... namesAndValues) throws IOException {
            head(stream, body.isEmpty(), namesAndValues);
            if (!body.isEmpty()) {
                data(stream, body, true);
            }
        }

        void head(int stream, boolean end, String... namesAndValues) throws IOException {
            head(200, stream, end, namesAndValues);
        }

        synchronized void head(int status, int stream, boolean end, String... namesAndValues) throws IOException {
            List<BasicHeader> fields = new ArrayList<>();
            fields.add(new BasicHeader(":status", Integer.toString(status)));
            for (int i = 0; i < namesAndValues.length; i += 2) {
                fields.add(new BasicHeader(namesAndValues[i], namesAndValues[i + 1]));
            }
            ByteArrayBuffer block = new ByteArrayBuffer(256);
            encoder.encodeHeaders(block, fields, true);
            send(FRAMES.createHeaders(stream, ByteBuffer.wrap(block.array(), 0, block.length()), true, end));
        }

        void data(int stream, String text, boolean end) throws IOException {
            send(FRAMES.createData(stream, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), end));
        }

        void reset(int stream, H2Error error) throws IOException {
            send(FRAMES.createResetStream(stream, error));
        }

        void goAway(int last, H2Error error) throws IOException {
            send(FRAMES.createGoAway(last, error, "test"));
        }

        public void settings(int streams) throws IOException {
            settings(H2Param.MAX_CONCURRENT_STREAMS, streams);
        }

        void settings(H2Param name, int value) throws IOException {
            send(FRAMES.createSettings(new H2Setting(name, value)));
        }

        void windowUpdate(int stream, int bytes) throws IOException {
            send(FRAMES.createWindowUpdate(stream, bytes));
        }

        /** Reads the next frame that is of this type. */
        RawFrame next(FrameType type) throws Exception {
            RawFrame frame;
            do {
                frame = in.read(source());
                if (frame == null) {
                    throw new EOFException();
                }
                take(frame);
            } while (FrameType.valueOf(frame.getType()) != type);
            return frame;
        }

        void close() throws IOException {
            socket.close();
        }
    }
}
