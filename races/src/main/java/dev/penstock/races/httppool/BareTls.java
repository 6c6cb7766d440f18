package dev.penstock.races.httppool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/**
 * TLS over a socket, by the JDK's engine on the caller's thread. The look before use reads what lies in the socket and gives
 * it to the engine: a session ticket is taken, a goodbye is seen, and nothing is lost or waited for.
 */
final class BareTls implements BareLine {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;
    /** Records that came: filled by the socket, emptied by the engine, between calls as the socket needs it. */
    private final ByteBuffer came;
    /** Records to go. */
    private final ByteBuffer going;
    /** What the engine found in the records that came, between calls as its reader needs it. */
    private final ByteBuffer text;

    /**
     * Shakes hands.
     *
     * @param channel connected, in blocking mode
     * @param engine a client's, that has not begun
     */
    BareTls(SocketChannel channel, SSLEngine engine) throws IOException {
        this.channel = channel;
        this.engine = engine;
        this.came = ByteBuffer.allocateDirect(engine.getSession().getPacketBufferSize());
        this.going = ByteBuffer.allocateDirect(engine.getSession().getPacketBufferSize());
        this.text = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .limit(0);
        engine.beginHandshake();
        while (isShakingHands()) {
            step();
        }
    }

    private boolean isShakingHands() {
        HandshakeStatus status = engine.getHandshakeStatus();
        return status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED;
    }

    private void step() throws IOException {
        switch (engine.getHandshakeStatus()) {
            case NEED_WRAP -> wrap(NOTHING);
            case NEED_TASK -> engine.getDelegatedTask().run();
            default -> {
                if (!unwrap() && channel.read(came) < 0) {
                    throw new IOException("the connection ended within the handshake");
                }
            }
        }
    }

    private void wrap(ByteBuffer out) throws IOException {
        going.clear();
        engine.wrap(out, going);
        going.flip();
        while (going.hasRemaining()) {
            channel.write(going);
        }
    }

    /** Takes one record; false when it needs more bytes for that. Only called when all text was read. */
    private boolean unwrap() throws IOException {
        came.flip();
        text.clear();
        SSLEngineResult result;
        try {
            result = engine.unwrap(came, text);
        } finally {
            came.compact();
            text.flip();
        }
        return result.getStatus() != Status.BUFFER_UNDERFLOW;
    }

    /** Takes the records that are there until there is text, the end, or nothing left that is whole. */
    private void takeRecords() throws IOException {
        boolean more = true;
        while (more && !text.hasRemaining() && !engine.isInboundDone()) {
            more = unwrap();
            while (isShakingHands() && !engine.isInboundDone()) { // for instance the peer changes keys
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
        takeRecords();
        while (!text.hasRemaining()) {
            if (engine.isInboundDone() || channel.read(came) < 0) {
                return -1;
            }
            takeRecords();
        }
        int part = Math.min(text.remaining(), into.remaining());
        into.put(into.position(), text, text.position(), part);
        into.position(into.position() + part);
        text.position(text.position() + part);
        return part;
    }

    @Override
    public boolean isQuiet(ByteBuffer spare) throws IOException {
        if (BareLine.readAtOnce(channel, came) < 0) {
            return false;
        }
        takeRecords();
        return !text.hasRemaining() && !engine.isInboundDone();
    }

    /** Without a goodbye, as the loop without TLS. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
