package dev.penstock.http.source;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.frames.Frame;
import org.eclipse.jetty.http2.frames.FrameType;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.util.Callback;

/**
 * Bounds what one HTTP/2 connection can cost. A connection beyond a bound ends with GOAWAY, ENHANCE_YOUR_CALM.
 *
 * <h2>Design note</h2>
 *
 * <p>Jetty does not bound WINDOW_UPDATE frames, and queues them while it waits to write: a client that does not read can fill
 * the memory with them. A client has a reason for some of them for each DATA frame, and for few while it does not read.
 */
final class Http2Bounds implements HTTP2Session.LifeCycleListener {
    /** Requests in progress on one connection. */
    static final int MAX_STREAMS = 128;

    /** Settings that a client sends on one connection, together. */
    private static final int MAX_SETTINGS = 64;

    /**
     * Frames per second and connection that bring no request forward: streams that either side resets, SETTINGS, PING, PRIORITY,
     * CONTINUATION, empty DATA, malformed HEADERS, frames of closed streams, and unknown ones.
     */
    private static final int MAX_OTHER_FRAMES = 128;

    /** WINDOW_UPDATE frames that no DATA frame explains. */
    private static final int MAX_WINDOW_UPDATES = 65_536;

    /** The same while the client does not read. */
    private static final int MAX_WINDOW_UPDATES_UNREAD = 1_024;

    private static final int WINDOW_UPDATES_PER_DATA = 64;

    private Http2Bounds() {}

    static <T extends AbstractHTTP2ServerConnectionFactory> T set(T http2) {
        http2.setMaxConcurrentStreams(MAX_STREAMS);
        http2.setMaxSettingsKeys(MAX_SETTINGS);
        http2.setRateControlFactory(new RateControl.Factory() {
            @Override
            public RateControl newRateControl(EndPoint connection) {
                return new OtherFrames();
            }
        });
        http2.addEventListener(new Http2Bounds());
        return http2;
    }

    @Override
    public void onOpen(Session session) {
        if (session instanceof HTTP2Session opened) {
            opened.addEventListener(new WindowUpdates(opened));
        }
    }

    /** Counts the other frames of one connection. Jetty resets a stream that its client has reset, and counts both frames. */
    private static final class OtherFrames extends WindowRateControl {
        /** Streams that one side has reset. */
        private final Set<Integer> reset = ConcurrentHashMap.newKeySet();

        OtherFrames() {
            super(MAX_OTHER_FRAMES, Duration.ofSeconds(1));
        }

        @Override
        public boolean onEvent(Object frame) {
            return (frame instanceof ResetFrame end && isSecond(end.getStreamId())) || super.onEvent(frame);
        }

        private boolean isSecond(int stream) {
            if (reset.remove(stream)) {
                return true;
            }
            if (reset.size() > MAX_OTHER_FRAMES) { // of streams that had ended
                reset.clear();
            }
            reset.add(stream);
            return false;
        }
    }

    /** Counts the WINDOW_UPDATE frames of one connection. */
    private static final class WindowUpdates implements HTTP2Session.FrameListener {
        private final HTTP2Session session;
        private final AtomicInteger unexplained = new AtomicInteger();

        WindowUpdates(HTTP2Session session) {
            this.session = session;
        }

        @Override
        public void onIncomingFrame(Session same, Frame frame) {
            if (frame.getType() != FrameType.WINDOW_UPDATE) {
                return;
            }
            int count = unexplained.incrementAndGet();
            if (count > MAX_WINDOW_UPDATES_UNREAD && (count > 2 * MAX_WINDOW_UPDATES || isWriting())) {
                session.getEndPoint().close(); // it would not read GOAWAY either
            } else if (count == MAX_WINDOW_UPDATES) {
                session.close(
                        ErrorCode.ENHANCE_YOUR_CALM_ERROR.code, "invalid_window_update_frame_rate", Callback.NOOP);
            }
        }

        private boolean isWriting() {
            return session.getEndPoint() instanceof AbstractEndPoint socket
                    && socket.getWriteFlusher().isPending();
        }

        @Override
        public void onOutgoingFrame(Session same, Frame frame) {
            if (frame.getType() == FrameType.DATA) {
                unexplained.updateAndGet(count -> Math.max(0, count - WINDOW_UPDATES_PER_DATA));
            }
        }
    }
}
