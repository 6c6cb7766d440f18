package dev.penstock.races.httppool;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The transport of one connection of {@link BareLoop}: the socket, or TLS over it. For one thread at a time. */
interface BareLine extends Closeable {
    /** Sends all of it. */
    void write(ByteBuffer out) throws IOException;

    /** Waits for some bytes; -1 at the end of the stream. */
    int read(ByteBuffer into) throws IOException;

    /**
     * Whether the peer has neither closed the connection nor sent anything; does not block.
     *
     * @param spare buffer for the read that finds out
     */
    boolean isQuiet(ByteBuffer spare) throws IOException;

    /** A plain socket. */
    record Plain(SocketChannel channel) implements BareLine {
        @Override
        public void write(ByteBuffer out) throws IOException {
            while (out.hasRemaining()) {
                channel.write(out);
            }
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return channel.read(into);
        }

        @Override
        public boolean isQuiet(ByteBuffer spare) throws IOException {
            return readAvailable(channel, spare) == 0;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Reads available bytes without blocking; 0 when there are none. */
    static int readAvailable(SocketChannel channel, ByteBuffer into) throws IOException {
        channel.configureBlocking(false);
        int read = channel.read(into);
        channel.configureBlocking(true);
        return read;
    }
}
