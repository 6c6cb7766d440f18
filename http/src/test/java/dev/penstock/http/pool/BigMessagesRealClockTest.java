package dev.penstock.http.pool;

import static dev.penstock.http.pool.PoolScene.limits;
import static dev.penstock.http.pool.PoolScene.until;
import static dev.penstock.http.pool.PoolScene.untilWaiting;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages larger than all buffers on the way, whose reader takes its time. */
@Timeout(120)
class BigMessagesRealClockTest {
    private static final int BIG = 5_000_000;
    /** More than the system takes for a connection, at both ends together. */
    private static final int HUGE = 48_000_000;

    private PoolScene scene;

    @BeforeEach
    void start() throws Exception {
        scene = new PoolScene(limits(1));
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
    }

    private static byte[] message(int size) {
        byte[] message = new byte[size];
        new Random(size).nextBytes(message);
        return message;
    }

    private static long sum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, bytes.length);
        return sum.getValue();
    }

    /** Reads in pieces of odd sizes. */
    private static long sum(InputStream in, int size) throws Exception {
        CRC32C sum = new CRC32C();
        Random random = new Random(7);
        byte[] piece = new byte[40_000];
        for (int left = size; left > 0; ) {
            int count = in.read(piece, 0, Math.min(left, 1 + random.nextInt(piece.length)));
            assertThat(count).isPositive();
            sum.update(piece, 0, count);
            left -= count;
        }
        return sum.getValue();
    }

    private static FutureTask<Void> started(Callable<Void> work) {
        FutureTask<Void> task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    @Test
    void bigOnesGoBothWaysOverOneConnection() throws Exception {
        scene.release(scene.lease());
        Socket peer = scene.peer();
        OutputStream there = peer.getOutputStream();
        InputStream here = peer.getInputStream();
        for (int round = 0; round < 3; round++) {
            Connection connection = scene.lease();
            assertThat(connection.isReused()).isTrue();
            byte[] message = message(BIG + round);
            FutureTask<Void> echo = started(() -> {
                there.write(here.readNBytes(message.length));
                return null;
            });
            connection.out().write(message);
            connection.awaitAnswer();
            assertThat(sum(connection.in(), message.length)).isEqualTo(sum(message));
            echo.get();
            scene.release(connection);
            assertThat(connection.isIdle()).isTrue();
        }
    }

    @Test
    void anAnswerThatNobodyReadsYetStaysWithThePeer() throws Exception {
        Connection connection = scene.lease();
        byte[] answer = message(HUGE);
        AtomicLong written = new AtomicLong();
        OutputStream out = scene.peer().getOutputStream();
        FutureTask<Void> writing = new FutureTask<>(() -> {
            for (int at = 0; at < HUGE; at += 10_000) {
                out.write(answer, at, 10_000);
                written.addAndGet(10_000);
            }
            return null;
        });
        Thread writer = Thread.ofVirtual().start(writing);
        until(connection.socketTransport().input()::isPaused);
        untilWaiting(writer);
        assertThat(written.get()).isLessThan(HUGE);

        assertThat(sum(connection.in(), HUGE)).isEqualTo(sum(answer));
        writing.get();
        scene.release(connection);
        assertThat(connection.isIdle()).isTrue();
    }

    @Test
    void aRequestWaitsForAPeerThatReadsSlowly() throws Exception {
        Connection connection = scene.lease();
        Socket peer = scene.peer();
        byte[] request = message(HUGE);
        long before = direct();
        FutureTask<Void> writing = new FutureTask<>(() -> {
            connection.out().write(request);
            return null;
        });
        Thread writer = Thread.ofVirtual().start(writing);
        untilWaiting(writer);
        assertThat(writing.isDone()).isFalse();

        assertThat(sum(peer.getInputStream(), HUGE)).isEqualTo(sum(request));
        writing.get();
        assertThat(direct() - before).as("memory outside the heap").isLessThan(2_000_000);
        scene.release(connection);
        assertThat(connection.isIdle()).isTrue();
    }

    @Test
    void anAnswerThatComesWhileTheRequestIsWrittenIsNotLost() throws Exception {
        Connection connection = scene.lease();
        Socket peer = scene.peer();
        byte[] message = message(BIG);
        FutureTask<Void> writing = started(() -> {
            peer.getOutputStream().write(message);
            return null;
        });
        until(connection.socketTransport().input()::isPaused);
        FutureTask<Void> reading = started(() -> {
            assertThat(sum(peer.getInputStream(), HUGE)).isPositive();
            return null;
        });
        connection.out().write(new byte[HUGE]);
        assertThat(sum(connection.in(), BIG)).isEqualTo(sum(message));
        writing.get();
        reading.get();
        scene.release(connection);
        assertThat(connection.isIdle()).isTrue();
    }
}
