package dev.penstock.http;

import java.net.InetAddress;
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
 * Looks up one host within a time. The JVM's own lookup can neither be bounded nor interrupted, and holds on to the
 * thread below a virtual one, so it runs on a thread of its own: at most one at a time, which all callers wait for. The
 * JVM caches what it finds. Safe for many threads.
 */
final class HostLookup {
    private final String host;
    private final AtomicReference<@Nullable FutureTask<List<InetAddress>>> running = new AtomicReference<>();

    HostLookup(String host) {
        this.host = host;
    }

    /**
     * Looks the host up.
     *
     * @return its addresses, at least one
     * @throws UnknownHostException there is no such host
     * @throws TimeoutException the lookup is still going on
     * @throws InterruptedException the calling thread was interrupted
     */
    List<InetAddress> look(long nanos) throws UnknownHostException, TimeoutException, InterruptedException {
        try {
            return task().get(nanos, TimeUnit.NANOSECONDS);
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
                // No thread was left: those who come later must not wait for this one.
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
