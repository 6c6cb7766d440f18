package dev.penstock.http.http2;

import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpConnection;
import org.apache.hc.core5.http.nio.command.RequestExecutionCommand;
import org.apache.hc.core5.http.nio.command.ShutdownCommand;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.config.H2Param;
import org.apache.hc.core5.http2.frame.FrameFlag;
import org.apache.hc.core5.http2.frame.FrameType;
import org.apache.hc.core5.http2.frame.RawFrame;
import org.apache.hc.core5.http2.impl.nio.H2StreamListener;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.Command;
import org.apache.hc.core5.reactor.IOSession;
import org.jspecify.annotations.Nullable;

/**
 * One connection with its streams. It inspects incoming frames for information that HttpCore does not expose: the number of
 * streams that the peer allows, and the streams that the peer has not processed.
 *
 * <h2>Design note</h2>
 *
 * <p>A peer may allow no streams, or no content, until a later frame (RFC 9113 section 6.5.2). HttpCore takes the 0 of such a
 * setting for an error and closes the connection. So it gets a 1 instead, and the 0 is enforced here: no slot is free, or each
 * stream has one byte less to send than HttpCore counts.
 */
public final class Http2Connection implements H2StreamListener {
    /** Is notified of released streams and closed connections. */
    interface Listener {
        void released(Http2Stream stream);

        void changed(Http2Connection connection);

        /** The peer accepts no more streams (GOAWAY), and did not process all that were sent. */
        void endedAfter(int processed);

        void ended(Http2Connection connection);
    }

    private static final int UNKNOWN = -1;

    private final Listener listener;
    private final int maxStreams;
    private final @Nullable SSLContext context;
    private final long startedAt = System.nanoTime();
    private final Runnable onClosed;
    private final CompletableFuture<Http2Connection> ready = new CompletableFuture<>();
    private final Map<Integer, Http2Stream> sent = new ConcurrentHashMap<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean stale = new AtomicBoolean();
    private @Nullable Http2Stream sending;
    private int excess;
    /** The send window of the newest stream as HttpCore counts it. */
    private int newestWindow;

    private volatile @Nullable IOSession session;
    private volatile boolean aborted;
    private volatile boolean goingAway;
    private volatile boolean used;
    private volatile int allowed = UNKNOWN;
    private volatile int firstStream;
    private volatile long connectedAt;
    private volatile long readyAt;

    /** The stream slots; guarded by the lock of {@link Http2Connections}. */
    final Http2StreamSlots slots = new Http2StreamSlots();

    /**
     * Creates a connection that is about to be opened.
     *
     * @param maxStreams maximum number of streams if the peer sets no limit
     * @param context the TLS context, or null without TLS
     * @param onClosed run once, after the listener was notified that the connection is closed
     */
    Http2Connection(Listener listener, int maxStreams, @Nullable SSLContext context, Runnable onClosed) {
        this.listener = listener;
        this.maxStreams = maxStreams;
        this.context = context;
        this.onClosed = onClosed;
    }

    /** Completes when calls can be sent, because the peer has sent its SETTINGS. */
    CompletableFuture<Http2Connection> ready() {
        return ready;
    }

    void connected(IOSession opened) {
        connectedAt = System.nanoTime();
        session = opened;
        if (aborted) {
            opened.close(CloseMode.IMMEDIATE);
        }
    }

    void broken(Exception cause) {
        ready.completeExceptionally(cause);
    }

    /** Whether the connection is open for further calls. */
    boolean isOpen() {
        IOSession current = session;
        return current != null && current.isOpen() && !goingAway && !aborted;
    }

    /** Whether a call was sent on it. */
    boolean isUsed() {
        return used;
    }

    /** Whether it was opened with this TLS context; a connection with an older context must not be reused. */
    boolean uses(@Nullable SSLContext current) {
        // Contexts are compared by identity; they do not override equals.
        return Objects.equals(context, current);
    }

    /** When opening began. */
    public long startedAt() {
        return startedAt;
    }

    /** Nanoseconds to connect; without TLS, until the peer's SETTINGS. */
    public long connecting() {
        return (context == null ? readyAt : connectedAt) - startedAt;
    }

    /** Nanoseconds of the TLS handshake, until the peer's SETTINGS. */
    public long securing() {
        return context == null ? 0 : readyAt - connectedAt;
    }

    /** Maximum number of concurrent streams; 0 while the peer allows none. */
    int allowed() {
        return allowed;
    }

    /** Returns true once, for the first call that finds it closed. */
    public boolean foundStale() {
        return stale.compareAndSet(false, true);
    }

    /** Sends a call; returns whether another call was sent before. */
    public boolean send(Http2Stream stream) {
        IOSession current = session;
        if (current == null) {
            throw new IllegalStateException("not connected yet");
        }
        boolean reused = used;
        used = true;
        try {
            current.enqueue(new RequestExecutionCommand(stream, HttpCoreContext.create()), Command.Priority.NORMAL);
        } catch (CancelledKeyException | ClosedSelectorException e) {
            // The connection is being closed. What is not sent yet will not be sent.
            stream.failed(e);
        }
        return reused;
    }

