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
 * TLS with the JDK's SSLEngine.
 *
 * <h2>Design note</h2>
 *
 * <p>Bytes that arrive on an idle connection must be decrypted, because they need not be a close: a server may send session
 * tickets at any time after the handshake (RFC 8446 section 4.6.1). A ticket is ignored; an incomplete record is kept until the
 * rest arrives; a close alert closes the connection, and so does application data. A key update (section 4.6.3) that requests
 * one in return also closes it, because sending the reply could block.
 *
 * <p>The buffers, about 50 KB, are released while the connection is idle or waits for an answer, if they are empty. So
 * thousands of connections need little memory.
 */
final class TlsTransport implements TransportLayer {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final SocketTransport socketTransport;
    private final SSLEngine engine;
    /** Encrypted bytes from the network, in reading position; empty when released. */
    private ByteBuffer encryptedIn = EMPTY;
    /** Decrypted application data, in reading position; empty when released. */
    private ByteBuffer decrypted = EMPTY;

    private ByteBuffer encryptedOut = EMPTY;

    TlsTransport(SocketTransport socketTransport, SSLEngine engine) {
        this.socketTransport = socketTransport;
        this.engine = engine;
    }

    /** Performs the handshake; blocks. */
    void handshake() throws IOException {
        engine.beginHandshake();
        HandshakeStatus status = engine.getHandshakeStatus();
        IOException unsent = null;
        while (status != HandshakeStatus.FINISHED && status != HandshakeStatus.NOT_HANDSHAKING) {
            switch (status) {
                case NEED_WRAP -> {
                    status = wrap(EMPTY).getHandshakeStatus();
                    unsent = unsent == null ? send() : unsent;
                }
                case NEED_TASK -> status = runTasks();
                default -> status = unsent == null ? unwrapOrFill() : readAlert(unsent);
            }
        }
        if (unsent != null) {
            throw unsent;
        }
    }

    /** Sends the encrypted bytes; returns the error if the peer has closed the connection. */
    private @Nullable IOException send() throws SocketTimeoutException {
        try {
            socketTransport.send(encryptedOut.flip());
            return null;
        } catch (SocketTimeoutException late) {
            throw late;
        } catch (IOException unsent) {
            return unsent;
        }
    }

    /** A peer that refuses the handshake sends an alert and closes. The alert explains more than the failed write. */
    private HandshakeStatus readAlert(IOException unsent) throws IOException {
        try {
            return unwrapOrFill();
        } catch (SSLException alert) {
            throw alert;
        } catch (IOException nothing) {
            throw unsent;
        }
    }

    private HandshakeStatus unwrapOrFill() throws IOException {
        SSLEngineResult result = unwrap();
        if (result.getStatus() == Status.CLOSED) {
            throw new SSLException("the peer sent close_notify during the TLS handshake");
        }
        if (result.getStatus() == Status.BUFFER_UNDERFLOW && fill() < 0) {
            throw new EOFException("the peer closed the connection during the TLS handshake");
        }
        return result.getHandshakeStatus() == HandshakeStatus.FINISHED
                ? HandshakeStatus.FINISHED
                : engine.getHandshakeStatus();
    }

    @Override
    public boolean awaitData() throws IOException {
        if (!decrypted.hasRemaining() && !encryptedIn.hasRemaining()) {
            releaseBuffers();
            boolean _ = socketTransport.awaitBytes();
        }
        return awaitDecrypted();
    }

    @Override
    public int read(byte[] into, int from, int max) throws IOException {
        if (!awaitDecrypted()) {
            return -1;
        }
        int read = Math.min(max, decrypted.remaining());
        decrypted.get(into, from, read);
        return read;
    }

    /** Waits for application data; other records may come first. Returns false if the peer sent close_notify. */
    private boolean awaitDecrypted() throws IOException {
        while (!decrypted.hasRemaining()) {
            SSLEngineResult result = unwrap();
            if (result.getStatus() == Status.CLOSED) {
                return false;
            }
            if (result.getStatus() == Status.BUFFER_UNDERFLOW && fill() < 0) {
                // Anyone on the path can close TCP, so this is not the end of an answer (RFC 9112 section 9.8).
                throw new EOFException("the connection was closed without a TLS close_notify");
            }
            reply(result.getHandshakeStatus());
        }
        return true;
    }

