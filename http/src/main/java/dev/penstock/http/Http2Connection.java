package dev.penstock.http;

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
 * One connection, and the calls on it. It reads along with the frames that come in, for what the library does not pass on:
 * how many streams the peer allows, and which ones it says it has not processed.
 */
final class Http2Connection implements H2StreamListener {
    /** What frees a place on a connection, and what ends one. */
    interface Keeper {
        void released(Http2Stream stream);

        void changed(Http2Connection connection);

        /** The peer takes no more streams, and did not process all that were sent. */
        void endedAfter(int processed);

        void ended(Http2Connection connection);
    }

    private final Keeper keeper;
    private final int most;
    private final @Nullable SSLContext context;
    private final long startedAt = System.nanoTime();
    private final Runnable last;
    private final CompletableFuture<Http2Connection> ready = new CompletableFuture<>();
    private final Map<Integer, Http2Stream> sent = new ConcurrentHashMap<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean stale = new AtomicBoolean();
    private @Nullable Http2Stream sending;
    private volatile @Nullable IOSession session;
    private volatile boolean aborted;
    private volatile boolean goingAway;
    private volatile boolean used;
    private volatile int allowed;
    private volatile int firstStream;
    private volatile long connectedAt;
    private volatile long readyAt;

    /** Who has what place on it. */
    final Http2StreamSlots places = new Http2StreamSlots();

    /**
     * A connection that is about to be opened.
     *
     * @param most how many streams it may have if the peer sets no bound
     * @param context what its TLS rests on, if it has TLS
     * @param last run once, when it is closed for good and the keeper knows
     */
    Http2Connection(Keeper keeper, int most, @Nullable SSLContext context, Runnable last) {
        this.keeper = keeper;
        this.most = most;
        this.context = context;
        this.last = last;
    }

    /** Done when calls can be sent: the peer has told its settings. */
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

    /** Whether a call may be sent now, as far as the connection goes. */
    boolean isOpen() {
        IOSession current = session;
        return current != null && current.isOpen() && !goingAway && !aborted;
    }

    /** Whether a call was sent over it. */
    boolean isUsed() {
        return used;
    }

    /** Whether its TLS rests on that; one that rests on what was exchanged since is not used again. */
    boolean restsOn(@Nullable SSLContext current) {
        // A context has no equality but its identity.
        return Objects.equals(context, current);
    }

    /** When it was begun to open it. */
    long startedAt() {
        return startedAt;
    }

    /** How many nanoseconds it took to connect; without TLS, until the peer told its settings. */
    long connecting() {
        return (context == null ? readyAt : connectedAt) - startedAt;
    }

    /** How many nanoseconds TLS took, until the peer told its settings. */
    long securing() {
        return context == null ? 0 : readyAt - connectedAt;
    }

    /** How many streams there may be at a time, at least 1. */
    int allowed() {
        return allowed;
    }

    /** True once, for the first call that finds it ended. */
    boolean foundStale() {
        return stale.compareAndSet(false, true);
    }

    /** Sends a call; whether another one was sent before. */
    boolean send(Http2Stream stream) {
        IOSession current = session;
        if (current == null) {
            throw new IllegalStateException("not connected yet");
        }
        boolean reused = used;
        used = true;
        try {
            current.enqueue(new RequestExecutionCommand(stream, HttpCoreContext.create()), Command.Priority.NORMAL);
        } catch (CancelledKeyException | ClosedSelectorException e) {
            // It is being closed under the hands of the library. What is not sent yet is not sent after this.
            stream.failed(e);
        }
        return reused;
    }

    /** Tells which call the next header block is of; only on the connection's own thread. */
    void sending(@Nullable Http2Stream stream) {
        sending = stream;
    }

    void released(Http2Stream stream) {
        sent.remove(stream.number());
        keeper.released(stream);
    }

    /** Says goodbye and closes; only when no call is on it. */
    void close() {
        IOSession current = session;
        if (current != null) {
            current.enqueue(ShutdownCommand.GRACEFUL, Command.Priority.IMMEDIATE);
        }
    }

    /** Closes it at once; what is on it ends without an answer. */
    void abort() {
        aborted = true;
        IOSession current = session;
        if (current != null) {
            current.close(CloseMode.IMMEDIATE);
        }
    }

    /** It is closed for good. */
    void end() {
        if (ended.compareAndSet(false, true)) {
            ready.completeExceptionally(new ConnectionClosedException());
            keeper.ended(this);
            last.run();
        }
    }

    @Override
    public void onHeaderOutput(HttpConnection connection, int streamId, List<? extends Header> headers) {
        // No lock of ours may be taken here: the library holds one of the session.
        Http2Stream stream = sending;
        if (stream != null) {
            stream.numbered(streamId);
            if (firstStream == 0) {
                firstStream = streamId;
            }
            sent.put(streamId, stream);
        }
    }

    /** The library passes interim answers on to the stream, but not those with the status 100. */
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
        int told = allowed == 0 ? most : allowed;
        while (payload != null && payload.remaining() >= 6) {
            int key = Short.toUnsignedInt(payload.getShort());
            long value = Integer.toUnsignedLong(payload.getInt());
            if (key == H2Param.MAX_CONCURRENT_STREAMS.getCode()) {
                told = Math.clamp(value, 1, most);
            }
        }
        if (allowed == 0) {
            readyAt = System.nanoTime();
        }
        allowed = told;
        ready.complete(this);
        keeper.changed(this);
    }

    /** RFC 9113 section 6.8: what has a higher number than the last stream told was not and will not be processed. */
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
            // Before their callers look for another connection. A client's streams have odd numbers.
            keeper.endedAfter((processed - firstStream) / 2 + 1);
        }
        left.forEach(Http2Stream::goneAway);
        keeper.changed(this);
    }

    /** RFC 9113 section 8.7. A GOAWAY may tell the same code, and then says nothing of a single stream. */
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
    public void onOutputFlowControl(HttpConnection connection, int streamId, int delta, int actualSize) {}
}
