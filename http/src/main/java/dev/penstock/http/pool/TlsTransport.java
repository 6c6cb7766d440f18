package dev.penstock.http.pool;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS by the JDK's engine.
 *
 * <h2>Design note</h2>
 *
 * <p>What comes while nobody uses the connection must be understood, for it need not be a close: a server sends session
 * tickets after the handshake, when it likes (RFC 8446, 4.6.1). So idle bytes go through the engine too. A ticket says
 * nothing; half a record waits for its other half; a close alert ends the connection; data for us is talk out of turn. A key
 * update (4.6.3) that wants one of ours in return also ends it: the answer could have to wait for room.
 *
 * <p>Its buffers, some 50 KB, are held while it is used and given back when it is idle or waits for an answer and they are
 * empty, so that thousands of such connections stay small.
 */
final class TlsTransport implements TransportLayer {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketTransport socketTransport;
    private final SSLEngine engine;
    /** Bytes from the network, ready to be read from; empty when it was given back. */
    private ByteBuffer arrived = NOTHING;
    /** Data for us, ready to be read from; empty when it was given back. */
    private ByteBuffer opened = NOTHING;

    private ByteBuffer sealed = NOTHING;

    TlsTransport(SocketTransport socketTransport, SSLEngine engine) {
        this.socketTransport = socketTransport;
        this.engine = engine;
    }

    /** Does the handshake, waiting for the peer. */
    void handshake() throws IOException {
        engine.beginHandshake();
        HandshakeStatus status = engine.getHandshakeStatus();
        IOException unsent = null;
        while (status != HandshakeStatus.FINISHED && status != HandshakeStatus.NOT_HANDSHAKING) {
            switch (status) {
                case NEED_WRAP -> {
                    status = wrap(NOTHING).getHandshakeStatus();
                    unsent = unsent == null ? send() : unsent;
                }
                case NEED_TASK -> status = runTasks();
                default -> status = unsent == null ? openOrWait() : openAlert(unsent);
            }
        }
        if (unsent != null) {
            throw unsent;
        }
    }

    /** Sends what was sealed; the error when the peer does not take it any more. */
    private @Nullable IOException send() throws SocketTimeoutException {
        try {
            socketTransport.send(sealed.flip());
            return null;
        } catch (SocketTimeoutException late) {
            throw late;
        } catch (IOException unsent) {
            return unsent;
        }
    }

    /** A peer that refuses the handshake sends an alert and closes: the alert says more than the write that failed. */
    private HandshakeStatus openAlert(IOException unsent) throws IOException {
        try {
            return openOrWait();
        } catch (SSLException alert) {
            throw alert;
        } catch (IOException nothing) {
            throw unsent;
        }
    }

    private HandshakeStatus openOrWait() throws IOException {
        SSLEngineResult result = open();
        if (result.getStatus() == Status.CLOSED) {
            throw new SSLException("the peer ended TLS in the handshake");
        }
        if (result.getStatus() == Status.BUFFER_UNDERFLOW && fill() < 0) {
            throw new EOFException("the peer closed the connection in the handshake");
        }
        return result.getHandshakeStatus() == HandshakeStatus.FINISHED
                ? HandshakeStatus.FINISHED
                : engine.getHandshakeStatus();
    }

    @Override
    public boolean await() throws IOException {
        if (!opened.hasRemaining() && !arrived.hasRemaining()) {
            giveBuffersBack();
            boolean _ = socketTransport.awaitBytes();
        }
        return isOpened();
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        if (!isOpened()) {
            return -1;
        }
        int read = Math.min(most, opened.remaining());
        opened.get(into, from, read);
        return read;
    }

    /** Waits for data for us, which need not be the next that comes; false when the peer has ended TLS. */
    private boolean isOpened() throws IOException {
        while (!opened.hasRemaining()) {
            SSLEngineResult result = open();
            if (result.getStatus() == Status.CLOSED) {
                return false;
            }
            if (result.getStatus() == Status.BUFFER_UNDERFLOW && fill() < 0) {
                // Anybody on the way can end TCP, so it is no end of an answer (RFC 9112 section 9.8).
                throw new EOFException("the connection was closed without an end of TLS");
            }
            answer(result.getHandshakeStatus());
        }
        return true;
    }

