package dev.penstock.races.httppool;

import dev.penstock.races.httppool.BareConnection.BareLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/**
 * TLS over a socket, with the JDK's engine on the caller's thread. The validation before reuse reads available bytes
 * and passes them to the engine: session tickets are processed, a close_notify is detected, and nothing is lost or
 * waited for.
 */
final class BareTls implements BareLine {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;
    /** Received records: filled by the socket, consumed by the engine; between calls in write mode. */
    private final ByteBuffer received;
    /** Records to send. */
    private final ByteBuffer outgoing;
    /** Decrypted bytes of received records; between calls in read mode. */
    private final ByteBuffer decrypted;

    /**
     * Performs the handshake.
     *
     * @param channel connected, in blocking mode
     * @param engine a client engine, not yet started
     */
    BareTls(SocketChannel channel, SSLEngine engine) throws IOException {
        this.channel = channel;
        this.engine = engine;
        this.received = ByteBuffer.allocateDirect(engine.getSession().getPacketBufferSize());
        this.outgoing = ByteBuffer.allocateDirect(engine.getSession().getPacketBufferSize());
        this.decrypted = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .limit(0);
        engine.beginHandshake();
        while (isHandshaking()) {
            step();
        }
    }

    private boolean isHandshaking() {
        HandshakeStatus status = engine.getHandshakeStatus();
        return status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED;
    }

    private void step() throws IOException {
        switch (engine.getHandshakeStatus()) {
            case NEED_WRAP -> wrap(NOTHING);
            case NEED_TASK -> engine.getDelegatedTask().run();
            default -> {
                if (!unwrap() && channel.read(received) < 0) {
                    throw new IOException("the connection ended during the handshake");
                }
            }
        }
    }

    private void wrap(ByteBuffer out) throws IOException {
        outgoing.clear();
        engine.wrap(out, outgoing);
        outgoing.flip();
        while (outgoing.hasRemaining()) {
            channel.write(outgoing);
        }
    }

    /** Processes one record; false when more bytes are needed. Only called when all decrypted bytes were read. */
    private boolean unwrap() throws IOException {
        received.flip();
        decrypted.clear();
        SSLEngineResult result;
        try {
            result = engine.unwrap(received, decrypted);
        } finally {
            received.compact();
            decrypted.flip();
        }
        return result.getStatus() != Status.BUFFER_UNDERFLOW;
    }

    /** Processes available records until there are decrypted bytes, the end, or no complete record. */
    private void processRecords() throws IOException {
        boolean more = true;
        while (more && !decrypted.hasRemaining() && !engine.isInboundDone()) {
            more = unwrap();
            while (isHandshaking() && !engine.isInboundDone()) { // for instance a key update
                step();
            }
        }
    }

    @Override
    public void write(ByteBuffer out) throws IOException {
        while (out.hasRemaining()) {
            wrap(out);
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        processRecords();
        while (!decrypted.hasRemaining()) {
            if (engine.isInboundDone() || channel.read(received) < 0) {
                return -1;
            }
            processRecords();
        }
        int part = Math.min(decrypted.remaining(), into.remaining());
        into.put(into.position(), decrypted, decrypted.position(), part);
        into.position(into.position() + part);
        decrypted.position(decrypted.position() + part);
        return part;
    }

    @Override
    public boolean isQuiet() throws IOException {
        if (BareLine.readAvailable(channel, received) < 0) {
            return false;
        }
        processRecords();
        return !decrypted.hasRemaining() && !engine.isInboundDone();
    }

    /** Without a close_notify, as the loop without TLS. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
