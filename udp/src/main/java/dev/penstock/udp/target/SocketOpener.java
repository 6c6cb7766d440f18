package dev.penstock.udp.target;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Opens the socket of a target when a call needs it, and a new one when the reader of the current one has ended.
 *
 * <p>The operating system may take many seconds to look up a host. So lookup and opening run on a separate thread, one at a
 * time, and a caller waits for it only until its deadline. The monitor is never held during a lookup, an open or a close. Safe
 * for many threads.
 */
final class SocketOpener {
    /** Looks up the host and opens a socket. */
    @FunctionalInterface
    interface Opening {
        PeerSocket open() throws Exception;
    }

    private final String where;
    private final String host;
    private final Opening how;
    private @Nullable CompletableFuture<PeerSocket> opening;
    private final AtomicReference<@Nullable PeerSocket> current = new AtomicReference<>();
    private final AtomicLong opened = new AtomicLong();
    private volatile boolean closed;

    SocketOpener(String where, String host, Opening how) {
        this.where = where;
        this.host = host;
        this.how = how;
    }

    /** The socket if it is open and being read; otherwise null. */
    @Nullable
    PeerSocket current() {
        PeerSocket open = current.get();
        return open != null && open.isReading() && !closed ? open : null;
    }

    /**
     * Returns the socket, which is opened if there is none.
     *
     * @param nanos the maximum wait of the caller, in nanoseconds
     * @throws Failed cause {@code CONNECT}: unknown host, no socket, or timeout
     * @throws Rejected cause {@code DRAINING}: closed; {@code QUEUE}: the caller was interrupted
     */
    PeerSocket open(long nanos) throws Unanswered {
        try {
            return begin().get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new Failed(
                    Failed.Cause.CONNECT,
                    "no socket for " + where + " within the time left: the lookup of host " + host
                            + " has not ended; check the DNS server");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Rejected(Rejected.Cause.QUEUE, "the caller was interrupted before the request was sent");
        } catch (ExecutionException failed) {
            throw ending(failed.getCause());
        }
    }

    private Unanswered ending(@Nullable Throwable why) {
        if (closed) {
            return shutDown();
        }
        if (why instanceof UnknownHostException) {
            return new Failed(Failed.Cause.CONNECT, "unknown host " + host + "; check the name or the DNS server", why);
        }
        String reason = why instanceof Exception ? why.getMessage() : String.valueOf(why);
        return new Failed(Failed.Cause.CONNECT, "no socket for " + where + ": " + reason, why);
    }

    Rejected shutDown() {
        return new Rejected(Rejected.Cause.DRAINING, "the target " + where + " is closed");
    }

    private synchronized CompletableFuture<PeerSocket> begin() throws Rejected {
        if (closed) {
            throw shutDown();
        }
        PeerSocket open = current();
        if (open != null) {
            return CompletableFuture.completedFuture(open);
        }
        CompletableFuture<PeerSocket> begun = opening;
        if (begun == null) {
            CompletableFuture<PeerSocket> mine = new CompletableFuture<>();
            Thread.ofPlatform().name("penstock-udp-open").daemon().start(() -> run(mine));
            begun = mine;
            opening = mine;
        }
        return begun;
    }

    private void run(CompletableFuture<PeerSocket> begun) {
        try {
            PeerSocket old = current.getAndSet(null);
            if (old != null) {
                old.close();
            }
            PeerSocket made = how.open();
            if (adopt(made)) {
                begun.complete(made);
            } else {
                made.close();
            }
        } catch (Throwable failed) { // also an Error: the next caller tries again
            adopt(null);
            begun.completeExceptionally(failed);
        }
    }

    /** Makes it the current socket; returns false when the target is closed. */
    private synchronized boolean adopt(@Nullable PeerSocket made) {
        opening = null;
        if (closed) {
            return false;
        }
        current.set(made);
        if (made != null) {
            opened.incrementAndGet();
        }
        return true;
    }

    /** The number of sockets opened so far. */
    long opened() {
        return opened.get();
    }

    boolean isClosed() {
        return closed;
    }

    /** Prevents further opening and fails waiting callers at once. Returns false when it was closed before. */
    boolean refuse() {
        CompletableFuture<PeerSocket> waitedFor;
        synchronized (this) {
            if (closed) {
                return false;
            }
            closed = true;
            waitedFor = opening;
        }
        if (waitedFor != null) {
            waitedFor.completeExceptionally(shutDown());
        }
        return true;
    }

    /** Closes the socket, after {@link #refuse}. */
    void close() {
        PeerSocket open = current.getAndSet(null);
        if (open != null) {
            open.close();
        }
    }
}
