package dev.penstock.http.pool;

import static dev.penstock.http.pool.PoolScene.LONG;
import static dev.penstock.http.pool.PoolScene.SECOND;
import static dev.penstock.http.pool.PoolScene.limits;
import static dev.penstock.http.pool.PoolScene.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two pools under one total, 200 callers, peers that close and reset whenever they like and stall now and then, cuts,
 * interrupts: nothing is lost, and nobody meets anybody on a connection.
 */
@Timeout(120)
class PoolStressRealClockTest {
    private static final int CALLERS = 200;
    private static final int MAX = 50;
    private static final long TIME = 2 * SECOND + SECOND / 2;
    private static final long CUT_AFTER = SECOND / 20;

    private static final List<InetAddress> HERE = List.of(InetAddress.getLoopbackAddress());

    private final ConnectionTotal total = ConnectionTotal.of(60);
    private final List<PoolScene> scenes = new ArrayList<>();
    private final Map<Connection, Thread> users = new ConcurrentHashMap<>();
    private final AtomicInteger meetings = new AtomicInteger();
    private final AtomicInteger mixedUp = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final LongAdder answered = new LongAdder();
    private final LongAdder broken = new LongAdder();
    private final LongAdder cut = new LongAdder();
    private final LongAdder interrupted = new LongAdder();
    private final List<Throwable> unexpected = new ArrayList<>();
    private volatile boolean over;

    @BeforeEach
    void start() throws Exception {
        for (int i = 0; i < 2; i++) {
            PoolScene scene = new PoolScene(limits(MAX), total, Ticker.SYSTEM);
            scenes.add(scene);
            Thread.ofVirtual().start(() -> serveAll(scene));
        }
    }

    @AfterEach
    void stop() throws Exception {
        over = true;
        for (PoolScene scene : scenes) {
            scene.close();
        }
    }

    private void serveAll(PoolScene scene) {
        for (int seed = 0; !over; seed++) {
            try {
                Socket peer = scene.peer();
                Random random = new Random(seed);
                Thread.ofVirtual().start(() -> serve(peer, random));
            } catch (InterruptedException | NullPointerException e) {
                return;
            }
        }
    }

    /** Answers each request with itself, until it does something else. */
    private static void serve(Socket peer, Random random) {
        try (peer) {
            DataInputStream in = new DataInputStream(peer.getInputStream());
            while (true) {
                byte[] request = in.readNBytes(8);
                int fate = random.nextInt(200);
                if (request.length < 8 || fate == 0) {
                    return;
                }
                if (fate == 1) {
                    peer.setSoLinger(true, 0);
                    return;
                }
                if (fate == 2) {
                    in.readAllBytes();
                    return;
                }
                peer.getOutputStream().write(request);
                if (fate == 3) {
                    return;
                }
                if (fate == 4) {
                    peer.setSoLinger(true, 0);
                    return;
                }
            }
        } catch (IOException e) {
            // The client went away.
        }
    }

    private void call(PoolScene scene, int caller) {
        long number = (long) caller << 32;
        while (!over) {
            if (Thread.interrupted()) {
                interrupted.increment();
            }
            try (Lease lease = scene.pool.acquire(SECOND / 100)) {
                if (lease != null) {
                    carry(lease, ++number);
                }
            } catch (InterruptedException e) {
                interrupted.increment();
            } catch (Throwable e) {
                synchronized (unexpected) {
                    unexpected.add(e);
                }
            }
        }
    }

    private void carry(Lease lease, long number) throws InterruptedException {
        Connection connection = null;
        try {
            long now = Ticker.SYSTEM.nanos();
            if (lease.takeIdle(now) || lease.open(_ -> HERE, now + SECOND / 100, now + 5 * SECOND, now + 5 * SECOND)) {
                connection = lease.connection();
                most.accumulateAndGet(total.open(), Math::max);
                if (users.putIfAbsent(connection, Thread.currentThread()) != null) {
                    meetings.incrementAndGet();
                }
                exchange(lease, connection, number);
            }
        } catch (IOException | TimeoutException e) {
            (connection != null && connection.hasTimedOut() ? cut : broken).increment();
        } finally {
            if (connection != null) {
                users.remove(connection);
            }
        }
    }

    private void exchange(Lease lease, Connection connection, long number) throws IOException {
        lease.begin(Ticker.SYSTEM.nanos() + CUT_AFTER);
        connection.out().write(ByteBuffer.allocate(8).putLong(number).array());
        connection.awaitAnswer();
        byte[] answer = connection.in().readNBytes(8);
        if (answer.length < 8) {
            throw new IOException("ended");
        }
        if (ByteBuffer.wrap(answer).getLong() != number) {
            mixedUp.incrementAndGet();
        }
        answered.increment();
        long now = Ticker.SYSTEM.nanos();
        lease.answered(now);
        if (connection.clearTimeout()) {
            lease.reusable(LONG, now);
        }
    }

    /** Each kind of ending, and the pool full: on a busy machine that takes its time. */
    private boolean hasSeenAll() {
        return most.get() >= MAX && kinds().allMatch(kind -> kind.sum() > 0);
    }

    private Stream<LongAdder> kinds() {
        return Stream.of(answered, broken, cut, interrupted);
    }

    @Test
    void nothingIsLostAndNobodyMeetsAnybody() throws Exception {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            callers.add(Thread.ofVirtual().start(() -> call(scenes.get(caller % 4 == 0 ? 1 : 0), caller)));
        }
        Random random = new Random(42);
        long end = Ticker.SYSTEM.nanos() + TIME;
        long next = Ticker.SYSTEM.nanos();
        while (Ticker.SYSTEM.nanos() - end < 0 || !hasSeenAll()) {
            long at = next;
            until(() -> Ticker.SYSTEM.nanos() - at >= 0);
            callers.get(random.nextInt(CALLERS)).interrupt();
            next += SECOND / 500;
        }
        over = true;
        for (Thread caller : callers) {
            caller.join();
        }

        assertThat(unexpected).isEmpty();
        assertThat(meetings).hasValue(0);
        assertThat(mixedUp).hasValue(0);
        assertThat(most.get()).isBetween(MAX, total.max());
        assertThat(kinds()).allMatch(kind -> kind.sum() > 0);
        for (PoolScene scene : scenes) {
            assertThat(scene.count("leased")).isZero();
            assertThat(scene.count("pending")).isZero();
            for (int i = 0; i < MAX; i++) {
                assertThat(scene.pool.acquire(0)).as("place %d", i).isNotNull();
            }
            assertThat(scene.pool.acquire(0)).isNull();
            for (int i = 0; i < MAX; i++) {
                scene.pool.releasePermit();
            }
        }
        until(() -> total.open()
                == scenes.stream().mapToLong(scene -> scene.count("idle")).sum());
        for (PoolScene scene : scenes) {
            scene.close();
            assertThat(scene.count("idle")).isZero();
            // Closing waits for it only for a moment.
            until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().endsWith(scene.address())));
        }
        assertThat(total.open()).isZero();
    }
}
