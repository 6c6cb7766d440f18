package dev.penstock.races.udpburst;

import dev.penstock.Ticker;
import dev.penstock.lab.datagram.Cadence;
import dev.penstock.lab.datagram.DatagramLoad;
import dev.penstock.races.machine.Cores;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Sends to a server and takes the answers, on a core of its own where that can be had: the thread that sends is started by one
 * that is kept there, and stays where that one is. Each shot has a port of its own, so nothing that comes late is the next one's.
 */
final class BurstSender implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(1);

    /**
     * What a stall of a machine with two cores made late comes at once then, but no more than that: the servers' buffers have
     * room for a burst, and are not to be judged by more. What is beyond is not sent.
     */
    private static final int CATCHES_UP = 10_000;

    private static final Duration MOST_BEHIND = Duration.ofMillis(200);
    private static final int ALONE = 200_000;

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("sender").daemon().factory());
    private final InetSocketAddress server;

    private BurstSender(InetSocketAddress server) {
        this.server = server;
    }

    /** A sender to this address. */
    static BurstSender to(InetSocketAddress server, Cores cores) throws IOException, InterruptedException {
        BurstSender sender = new BurstSender(server);
        try {
            sender.there(() -> {
                cores.keepSender();
                return true;
            });
            return sender;
        } catch (IOException | InterruptedException | RuntimeException e) {
            sender.close();
            throw e;
        }
    }

    /** How fast it is at best, a second: into a socket that nobody reads, and so answers nothing. */
    static double alone(Cores cores) throws IOException, InterruptedException {
        try (UdpSocket deaf = UdpSocket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), false);
                BurstSender sender = BurstSender.to(deaf.local(), cores)) {
            return sender.there(() -> alone(deaf.local()));
        }
    }

    private static double alone(InetSocketAddress deaf) throws IOException {
        try (SenderPort port = SenderPort.to(deaf)) {
            long start = Ticker.SYSTEM.nanos();
            for (long sent = 0; sent < ALONE; ) {
                sent += port.send(sent, (int) Math.min(DatagramLoad.DEFAULT_BATCH, ALONE - sent));
            }
            return ALONE * 1e9 / (Ticker.SYSTEM.nanos() - start);
        }
    }

    /** Sends so many as fast as it can, again after each time. */
    BurstOutcome bursts(int size, int bursts, Duration every) throws IOException, InterruptedException {
        return run(DatagramLoad.of(Cadence.bursts(size, every)).lasting(every.multipliedBy(bursts)));
    }

    /** Sends at a constant rate, a second. */
    BurstOutcome rate(double rate, Duration lasting) throws IOException, InterruptedException {
        Duration burst = Duration.ofNanos((long) (CATCHES_UP * 1e9 / rate));
        return run(DatagramLoad.of(Cadence.steady(rate))
                .lasting(lasting)
                .catchUp(burst.compareTo(MOST_BEHIND) < 0 ? burst : MOST_BEHIND));
    }

    private BurstOutcome run(DatagramLoad load) throws IOException, InterruptedException {
        return there(() -> {
            try (SenderPort port = SenderPort.to(server)) {
                return BurstOutcome.of(load.grace(GRACE).run(port));
            }
        });
    }

    private <T> T there(Callable<T> work) throws IOException, InterruptedException {
        Future<T> running = thread.submit(work);
        try {
            return running.get();
        } catch (ExecutionException e) {
            Throwable why = Objects.requireNonNullElse(e.getCause(), e);
            throw new IOException("the sender: " + why.getMessage(), why);
        } finally {
            running.cancel(true);
        }
    }

    /** Ends what it does, wherever that is. */
    @Override
    public void close() {
        thread.shutdownNow();
        thread.close();
    }
}