    /** Sets the call that the next header block belongs to; only on the connection's own thread. */
    void sending(@Nullable Http2Stream stream) {
        sending = stream;
    }

    /** By how many bytes HttpCore overestimates what a stream may send; only on the connection's own thread. */
    int excess() {
        return excess;
    }

    void released(Http2Stream stream) {
        sent.remove(stream.number());
        listener.released(stream);
    }

    /** Closes gracefully (GOAWAY); only if it has no calls. */
    void close() {
        IOSession current = session;
        if (current != null) {
            current.enqueue(ShutdownCommand.GRACEFUL, Command.Priority.IMMEDIATE);
        }
    }

    /** Closes immediately; its calls end without an answer. */
    void abort() {
        aborted = true;
        IOSession current = session;
        if (current != null) {
            current.close(CloseMode.IMMEDIATE);
        }
    }

    /** The connection is closed. */
    void end() {
        if (ended.compareAndSet(false, true)) {
            ready.completeExceptionally(new ConnectionClosedException());
            listener.ended(this);
            onClosed.run();
        }
    }

    @Override
    public void onHeaderOutput(HttpConnection connection, int streamId, List<? extends Header> headers) {
        // HttpCore holds the session lock here, so our lock must not be taken (deadlock).
        Http2Stream stream = sending;
        if (stream != null) {
            stream.numbered(streamId, newestWindow);
            if (firstStream == 0) {
                firstStream = streamId;
            }
            sent.put(streamId, stream);
        }
    }

    /** HttpCore passes interim answers to the stream, except those with status 100. */
    @Override
    public void onHeaderInput(HttpConnection connection, int streamId, List<? extends Header> headers) {
        Http2Stream stream = sent.get(streamId);
        if (stream != null && isInterim(headers)) {
            stream.interim();
        }
    }

    private static boolean isInterim(List<? extends Header> headers) {
        // Pseudo-header fields come first, and an answer has only this one (RFC 9113 section 8.3).
        Header first = headers.isEmpty() ? null : headers.getFirst();
        return first != null
                && first.getName().equals(":status")
                && first.getValue() != null
                && first.getValue().startsWith("1");
    }

    @Override
    public void onFrameInput(HttpConnection connection, int streamId, RawFrame frame) {
        FrameType type = FrameType.valueOf(frame.getType());
        if (type == FrameType.SETTINGS && !frame.isFlagSet(FrameFlag.ACK)) {
            settings(frame.getPayload());
        } else if (type == FrameType.GOAWAY) {
            goAway(frame.getPayload());
        } else if (type == FrameType.RST_STREAM) {
            reset(sent.get(streamId), frame.getPayload());
        }
    }

    private void settings(@Nullable ByteBuffer payload) {
        int limit = allowed == UNKNOWN ? maxStreams : allowed;
        while (payload != null && payload.remaining() >= 6) {
            int key = Short.toUnsignedInt(payload.getShort());
            int value = payload.getInt(payload.position());
            if (key == H2Param.MAX_CONCURRENT_STREAMS.getCode()) {
                limit = Math.clamp(Integer.toUnsignedLong(value), 0, maxStreams);
                value = value == 0 ? 1 : value;
            } else if (key == H2Param.INITIAL_WINDOW_SIZE.getCode()) {
                excess = value == 0 ? 1 : 0;
                value += excess;
            }
            payload.putInt(value);
        }
        if (allowed == UNKNOWN) {
            readyAt = System.nanoTime();
        }
        allowed = limit;
        ready.complete(this);
        listener.changed(this);
    }

    /** RFC 9113 section 6.8: streams with a number above the last stream of the GOAWAY were not and will not be processed. */
    private void goAway(@Nullable ByteBuffer payload) {
        if (payload == null || payload.remaining() < 8) {
            return;
        }
        goingAway = true;
        int processed = payload.getInt() & Integer.MAX_VALUE;
        List<Http2Stream> left = sent.entrySet().stream()
                .filter(entry -> entry.getKey() > processed)
                .map(Map.Entry::getValue)
                .toList();
        if (!left.isEmpty() && processed >= firstStream && payload.getInt() == H2Error.NO_ERROR.getCode()) {
            // Before the callers try another connection. Streams of a client have odd numbers.
            listener.endedAfter((processed - firstStream) / 2 + 1);
        }
        left.forEach(Http2Stream::goneAway);
        listener.changed(this);
    }

    /** RFC 9113 section 8.7. In a GOAWAY, the same code does not concern a single stream. */
    private static void reset(@Nullable Http2Stream stream, @Nullable ByteBuffer payload) {
        if (stream != null
                && payload != null
                && payload.remaining() == 4
                && payload.getInt() == H2Error.REFUSED_STREAM.getCode()) {
            stream.refused();
        }
    }

    @Override
    public void onFrameOutput(HttpConnection connection, int streamId, RawFrame frame) {}

    @Override
    public void onInputFlowControl(HttpConnection connection, int streamId, int delta, int actualSize) {}

    @Override
    public void onOutputFlowControl(HttpConnection connection, int streamId, int delta, int actualSize) {
        Http2Stream stream = sent.get(streamId);
        if (stream != null) {
            stream.window(actualSize);
        } else if (streamId != 0) {
            newestWindow = actualSize;
        }
    }
}
