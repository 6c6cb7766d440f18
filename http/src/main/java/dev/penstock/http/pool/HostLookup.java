package dev.penstock.http.pool;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * DNS lookup of one host with a time limit; an address needs none. The JDK's lookup has no timeout, cannot be interrupted, and
 * pins the carrier thread of a virtual thread, so it runs on a platform thread: at most one at a time, whose result all callers
 * share. The JVM caches addresses. Thread-safe.
 */
public final class HostLookup {
    /** Finds the addresses of a host. */
    @FunctionalInterface
    public interface Addresses {
        /**
         * Resolves the host.
         *
         * @param nanos maximum wait
         * @return its addresses, at least one
         * @throws IOException the host is unknown, or the lookup did not finish in time ({@link TimedOut})
         * @throws InterruptedException the calling thread was interrupted
         */
        List<InetAddress> resolve(long nanos) throws IOException, InterruptedException;
    }

    /** A lookup did not finish in time; it continues in the background. */
    public static final class TimedOut extends SocketTimeoutException {
        private static final long serialVersionUID = 1L;

        TimedOut(String host) {
            super("no address of " + host + " in time");
        }
    }

    private final String host;
    private final @Nullable InetAddress literal;
    private final AtomicReference<@Nullable FutureTask<List<InetAddress>>> running = new AtomicReference<>();

    /** Creates a lookup of one host. */
    public HostLookup(String host) {
        this.host = host;
        this.literal = literal(host);
    }

    private static @Nullable InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException name) {
            return null;
        }
    }

    /**
     * Resolves the host.
     *
     * @return its addresses, at least one
     * @throws UnknownHostException the host is unknown
     * @throws TimedOut the lookup did not finish in time
     * @throws InterruptedException the calling thread was interrupted
     */
    public List<InetAddress> resolve(long nanos) throws UnknownHostException, TimedOut, InterruptedException {
        if (literal != null) {
            return List.of(literal);
        }
        try {
            return task().get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new TimedOut(host);
        } catch (ExecutionException e) {
            UnknownHostException unknown = new UnknownHostException(host);
            unknown.initCause(e.getCause());
            throw unknown;
        }
    }

    private FutureTask<List<InetAddress>> task() {
        FutureTask<List<InetAddress>> mine = new FutureTask<>(this::find);
        FutureTask<List<InetAddress>> other = running.compareAndExchange(null, mine);
        if (other != null) {
            return other;
        }
        boolean started = false;
        try {
            Thread.ofPlatform().daemon().name("penstock-lookup " + host).start(mine);
            started = true;
            return mine;
        } finally {
            if (!started) {
                // The thread could not be started; later callers must not wait for this task.
                running.set(null);
                boolean _ = mine.cancel(false);
            }
        }
    }

    private List<InetAddress> find() throws UnknownHostException {
        try {
            return Arrays.asList(InetAddress.getAllByName(host));
        } finally {
            running.set(null);
        }
    }
}
