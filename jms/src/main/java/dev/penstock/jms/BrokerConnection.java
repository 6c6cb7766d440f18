package dev.penstock.jms;

import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way to a broker: one connection that many share, opened when somebody needs it, and anew when it broke. It is opened
 * on a virtual thread, which nobody has to wait for longer than he likes; the waits between tries are shared by all.
 *
 * <p>Safe for many threads.
 */
final class BrokerConnection implements AutoCloseable {
    /** What its sessions do. */
    enum Use {
        /** Each send waits for the broker. */
        EACH,
        /** Only commits do. */
        COMMITS
    }

    /** A connection with its client, for as long as it holds. */
    static final class Open implements AutoCloseable {
        private final JmsClient client;
        private final Connection connection;
        private final AtomicBoolean broken = new AtomicBoolean();
        private volatile boolean carries;
        /** When the first call since the last answer had none in time; 0 for none. */
        private volatile long silentSince;

        private Open(JmsClient client, Connection connection) {
            this.client = client;
            this.connection = connection;
        }

        Connection connection() {
            return connection;
        }

        boolean isBroken() {
            return broken.get();
        }

        @Override
        public void close() {
            quietly(connection);
            client.close();
        }
    }

    private static final Duration CLOSING = Duration.ofSeconds(1);
    /** How long a connection may leave all calls without an answer before another one is tried. */
    private static final Duration SILENCE = Duration.ofSeconds(3);

    private final JmsBroker broker;
    private final Use use;
    private final Consumer<JMSException> listener;
    private final Part part;
    private final ReentrantLock lock = new ReentrantLock();
    private final ReconnectBackoff reconnectBackoff = new ReconnectBackoff();
    private volatile @Nullable Open current;
    private @Nullable CompletableFuture<Open> opening;
    private @Nullable JMSException last;
    private volatile boolean closed;
    private long opened;

    /** A link that is not open yet. */
    BrokerConnection(JmsBroker broker, Use use) {
        this(broker, use, lost -> {});
    }

    /**
     * A link that is not open yet.
     *
     * @param listener told once for each connection that broke
     */
    BrokerConnection(JmsBroker broker, Use use, Consumer<JMSException> listener) {
        this.broker = broker;
        this.use = use;
        this.listener = listener;
        this.part = Supervisor.current().part("jms-connection", broker.where());
    }

    /**
     * The connection, opened if there is none.
     *
     * @param nanos how long it may take
     * @throws Failed cause {@code CONNECT}: there is none
     * @throws Rejected cause {@code DRAINING}: it is closed for good
     */
    Open open(long nanos) throws Unanswered {
        Open now = current;
        return now != null && !now.isBroken() ? now : await(begin(), nanos);
    }

    private CompletableFuture<Open> begin() throws Unanswered {
        lock.lock();
        try {
            if (closed) {
                throw new Rejected(Rejected.Cause.DRAINING, "the target is closed");
            }
            Open now = current;
            if (now != null && !now.isBroken()) {
                return CompletableFuture.completedFuture(now);
            }
            if (opening != null) {
                return opening;
            }
            long wait = reconnectBackoff.waitLeft(Ticker.SYSTEM.nanos());
            if (wait > 0) {
                throw notYet(wait);
            }
            return start(null);
        } finally {
            lock.unlock();
        }
    }

    private CompletableFuture<Open> start(@Nullable Open silent) {
        CompletableFuture<Open> begun = new CompletableFuture<>();
        Thread.ofVirtual().name("penstock-jms-connect").start(() -> connect(begun, silent));
        // Set last: a thread that cannot start leaves nothing behind. The new thread takes the lock before it ends.
        opening = begun;
        return begun;
    }

    private Failed notYet(long wait) {
        return none(", and the next try is in " + Durations.words(wait), last);
    }

    private Open await(CompletableFuture<Open> begun, long nanos) throws Unanswered {
        try {
            return begun.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new Failed(Failed.Cause.CONNECT, "no connection to " + broker.where() + " within the time left");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Rejected(Rejected.Cause.QUEUE, "the caller was interrupted while a connection was opened");
        } catch (ExecutionException failed) {
            throw none("", failed.getCause());
        }
    }

    /**
     * A broker that does not let us in says nothing of the message, so that is not refused for good: a flow that comes from a
     * queue would make dead letters of all of it, for a wrong password.
     */
    private Failed none(String more, @Nullable Throwable why) {
        String words = why == null ? "it broke" : JmsFault.words(why);
        boolean isLocked = why instanceof JMSException known && JmsFault.of(known).kind() == JmsFault.Kind.REFUSED;
        return new Failed(
                Failed.Cause.CONNECT,
                isLocked
                        ? broker.where() + " does not let this client in" + more + ": " + words
                                + "; mend user and password"
                        : "no connection to " + broker.where() + more + ": " + words,
                why);
    }

