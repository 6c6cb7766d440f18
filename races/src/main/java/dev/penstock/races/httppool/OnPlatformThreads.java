package dev.penstock.races.httppool;

import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.lab.load.PaymentXml.Payment;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Makes the calls of a client on platform threads, as a server of its time did: one per call in flight, kept for a
 * minute, at most as many as the pool has connections. The hand-over to and from these threads is part of the cost.
 */
final class OnPlatformThreads implements Client {
    private final Client client;
    private final ExecutorService threads = new ThreadPoolExecutor(
            0,
            OriginSettings.CONNECTIONS,
            1,
            TimeUnit.MINUTES,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("caller-", 0).factory());

    OnPlatformThreads(Client client) {
        this.client = client;
    }

    @Override
    public Reply call(Payment payment) throws Exception {
        try {
            return threads.submit(() -> client.call(payment)).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Unanswered ending ? ending : ExceptionEndings.of(e);
        } catch (RejectedExecutionException e) {
            throw new Rejected(Rejected.Cause.LIMIT, "all " + OriginSettings.CONNECTIONS + " threads are in use");
        } catch (InterruptedException e) {
            throw ExceptionEndings.of(e);
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        client.close();
    }
}
