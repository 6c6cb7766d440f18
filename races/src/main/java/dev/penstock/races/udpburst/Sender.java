package dev.penstock.races.udpburst;

import dev.penstock.Ticker;
import dev.penstock.udp.socket.UdpSocket;
import dev.penstock.udp.socket.Volley;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Sends shots to a server, and takes the answers, on one thread that has a core for itself where that can be had. It never
 * sleeps while it sends: what is due goes at once, 64 by one call at most, and what it could not send in time follows as fast as it can.
 */
final class Sender implements AutoCloseable {
    /** No answer for so long after the last was sent, and what is missing is lost. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private static final long LOOK_NANOS = 20_000_000;
    private static final int ALONE = 200_000;
    private static final long AS_FAST_AS_IT_CAN = 0;

    private final Ticker ticker = Ticker.SYSTEM;
    private final long[] sentAt = Answers.memory();
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().name("sender").daemon().factory());
    private final Volley volley;
    private long next;
    private volatile boolean stopped;

    private Sender(InetSocketAddress to) throws IOException {
        volley = Volley.to(to)
                .size(Traffic.SIZE)
                .replaced(Traffic.find(), Traffic.with())
                .open();
    }

    /** A sender to this address. */
    static Sender to(InetSocketAddress to, Cores cores) throws IOException, InterruptedException {
        Sender sender = new Sender(to);
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
                Sender sender = Sender.to(deaf.local(), cores)) {
            return sender.there(() -> sender.send(ALONE, AS_FAST_AS_IT_CAN, false).sendRate());
        }
    }

    /** Sends so many as fast as it can, and only then looks for answers. */
    Shot burst(int count) throws IOException, InterruptedException {
        return there(() -> send(count, AS_FAST_AS_IT_CAN, true));
    }

    /** Sends at a constant rate, a second, and takes answers meanwhile. */
    Shot rate(double rate, Duration lasting) throws IOException, InterruptedException {
        long count = Math.max(1, (long) (rate * lasting.toNanos() / 1e9));
        return there(() -> send(count, (long) (1e9 * count / rate), true));
    }

    /** How many answers its own socket dropped so far; when there are any, nothing that it tells is to be believed. */
    OptionalLong dropped() {
        return volley.dropped();
    }

    private Shot send(long count, long spreadNanos, boolean answered) throws IOException {
        Answers answers = new Answers(ticker, next, count, sentAt);
        long start = ticker.nanos();
        while (answers.sent() < count && !stopped) {
            long now = ticker.nanos();
            long due = spreadNanos == AS_FAST_AS_IT_CAN
                    ? count
                    : Math.min(count, (long) ((double) (now - start) / spreadNanos * count) + 1);
            if (due > answers.sent()) {
                long before = answers.sent();
                answers.sent(volley.send(next + before, (int) Math.min(volley.most(), due - before)), now);
            }
            if (spreadNanos != AS_FAST_AS_IT_CAN) {
                volley.receive(answers);
            }
        }
        long sendNanos = ticker.nanos() - start;
        while (volley.receive(answers) == volley.most() && answered) {
            // What is there already is not what waits at the server.
        }
        long waiting = answers.sent() - answers.answered();
        if (answered) {
            settle(answers);
        }
        next += count;
        return new Shot(
                answers.sent(),
                answers.answered(),
                answers.wrong(),
                waiting,
                sendNanos,
                Math.max(sendNanos, answers.lastAt() - start),
                answers.longestNanos());
    }

    private void settle(Answers answers) throws IOException {
        long quietSince = ticker.nanos();
        while (answers.answered() < answers.sent()
                && !stopped
                && ticker.nanos() - quietSince < QUIET.toNanos()) {
            if (volley.receive(answers) > 0) {
                quietSince = ticker.nanos();
            } else {
                volley.await(LOOK_NANOS);
            }
        }
    }

    private <T> T there(Callable<T> work) throws IOException, InterruptedException {
        Future<T> running = thread.submit(work);
        try {
            return running.get();
        } catch (ExecutionException e) {
            throw new IOException("the sender: " + e.getCause().getMessage(), e.getCause());
        }
    }

    /** Ends what it does, wherever that is. */
    @Override
    public void close() {
        stopped = true;
        thread.close();
        volley.close();
    }
}
