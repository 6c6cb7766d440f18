package dev.penstock.http.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.tls.TestAuthority;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.TrustManagerFactory;

/** The server's end of TLS, record by record: the test says what is sent, and when. */
final class TlsEnd {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int ROOM = 64 << 10;

    private final Socket socket;
    private final SSLEngine engine;
    private final ByteBuffer came = ByteBuffer.allocate(ROOM).flip();
    private final ByteBuffer opened = ByteBuffer.allocate(ROOM).flip();
    private final ByteArrayOutputStream tickets = new ByteArrayOutputStream();

    private TlsEnd(Socket socket, SSLEngine engine) {
        this.socket = socket;
        this.engine = engine;
    }

    /** Shakes hands with who connected. */
    static TlsEnd of(Socket socket, String protocol) throws Exception {
        SSLEngine engine = server().createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(new String[] {protocol});
        TlsEnd end = new TlsEnd(socket, engine);
        end.shakeHands(protocol.equals("TLSv1.3"));
        assertThat(engine.getSession().getProtocol()).isEqualTo(protocol);
        return end;
    }

    static SSLContext client() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", TestAuthority.first().certificate("ca"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static SSLContext server() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(TestAuthority.first().opened("server"), TestAuthority.PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /** What the engine says in TLS 1.3 after it has heard twice is tickets: they are kept. */
    private void shakeHands(boolean keepsTickets) throws IOException {
        engine.beginHandshake();
        boolean spoke = false;
        boolean heardAgain = false;
        HandshakeStatus status = engine.getHandshakeStatus();
        while (status != HandshakeStatus.FINISHED && status != HandshakeStatus.NOT_HANDSHAKING) {
            switch (status) {
                case NEED_TASK -> {
                    engine.getDelegatedTask().run();
                    status = engine.getHandshakeStatus();
                }
                case NEED_WRAP -> {
                    ByteBuffer record = ByteBuffer.allocate(ROOM);
                    status = engine.wrap(NOTHING, record).getHandshakeStatus();
                    spoke = true;
                    if (heardAgain && keepsTickets) {
                        tickets.write(bytes(record.flip()));
                    } else {
                        send(bytes(record.flip()));
                    }
                }
                default -> {
                    heardAgain = spoke;
                    status = open();
                }
            }
        }
    }

    /** Opens one record, waiting for it. */
    private HandshakeStatus open() throws IOException {
        opened.compact();
        try {
            while (true) {
                SSLEngineResult result = engine.unwrap(came, opened);
                if (result.getStatus() != SSLEngineResult.Status.BUFFER_UNDERFLOW) {
                    return result.getHandshakeStatus();
                }
                came.compact();
                int count = socket.getInputStream().read(came.array(), came.position(), came.remaining());
                if (count < 0) {
                    throw new EOFException("the client has closed it");
                }
                came.position(came.position() + count).flip();
            }
        } finally {
            opened.flip();
        }
    }

    /** Reads so many bytes of data. */
    byte[] read(int count) throws IOException {
        ByteBuffer data = ByteBuffer.allocate(count);
        while (data.hasRemaining()) {
            if (!opened.hasRemaining()) {
                open();
            }
            int more = Math.min(data.remaining(), opened.remaining());
            data.put(opened.slice(opened.position(), more));
            opened.position(opened.position() + more);
        }
        return data.array();
    }

    /** Its session tickets (RFC 8446, 4.6.1). They go with the next record that is asked for unless they are asked for first. */
    byte[] tickets() {
        assertThat(tickets.size()).as("tickets").isPositive();
        byte[] all = tickets.toByteArray();
        tickets.reset();
        return all;
    }

    /** A key update that wants one in return (4.6.3). */
    byte[] keyUpdate() throws IOException {
        engine.beginHandshake();
        return wrapped(NOTHING);
    }

    /** The alert that ends it (6.1). */
    byte[] closing() throws IOException {
        engine.closeOutbound();
        return wrapped(NOTHING);
    }

    byte[] sealed(byte[] data) throws IOException {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (ByteBuffer left = ByteBuffer.wrap(data); left.hasRemaining(); ) {
            records.write(wrapped(left));
        }
        return records.toByteArray();
    }

    private byte[] wrapped(ByteBuffer data) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(ROOM);
        engine.wrap(data, record);
        tickets.write(bytes(record.flip()));
        return tickets();
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    Socket socket() {
        return socket;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
