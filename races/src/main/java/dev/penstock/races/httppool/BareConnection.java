package dev.penstock.races.httppool;

import dev.penstock.races.httppool.Client.Reply;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/** One connection of {@link BareLoop}: writes a request, reads its answer. For one thread at a time. */
final class BareConnection implements AutoCloseable {
    private static final int MAX_LINE = 8 * 1024;
    private static final int MAX_BODY = 1 << 20;

    private final BareLine line;
    private final ByteBuffer in = ByteBuffer.allocateDirect(8 * 1024).limit(0);
    private boolean reusable = true;

    BareConnection(BareLine line) {
        this.line = line;
    }

    /** Whether the peer has neither closed the connection nor sent unexpected bytes. */
    boolean isOpen() {
        try {
            boolean quiet = line.isQuiet(in.clear());
            in.limit(0);
            return quiet;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the connection can be reused after the last answer. */
    boolean isReusable() {
        return reusable && !in.hasRemaining();
    }

    Reply exchange(byte[] request) throws IOException {
        reusable = false;
        line.write(ByteBuffer.wrap(request));
        String first = line();
        if (!first.startsWith("HTTP/1.1 ") || first.length() < 12) {
            throw new IOException("not an answer: " + first);
        }
        int status = Integer.parseInt(first.substring(9, 12));
        int length = -1;
        boolean chunked = false;
        boolean kept = true;
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            String value = header.substring(colon + 1).strip();
            switch (header.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT)) {
                case "content-length" -> length = Integer.parseInt(value);
                case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
                case "connection" -> kept = !value.equalsIgnoreCase("close");
                default -> {}
            }
        }
        byte[] body = chunked ? chunks() : bytes(length);
        reusable = kept;
        return Reply.of(status, body);
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = size(line()); size > 0; size = size(line())) {
            body.writeBytes(bytes(size));
            line();
        }
        while (!line().isEmpty()) {
            // trailers are ignored
        }
        return body.toByteArray();
    }

    private static int size(String line) {
        int end = line.indexOf(';');
        return Integer.parseInt((end < 0 ? line : line.substring(0, end)).strip(), 16);
    }

    private byte[] bytes(int length) throws IOException {
        if (length < 0 || length > MAX_BODY) {
            throw new IOException("an answer without a length, or larger than 1 MB");
        }
        byte[] bytes = new byte[length];
        for (int done = 0; done < length; ) {
            fill();
            int part = Math.min(length - done, in.remaining());
            in.get(bytes, done, part);
            done += part;
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder text = new StringBuilder(64);
        while (text.length() < MAX_LINE) {
            fill();
            char next = (char) (in.get() & 0xff);
            if (next == '\n') {
                text.setLength(Math.max(0, text.length() - 1)); // strip the carriage return
                return text.toString();
            }
            text.append(next);
        }
        throw new IOException("a line of the answer exceeds " + MAX_LINE + " bytes");
    }

    private void fill() throws IOException {
        while (!in.hasRemaining()) {
            in.clear();
            int read = line.read(in);
            in.flip();
            if (read < 0) {
                throw new EOFException("the connection ended before the answer did");
            }
        }
    }

    @Override
    public void close() throws IOException {
        line.close();
    }

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
}
