package dev.penstock.races.httppool;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** What carries the bytes of one connection of {@link BareLoop}: the socket, or TLS over it. For one thread at a time. */
interface BareLine extends Closeable {
    /** Sends all of it. */
    void write(ByteBuffer out) throws IOException;

    /** Waits for some bytes; -1 when the other side ended. */
    int read(ByteBuffer into) throws IOException;

    /**
     * Whether the other side has neither closed nor sent anything to be read; does not wait.
     *
     * @param spare room for what it reads to find that out
     */
    boolean isQuiet(ByteBuffer spare) throws IOException;

    /** The socket and nothing else. */
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
            return readAtOnce(channel, spare) == 0;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Reads what is there and does not wait; 0 when nothing is. */
    static int readAtOnce(SocketChannel channel, ByteBuffer into) throws IOException {
        channel.configureBlocking(false);
        int read = channel.read(into);
        channel.configureBlocking(true);
        return read;
    }
}