    private void giveBuffersBack() {
        arrived = NOTHING;
        opened = NOTHING;
        sealed = NOTHING;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes, from, length);
        while (left.hasRemaining()) {
            SSLEngineResult result = seal(left);
            if (result.getStatus() == Status.CLOSED) {
                throw new EOFException("the peer has ended TLS");
            }
            if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
                throw new SSLException("the peer wants another handshake before it takes more");
            }
        }
    }

    @Override
    public Liveness cameIdle(ByteBuffer bytes) {
        arrived = ByteBuffer.allocate(arrived.remaining() + bytes.remaining())
                .put(arrived)
                .put(bytes)
                .flip();
        return openIdle();
    }

    @Override
    public Liveness rest() {
        if (engine.isInboundDone() || engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
            return Liveness.ENDED;
        }
        return opened.hasRemaining() ? Liveness.TALKED : openIdle();
    }

    private Liveness openIdle() {
        try {
            return openArrived();
        } catch (SSLException | RuntimeException e) {
            // Some damaged records make the engine throw others than its own: that must not end the pool's thread.
            return Liveness.ENDED;
        }
    }

    /** Opens what arrived, which should be no data. */
    private Liveness openArrived() throws SSLException {
        while (arrived.hasRemaining()) {
            SSLEngineResult result = open();
            HandshakeStatus next =
                    result.getHandshakeStatus() == HandshakeStatus.NEED_TASK ? runTasks() : result.getHandshakeStatus();
            if (opened.hasRemaining()) {
                return Liveness.TALKED;
            }
            if (result.getStatus() == Status.CLOSED || next == HandshakeStatus.NEED_WRAP) {
                return Liveness.ENDED;
            }
            if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
                arrived = ByteBuffer.allocate(arrived.remaining()).put(arrived).flip();
                break;
            }
        }
        ByteBuffer half = arrived;
        giveBuffersBack();
        if (half.hasRemaining()) {
            arrived = half;
        }
        return Liveness.QUIET;
    }

    /** What a record that is no data asks of us, after the handshake: a key update asks for one of ours. */
    private void answer(HandshakeStatus status) throws IOException {
        HandshakeStatus next = status;
        while (next == HandshakeStatus.NEED_TASK || next == HandshakeStatus.NEED_WRAP) {
            next = next == HandshakeStatus.NEED_TASK
                    ? runTasks()
                    : seal(NOTHING).getHandshakeStatus();
        }
    }

    private HandshakeStatus runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        return engine.getHandshakeStatus();
    }

    /** Opens a record out of what arrived. */
    private SSLEngineResult open() throws SSLException {
        if (opened.capacity() == 0) {
            opened = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                    .flip();
        }
        opened.compact();
        try {
            SSLEngineResult result = engine.unwrap(arrived, opened);
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                opened = larger(opened, engine.getSession().getApplicationBufferSize());
                return engine.unwrap(arrived, opened);
            }
            return result;
        } finally {
            opened.flip();
        }
    }

    /** Seals a record and sends it. */
    private SSLEngineResult seal(ByteBuffer from) throws IOException {
        SSLEngineResult result = wrap(from);
        socketTransport.send(sealed.flip());
        return result;
    }

    private SSLEngineResult wrap(ByteBuffer from) throws SSLException {
        if (sealed.capacity() == 0) {
            sealed = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        }
        sealed.clear();
        SSLEngineResult result = engine.wrap(from, sealed);
        if (result.getStatus() == Status.BUFFER_OVERFLOW) {
            sealed = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            result = engine.wrap(from, sealed);
        }
        return result;
    }

    /** Waits for more from the network. */
    private int fill() throws IOException {
        int packet = engine.getSession().getPacketBufferSize();
        if (arrived.capacity() < packet) {
            arrived = ByteBuffer.allocate(packet).put(arrived).flip();
        }
        arrived.compact();
        if (!arrived.hasRemaining()) {
            arrived = larger(arrived, packet);
        }
        try {
            return socketTransport.receive(arrived);
        } finally {
            arrived.flip();
        }
    }

    /** A buffer with this one's content and more room, in writing position. */
    private static ByteBuffer larger(ByteBuffer buffer, int more) {
        return ByteBuffer.allocate(buffer.capacity() + more).put(buffer.flip());
    }
}
