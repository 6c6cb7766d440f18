package dev.penstock.http;

import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.http2.impl.nio.ClientH2PrefaceHandler;
import org.apache.hc.core5.http2.impl.nio.ClientH2StreamMultiplexerFactory;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.DefaultConnectingIOReactor;
import org.apache.hc.core5.reactor.IOEventHandler;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.reactor.IOSessionListener;
import org.apache.hc.core5.reactor.ProtocolIOSession;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The library's threads that carry the connections of one exchange. There are some only while there is a connection, so a
 * target that turns out not to speak HTTP/2 costs none.
 *
 * <p>The library ends a thread, and all connections on it, over an {@link Error}, and over what a listener throws. Here either
 * closes the one connection at most. If a thread ends all the same, its reactor is closed with all connections on it, and the
 * next connection gets a new reactor.
 */
final class Http2Reactor {
    /** Two, so that calls go on while a new connection makes its handshake. */
    private static final int THREADS = 2;

    /** Bounds the head of an answer, all names and values together: 1 MiB. */
    private static final int MAX_HEAD = 1 << 20;

    private static final H2Config CONFIG = H2Config.custom()
            .setPushEnabled(false)
            .setInitialWindowSize(Http2Format.WINDOW)
            .setMaxHeaderListSize(MAX_HEAD)
            .build();

    private static final HttpProcessor NOTHING_ADDED =
            HttpProcessorBuilder.create().build();

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final ThreadFactory FACTORY =
            Thread.ofPlatform().daemon().name("penstock-h2-", 0).factory();

    private final Part part;
    private final Map<String, Http2Connection> bySession = new ConcurrentHashMap<>();
    /** Those that run, and those that were told to end. */
    private final List<Thread> threads = new ArrayList<>();

    private @Nullable DefaultConnectingIOReactor running;
    /** Counts the reactors. */
    private int generation;

    private int users;
    private boolean closed;

    /**
     * No threads yet.
     *
     * @param where the peer, for the log
     */
    Http2Reactor(String where) {
        this.part = Supervisor.current().part("http2-reactor", where);
    }

    /** The running threads, for one connection more; {@link #leave} once for each. */
    synchronized DefaultConnectingIOReactor enter() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        users++;
        if (running == null) {
            generation++;
            running = new DefaultConnectingIOReactor(
                    (session, connection) -> handler(session, (Http2Connection) connection),
                    IOReactorConfig.custom()
                            .setIoThreadCount(THREADS)
                            .setSoTimeout(Timeout.DISABLED)
                            .setTcpNoDelay(true)
                            .setSoKeepAlive(true)
                            .build(),
                    this::thread,
                    null,
                    null,
                    new Ends(bySession, this),
                    null);
            running.start();
        }
        return running;
    }

    synchronized void leave() {
        users--;
        if (users == 0 && running != null) {
            running.close(CloseMode.IMMEDIATE);
            running = null;
        }
    }

    private synchronized Thread thread(Runnable work) {
        threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        int mine = generation;
        Thread thread = FACTORY.newThread(() -> run(work, mine));
        threads.add(thread);
        return thread;
    }

    private void run(Runnable work, int mine) {
        Throwable why = null;
        try {
            work.run();
        } catch (Throwable failure) { // the library carries on without this thread, and would give it new connections
            why = failure;
        }
        DefaultConnectingIOReactor broken;
        synchronized (this) {
            if (closed || running == null || mine != generation) {
                return; // it was told to end
            }
            broken = running;
            running = null;
        }
        part.failed(
                "its connections are closed, and the next one gets a new reactor",
                why == null ? new IllegalStateException("a thread of the library ended") : why);
        broken.close(CloseMode.IMMEDIATE);
    }

    /** Ends the threads, and whatever is left of connections, and waits until the threads are gone; not on one of them. */
    void close() {
        List<Thread> ending;
        synchronized (this) {
            closed = true;
            ending = List.copyOf(threads);
            if (running != null) {
                running.close(CloseMode.IMMEDIATE);
            }
        }
        part.close();
        try {
            for (Thread thread : ending) {
                boolean _ = thread.join(PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private IOEventHandler handler(ProtocolIOSession session, Http2Connection connection) {
        bySession.put(session.getId(), connection);
        ClientH2StreamMultiplexerFactory streams =
                new ClientH2StreamMultiplexerFactory(NOTHING_ADDED, null, CONFIG, CharCodingConfig.DEFAULT, connection);
        return new Guarded(session, new ClientH2PrefaceHandler(session, streams, true, null), this);
    }

    /** Runs what belongs to one connection, and records what it throws. */
    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            report(e);
        }
    }

    private void report(Throwable why) {
        part.failedOnce("its connection is closed; the others are not affected", why);
    }

    /** Turns an {@link Error} into an exception, for which the library closes the connection alone. */
    private record Guarded(ProtocolIOSession session, IOEventHandler handler, Http2Reactor reactor)
            implements IOEventHandler {
        private IOException failed(Error why) {
            reactor.report(why);
            return new IOException("its event handler failed: " + why, why);
        }

        /** The handler may have put another one in its place. */
        private void keep() {
            IOEventHandler next = session.getHandler();
            if (next != null && !(next instanceof Guarded)) {
                session.upgrade(new Guarded(session, next, reactor));
            }
        }

        @Override
        public void connected(IOSession current) throws IOException {
            try {
                handler.connected(current);
                keep();
            } catch (Error e) {
                throw failed(e);
            }
        }

        @Override
        public void inputReady(IOSession current, @Nullable ByteBuffer bytes) throws IOException {
            try {
                handler.inputReady(current, bytes);
                keep();
            } catch (Error e) {
                throw failed(e);
            }
        }

        @Override
        public void outputReady(IOSession current) throws IOException {
            try {
                handler.outputReady(current);
                keep();
            } catch (Error e) {
                throw failed(e);
            }
        }

        @Override
        public void timeout(IOSession current, Timeout time) throws IOException {
            try {
                handler.timeout(current, time);
            } catch (Error e) {
                throw failed(e);
            }
        }

        @Override
        public void exception(IOSession current, Exception cause) {
            reactor.guarded(() -> handler.exception(current, cause));
        }

        @Override
        public void disconnected(IOSession current) {
            reactor.guarded(() -> handler.disconnected(current));
        }
    }

    /** Tells connections when they break and end. */
    private record Ends(Map<String, Http2Connection> bySession, Http2Reactor reactor) implements IOSessionListener {
        @Override
        public void exception(IOSession session, Exception cause) {
            Http2Connection connection = bySession.get(session.getId());
            if (connection != null) {
                reactor.guarded(() -> connection.broken(cause));
            }
        }

        @Override
        public void disconnected(IOSession session) {
            Http2Connection connection = bySession.remove(session.getId());
            if (connection != null) {
                reactor.guarded(connection::end);
            }
        }

        @Override
        public void connected(IOSession session) {}

        @Override
        public void startTls(IOSession session) {}

        @Override
        public void inputReady(IOSession session) {}

        @Override
        public void outputReady(IOSession session) {}

        @Override
        public void timeout(IOSession session) {}
    }
}