    private void releaseBuffers() {
        encryptedIn = EMPTY;
        decrypted = EMPTY;
        encryptedOut = EMPTY;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes, from, length);
        while (left.hasRemaining()) {
            SSLEngineResult result = wrapAndSend(left);
            if (result.getStatus() == Status.CLOSED) {
                throw new EOFException("the peer has closed the TLS connection");
            }
            if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
                throw new SSLException("the peer requires a TLS renegotiation, which is not supported");
            }
        }
    }

    @Override
    public Liveness receivedWhileIdle(ByteBuffer bytes) {
        encryptedIn = ByteBuffer.allocate(encryptedIn.remaining() + bytes.remaining())
                .put(encryptedIn)
                .put(bytes)
                .flip();
        return checkReceived();
    }

    @Override
    public Liveness becomeIdle() {
        if (engine.isInboundDone() || engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
            return Liveness.CLOSED;
        }
        return decrypted.hasRemaining() ? Liveness.UNEXPECTED_DATA : checkReceived();
    }

    private Liveness checkReceived() {
        try {
            return unwrapReceived();
        } catch (SSLException | RuntimeException e) {
            // The engine throws RuntimeExceptions for some damaged records; they must not end the thread of the pool.
            return Liveness.CLOSED;
        }
    }

    /** Decrypts the received bytes, which should not contain application data. */
    private Liveness unwrapReceived() throws SSLException {
        while (encryptedIn.hasRemaining()) {
            SSLEngineResult result = unwrap();
            HandshakeStatus next =
                    result.getHandshakeStatus() == HandshakeStatus.NEED_TASK ? runTasks() : result.getHandshakeStatus();
            if (decrypted.hasRemaining()) {
                return Liveness.UNEXPECTED_DATA;
            }
            if (result.getStatus() == Status.CLOSED || next == HandshakeStatus.NEED_WRAP) {
                return Liveness.CLOSED;
            }
            if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
                encryptedIn = ByteBuffer.allocate(encryptedIn.remaining())
                        .put(encryptedIn)
                        .flip();
                break;
            }
        }
        ByteBuffer incomplete = encryptedIn;
        releaseBuffers();
        if (incomplete.hasRemaining()) {
            encryptedIn = incomplete;
        }
        return Liveness.ALIVE;
    }

    /** Replies to a handshake record after the handshake, such as a key update. */
    private void reply(HandshakeStatus status) throws IOException {
        HandshakeStatus next = status;
        while (next == HandshakeStatus.NEED_TASK || next == HandshakeStatus.NEED_WRAP) {
            next = next == HandshakeStatus.NEED_TASK
                    ? runTasks()
                    : wrapAndSend(EMPTY).getHandshakeStatus();
        }
    }

    private HandshakeStatus runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        return engine.getHandshakeStatus();
    }

    /** Decrypts one record. */
    private SSLEngineResult unwrap() throws SSLException {
        if (decrypted.capacity() == 0) {
            decrypted = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                    .flip();
        }
        decrypted.compact();
        try {
            SSLEngineResult result = engine.unwrap(encryptedIn, decrypted);
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                decrypted = larger(decrypted, engine.getSession().getApplicationBufferSize());
                return engine.unwrap(encryptedIn, decrypted);
            }
            return result;
        } finally {
            decrypted.flip();
        }
    }

    /** Encrypts one record and sends it. */
    private SSLEngineResult wrapAndSend(ByteBuffer from) throws IOException {
        SSLEngineResult result = wrap(from);
        socketTransport.send(encryptedOut.flip());
        return result;
    }

    private SSLEngineResult wrap(ByteBuffer from) throws SSLException {
        if (encryptedOut.capacity() == 0) {
            encryptedOut = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        }
        encryptedOut.clear();
        SSLEngineResult result = engine.wrap(from, encryptedOut);
        if (result.getStatus() == Status.BUFFER_OVERFLOW) {
            encryptedOut = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            result = engine.wrap(from, encryptedOut);
        }
        return result;
    }

    /** Waits for more bytes from the network. */
    private int fill() throws IOException {
        int packet = engine.getSession().getPacketBufferSize();
        if (encryptedIn.capacity() < packet) {
            encryptedIn = ByteBuffer.allocate(packet).put(encryptedIn).flip();
        }
        encryptedIn.compact();
        if (!encryptedIn.hasRemaining()) {
            encryptedIn = larger(encryptedIn, packet);
        }
        try {
            return socketTransport.receive(encryptedIn);
        } finally {
            encryptedIn.flip();
        }
    }

    /** Returns a larger buffer with the content of this one, in writing position. */
    private static ByteBuffer larger(ByteBuffer buffer, int more) {
        return ByteBuffer.allocate(buffer.capacity() + more).put(buffer.flip());
    }
}
