package dev.penstock.http.http2;

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
 * HttpCore's I/O threads for the connections of one exchange. They run only while there are connections, so a target without
 * HTTP/2 needs none.
 *
 * <p>In HttpCore an {@link Error}, or an exception of a listener, ends the thread and all its connections. This class limits
 * the damage to the one connection. If a thread ends all the same, its reactor and all its connections are closed, and the next
 * connection gets a new reactor.
 */
final class Http2Reactor {
    /** Two, so that calls proceed during the handshake of a new connection. */
    private static final int THREADS = 2;

    /** Maximum size of the head of an answer, all names and values together: 1 MiB. */
    private static final int MAX_HEAD = 1 << 20;

    private static final H2Config CONFIG = H2Config.custom()
            .setPushEnabled(false)
            .setInitialWindowSize(Http2Stream.WINDOW)
            .setMaxHeaderListSize(MAX_HEAD)
            .build();

    private static final HttpProcessor NO_INTERCEPTORS =
            HttpProcessorBuilder.create().build();

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(1);

    private static final ThreadFactory FACTORY =
            Thread.ofPlatform().daemon().name("penstock-h2-", 0).factory();

    private final Part part;
    private final Map<String, Http2Connection> bySession = new ConcurrentHashMap<>();
    /** Running threads, and threads that are ending. */
    private final List<Thread> threads = new ArrayList<>();

    private @Nullable DefaultConnectingIOReactor running;
    /** The number of reactors so far. */
    private int generation;

    private int users;
    private boolean closed;

    /**
     * Creates it without threads.
     *
     * @param where the peer, for the log
     */
    Http2Reactor(String where) {
        this.part = Supervisor.current().part("http2-reactor", where);
    }

    /** Returns the running reactor for one more connection, and starts it if necessary; {@link #release} it once. */
    synchronized DefaultConnectingIOReactor acquire() {
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
                    new EndNotifier(bySession, this),
                    null);
            running.start();
        }
        return running;
    }

    synchronized void release() {
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
        } catch (Throwable failure) { // HttpCore would continue without this thread, and assign new connections to it
            why = failure;
        }
        DefaultConnectingIOReactor broken;
        synchronized (this) {
            if (closed || running == null || mine != generation) {
                return; // an orderly shutdown
            }
            broken = running;
            running = null;
        }
        part.failed(
                "its connections are closed; the next connection gets a new reactor",
                why == null ? new IllegalStateException("an I/O thread of HttpCore ended") : why);
        broken.close(CloseMode.IMMEDIATE);
    }

    /** Closes all connections, stops the threads and waits for them; must not be called on one of them. */
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
                boolean _ = thread.join(JOIN_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private IOEventHandler handler(ProtocolIOSession session, Http2Connection connection) {
        bySession.put(session.getId(), connection);
        ClientH2StreamMultiplexerFactory streams = new ClientH2StreamMultiplexerFactory(
                NO_INTERCEPTORS, null, CONFIG, CharCodingConfig.DEFAULT, connection);
        return new Guarded(session, new ClientH2PrefaceHandler(session, streams, true, null), this);
    }

    /** Runs the work of one connection, and reports its exceptions. */
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

    /** Converts an {@link Error} to an exception, for which HttpCore closes only the connection. */
    private record Guarded(ProtocolIOSession session, IOEventHandler handler, Http2Reactor reactor)
            implements IOEventHandler {
        private IOException failed(Error why) {
            reactor.report(why);
            return new IOException("its event handler failed: " + why, why);
        }

        /** The handler may have replaced itself by another one, which has to be guarded too. */
        private void guardReplacement() {
            IOEventHandler next = session.getHandler();
            if (next != null && !(next instanceof Guarded)) {
                session.upgrade(new Guarded(session, next, reactor));
            }
        }

        @Override
        public void connected(IOSession current) throws IOException {
            try {
                handler.connected(current);
                guardReplacement();
            } catch (Error e) {
                throw failed(e);
            }
        }

        @Override
        public void inputReady(IOSession current, @Nullable ByteBuffer bytes) throws IOException {
            try {
                handler.inputReady(current, bytes);
                guardReplacement();
            } catch (Error e) {
                throw failed(e);
            }
        }

        @Override
        public void outputReady(IOSession current) throws IOException {
            try {
                handler.outputReady(current);
                guardReplacement();
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

    /** Notifies connections of errors and of their end. */
    private record EndNotifier(Map<String, Http2Connection> bySession, Http2Reactor reactor)
            implements IOSessionListener {
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
