package dev.penstock.http.pool;

import static dev.penstock.http.pool.PoolScene.SECOND;
import static dev.penstock.http.pool.PoolScene.limits;
import static dev.penstock.http.pool.PoolScene.until;
import static dev.penstock.http.pool.PoolScene.untilWaiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two pools under one bound. */
@Timeout(120)
class ConnectionTotalRealClockTest {
    private final ConnectionTotal total = ConnectionTotal.of(2);
    private PoolScene one;
    private PoolScene other;

    @BeforeEach
    void start() throws Exception {
        one = new PoolScene(limits(10), total, Ticker.SYSTEM);
        other = new PoolScene(limits(10), total, Ticker.SYSTEM);
    }

    @AfterEach
    void stop() throws Exception {
        one.close();
        other.close();
        assertThat(total.open()).isZero();
    }

    /** Leave to open one more, asked for on a thread that waits for it now. */
    private static FutureTask<Boolean> askedFor(PoolScene scene) throws Exception {
        FutureTask<Boolean> asking = new FutureTask<>(() -> scene.pool.acquireOpenPermit(600 * SECOND));
        untilWaiting(Thread.ofVirtual().start(asking));
        return asking;
    }

    @Test
    void aTotalIsBetweenOneAndAMillion() {
        assertThat(ConnectionTotal.of(1).max()).isEqualTo(1);
        assertThat(ConnectionTotal.of(1_000_000).max()).isEqualTo(1_000_000);
        for (int wrong : new int[] {0, -1, 1_000_001}) {
            assertThatThrownBy(() -> ConnectionTotal.of(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the total of connections must be 1 to 1000000, not " + wrong);
        }
    }

    @Test
    void theIdleOneOfTheOtherGivesWay() throws Exception {
        Connection first = one.lease();
        Connection second = one.lease();
        one.release(first);
        one.release(second);

        Connection mine = other.lease();

        assertThat(mine.isReused()).isFalse();
        assertThat(first.isClosed()).as("the one that lay longest").isTrue();
        assertThat(second.isIdle()).isTrue();
        assertThat(one.count("retired")).isEqualTo(1);
        assertThat(total.open()).isEqualTo(2);
    }

    @Test
    void whenAllAreInUseNobodyGetsOneInTheGivenTime() throws Exception {
        one.lease();
        other.lease();
        assertThat(one.pool.acquireOpenPermit(0)).isFalse();
        assertThat(other.pool.acquireOpenPermit(1_000_000)).isFalse();
        assertThat(total.open()).isEqualTo(2);
    }

    @Test
    void oneThatIsClosedLetsAWaiterIn() throws Exception {
        one.lease();
        Connection ending = one.lease();
        FutureTask<Boolean> waiting = askedFor(other);
        one.discard(ending);
        assertThat(waiting.get()).isTrue();
        total.release();
    }

    @Test
    void oneThatBecomesIdleGivesWayToAWaiterOfTheOther() throws Exception {
        one.lease();
        Connection used = one.lease();
        FutureTask<Boolean> waiting = askedFor(other);
        one.release(used);
        assertThat(waiting.get()).isTrue();
        assertThat(used.isClosed()).isTrue();
        total.release();
    }

    @Test
    void oneThatBecomesIdleIsTakenByAWaiterOfItsOwn() throws Exception {
        one.lease();
        Connection used = one.lease();
        FutureTask<Boolean> waiting = askedFor(one);
        one.release(used);
        assertThat(waiting.get()).as("no need for one more").isFalse();
        assertThat(one.lease()).isSameAs(used);
    }

    @Test
    void oneThatEndedWhileIdleHidesNoOther() throws Exception {
        one.lease();
        Connection ended = one.lease();
        one.release(ended);
        // Closed by the loop, it stays among the idle ones for a while; and there it is the oldest of all.
        one.peer();
        one.peer().close();
        until(() -> one.count("found_closed") == 1);
        Connection alive = other.lease();
        other.release(alive);

        try (PoolScene third = new PoolScene(limits(10), total, Ticker.SYSTEM)) {
            assertThat(third.lease().isReused()).isFalse();
            assertThat(alive.isClosed()).isTrue();
            assertThat(total.open()).isEqualTo(2);
        }
    }

    @Test
    void anInterruptedWaiterTakesNothing() throws Exception {
        Connection leased = one.lease();
        one.lease();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                end.complete(new AssertionError("got one: " + other.pool.acquireOpenPermit(600 * SECOND)));
            } catch (InterruptedException e) {
                end.complete(e);
            }
        });
        untilWaiting(waiting);
        waiting.interrupt();
        assertThat(end.get()).isInstanceOf(InterruptedException.class);
        one.discard(leased);
        assertThat(total.open()).isEqualTo(1);
        assertThat(other.pool.acquireOpenPermit(0)).isTrue();
        total.release();
    }

    @Test
    void oneThatCannotBeOpenedTakesNothing() throws Exception {
        assertThat(one.pool.acquire(0)).isNotNull();
        assertThat(one.pool.acquireOpenPermit(0)).isTrue();
        List<InetAddress> here = List.of(InetAddress.getLoopbackAddress());
        assertThatThrownBy(() -> one.pool.open(_ -> here, Ticker.SYSTEM.nanos() - SECOND))
                .hasMessage("connect timed out before the first attempt");
        one.pool.releasePermit();
        assertThat(total.open()).isZero();
    }

    @Test
    void aPoolThatIsClosedGivesAllBack() throws Exception {
        Connection leased = one.lease();
        one.release(one.lease());
        one.close();
        assertThat(total.open()).isZero();
        one.discard(leased);
        assertThat(total.open()).isZero();
        assertThat(one.pool.acquireOpenPermit(0)).isTrue();
        assertThatThrownBy(() -> one.open()).isInstanceOf(IOException.class);
        total.release();
        assertThat(total.open()).isZero();
    }
}
