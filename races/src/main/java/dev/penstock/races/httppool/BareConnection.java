package dev.penstock.races.httppool;

import dev.penstock.http.http1.AnswerHead;
import dev.penstock.http.http1.AnswerReader;
import dev.penstock.races.httppool.Client.Reply;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One connection of {@link BareLoop}: writes a request, reads its answer. For one thread at a time. */
final class BareConnection implements AutoCloseable {
    private static final int MAX_BODY = 1 << 20;

    private final BareLine line;
    private final InputStream in;
    private final AnswerReader reader = new AnswerReader();
    private boolean reusable = true;

    BareConnection(BareLine line) {
        this.line = line;
        this.in = new LineStream(line);
    }

    /** Whether the peer has neither closed the connection nor sent unexpected bytes. */
    boolean isOpen() {
        try {
            return line.isQuiet();
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the connection can be reused after the last answer. */
    boolean isReusable() {
        return reusable && reader.isClean();
    }

    Reply exchange(byte[] request) throws IOException {
        reusable = false;
        line.write(ByteBuffer.wrap(request));
        AnswerHead head = reader.head(in);
        long length = head.bodyLength("POST");
        byte[] body = reader.body(in, length, MAX_BODY, bytes -> {});
        reusable = head.keep(length) > 0;
        return Reply.of(head.status(), body);
    }

    @Override
    public void close() throws IOException {
        line.close();
    }

    /** What comes over a line. */
    private static final class LineStream extends InputStream {
        private final BareLine line;

        LineStream(BareLine line) {
            this.line = line;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int at, int count) throws IOException {
            return line.read(ByteBuffer.wrap(into, at, count));
        }
    }

    /** The transport of one connection of {@link BareLoop}: the socket, or TLS over it. For one thread at a time. */
    interface BareLine extends Closeable {
        /** Sends all of it. */
        void write(ByteBuffer out) throws IOException;

        /** Waits for some bytes; -1 at the end of the stream. */
        int read(ByteBuffer into) throws IOException;

        /** Whether the peer has neither closed the connection nor sent anything; does not block. */
        boolean isQuiet() throws IOException;

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
            public boolean isQuiet() throws IOException {
                return readAvailable(channel, ByteBuffer.allocate(1)) == 0;
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
}