    /**
     * Opens one.
     *
     * @param silent the one in whose place it comes, unless that has answered by then; null for none
     */
    private void connect(CompletableFuture<Open> begun, @Nullable Open silent) {
        JmsClient client = null;
        Connection connection = null;
        try {
            client = broker.sending(use); // each has its own: see JmsClient
            connection = client.open();
            Open made = new Open(client, connection);
            connection.setExceptionListener(lost -> broke(made, lost));
            took(made, begun, silent);
        } catch (Throwable failed) {
            // An Error too, for instance a class that is missing from the client's jar: the next caller tries again.
            missed(failed, begun);
            quietly(connection);
            quietly(client);
            if (silent != null) {
                silent.silentSince = Ticker.SYSTEM.nanos() | 1; // the next try comes after as long again
            }
        }
    }

    private void took(Open made, CompletableFuture<Open> begun, @Nullable Open silent) {
        boolean needed = silent == null || silent.isBroken() || silent.silentSince != 0;
        Open taken = silent == null || needed ? made : silent;
        lock.lock();
        try {
            opening = null;
            opened++;
            if (!closed) {
                current = taken;
            }
        } finally {
            lock.unlock();
        }
        if (closed) {
            made.close();
            begun.completeExceptionally(new JMSException("the target was closed"));
            return;
        }
        begun.complete(taken);
        if (!needed) {
            made.close();
        } else if (silent != null) {
            broke(
                    silent,
                    new JMSException("no call on it had an answer for " + Durations.words(SILENCE)
                            + ", while another connection could be opened"));
        }
    }

    private void missed(Throwable failed, CompletableFuture<Open> begun) {
        if (!(failed instanceof JMSException)) {
            part.failedOnce("the calls that wait for it fail; the next one connects again", failed);
        }
        JMSException why = failed instanceof JMSException known ? known : unexpected(failed);
        lock.lock();
        try {
            opening = null;
            last = why;
            reconnectBackoff.failed(Ticker.SYSTEM.nanos(), ThreadLocalRandom.current());
        } finally {
            lock.unlock();
        }
        begun.completeExceptionally(why);
    }

    static JMSException unexpected(Throwable failed) {
        JMSException wrapped = new JMSException("the client failed: " + failed);
        wrapped.initCause(failed);
        return wrapped;
    }

    /** Something went well: what breaks from now on is tried again at once. */
    void works(Open open) {
        if (open.silentSince != 0) {
            open.silentSince = 0;
        }
        if (!open.carries) {
            open.carries = true;
            lock.lock();
            try {
                reconnectBackoff.works();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * A call had no answer in time. Where none had one for a while, another connection is opened. If that one can be opened, it takes
     * the place of the silent one, which a firewall may have forgotten: the client itself finds out after 30 s or more. If not, the
     * broker is slow or gone, and the connection is left as it is.
     */
    void unanswered(Open open) {
        long now = Ticker.SYSTEM.nanos() | 1; // never 0
        if (open.silentSince == 0) {
            open.silentSince = now;
        } else if (now - open.silentSince >= SILENCE.toNanos()) {
            tryAnother(open, now);
        }
    }

    private void tryAnother(Open silent, long now) {
        lock.lock();
        try {
            boolean wanted = !closed && current == silent && !silent.isBroken();
            if (wanted && opening == null && reconnectBackoff.waitLeft(now) == 0) {
                CompletableFuture<Open> _ = start(silent);
            }
        } catch (Throwable noThread) {
            part.failedOnce("the next call without an answer tries again", noThread);
        } finally {
            lock.unlock();
        }
    }

    /** It holds no longer. Who is next opens another; one that never carried anything counts as one that was not opened. */
    void broke(Open open, JMSException why) {
        if (!open.broken.compareAndSet(false, true)) {
            return;
        }
        lock.lock();
        try {
            last = why;
            if (current == open) {
                current = null;
            }
            if (!open.carries) {
                reconnectBackoff.failed(Ticker.SYSTEM.nanos(), ThreadLocalRandom.current());
            }
        } finally {
            lock.unlock();
        }
        try {
            listener.accept(why);
        } finally {
            closeInBackground(open);
        }
    }

    /** A client may take its time to close what is dead: nobody waits for that. */
    static Thread closeInBackground(@Nullable AutoCloseable what) {
        return Thread.ofVirtual().name("penstock-jms-close").start(() -> quietly(what));
    }

    static void quietly(@Nullable AutoCloseable what) {
        try {
            if (what != null) {
                what.close();
            }
        } catch (Throwable nothingMore) { // also an Error of a client: nobody needs what is closed
            return;
        }
    }

    /** Records what is no fault of the broker. */
    void failed(String then, Throwable failure) {
        part.failedOnce(then, failure);
    }

    String where() {
        return broker.where();
    }

    JmsBroker broker() {
        return broker;
    }

    long opened() {
        lock.lock();
        try {
            return opened;
        } finally {
            lock.unlock();
        }
    }

    boolean isOpen() {
        Open now = current;
        return now != null && !now.isBroken();
    }

    @Override
    public void close() {
        Open was;
        lock.lock();
        try {
            closed = true;
            part.close();
            was = current;
            current = null;
        } finally {
            lock.unlock();
        }
        closeSoon(was);
    }

    /** Closes it; who asks waits a while for that, but not for a broker that is dead. */
    private static void closeSoon(@Nullable Open open) {
        try {
            boolean _ = closeInBackground(open).join(CLOSING);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
