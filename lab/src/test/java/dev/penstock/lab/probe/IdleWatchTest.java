package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ManualTicker;
import dev.penstock.lab.load.Throttle;
import dev.penstock.lab.probe.IdleConnection.KillKind;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IdleWatchTest {
    private static final Duration WHOLE = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration LATE = Duration.ofSeconds(1);

    private final ManualTicker ticker = new ManualTicker();
    private final CountDownLatch begun = new CountDownLatch(1);

    /** Its time is virtual; it answers late, but it does answer. */
    private class LateConnection implements IdleConnection {
        @Override
        public @Nullable KillKind ended(Duration atMost) throws InterruptedException {
            begun.await();
            ticker.advance(atMost);
            return null;
        }

        @Override
        public @Nullable KillKind use(Duration atMost) throws InterruptedException {
            boolean answered = atMost.compareTo(LATE) >= 0;
            ticker.advance(answered ? LATE : atMost);
            return answered ? null : KillKind.SILENT;
        }

        @Override
        public void close() {}
    }

    private IdleWatch watch(IdleConnection.Port port) {
        return IdleWatch.start(port, WHOLE, PATIENCE, 1, Throttle.perSecond(1e6), ticker);
    }

    @Test
    void anAnswerThatComesTooLateIsADeadConnection() throws InterruptedException {
        try (IdleWatch watch = watch(LateConnection::new)) {
            begun.countDown();
            assertThat(watch.finding().lived()).isZero();
        }
    }

    @Test
    void noConnectionIsUsedDuringAMeasurement() throws InterruptedException {
        CountDownLatch due = new CountDownLatch(1);
        AtomicBoolean measuring = new AtomicBoolean(true);
        AtomicBoolean disturbed = new AtomicBoolean();
        CountDownLatch used = new CountDownLatch(1);
        IdleConnection.Port port = () -> new LateConnection() {
            @Override
            public @Nullable KillKind ended(Duration atMost) throws InterruptedException {
                super.ended(atMost);
                due.countDown();
                return null;
            }

            @Override
            public @Nullable KillKind use(Duration atMost) {
                disturbed.compareAndSet(false, measuring.get());
                used.countDown();
                return null;
            }
        };
        try (IdleWatch watch = watch(port)) {
            watch.awaitOpened(Duration.ofSeconds(60));
            watch.measuring().lock();
            begun.countDown();
            due.await();
            measuring.set(false);
            watch.measuring().unlock();
            used.await();
            assertThat(disturbed).isFalse();
        }
    }

    /** All at once are a load of their own, whose delays look like dropped connections. */
    @Test
    void fewOfTheConnectionsThatAreDueAreUsedAtATime() throws InterruptedException {
        int connections = 12;
        CountDownLatch due = new CountDownLatch(connections);
        CountDownLatch used = new CountDownLatch(connections);
        CountDownLatch tooMany = new CountDownLatch(4);
        AtomicInteger inUse = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        IdleConnection.Port port = () -> new LateConnection() {
            private boolean wasUsed;

            @Override
            public @Nullable KillKind ended(Duration atMost) throws InterruptedException {
                if (wasUsed) {
                    new CountDownLatch(1).await(); // the time of the others stands still
                }
                super.ended(atMost);
                due.countDown();
                return null;
            }

            @Override
            public @Nullable KillKind use(Duration atMost) throws InterruptedException {
                most.accumulateAndGet(inUse.incrementAndGet(), Math::max);
                tooMany.countDown();
                boolean _ = tooMany.await(20, TimeUnit.MILLISECONDS); // others get the chance to begin
                inUse.decrementAndGet();
                wasUsed = true;
                used.countDown();
                return null;
            }
        };
        Duration patience = Duration.ofSeconds(5);
        try (IdleWatch watch = IdleWatch.start(port, WHOLE, patience, connections, Throttle.perSecond(1e6), ticker)) {
            watch.awaitOpened(Duration.ofSeconds(60));
            watch.measuring().lock();
            begun.countDown();
            due.await();
            watch.measuring().unlock();
            used.await();
            assertThat(most).hasValueLessThanOrEqualTo(3);
        }
    }

    /** The peer may still work on its call, which would be one too many for a level that begins meanwhile. */
    @Test
    void aConnectionThatIsSilentIsClosedBeforeAMeasurementCanBegin() throws InterruptedException {
        CountDownLatch elsewhere = new CountDownLatch(1);
        AtomicInteger opened = new AtomicInteger();
        AtomicBoolean closed = new AtomicBoolean();
        AtomicBoolean wasClosed = new AtomicBoolean();
        IdleConnection.Port port = () -> {
            if (opened.incrementAndGet() == 2) {
                wasClosed.set(closed.get());
                elsewhere.countDown();
            }
            return new LateConnection() {
                @Override
                public void close() {
                    closed.set(true);
                }
            };
        };
        try (IdleWatch watch = watch(port)) {
            begun.countDown();
            elsewhere.await();
            assertThat(wasClosed).isTrue();
        }
    }

    @Test
    void knowsThatThePeerRefusedSomeConnections() throws InterruptedException {
        AtomicInteger opened = new AtomicInteger();
        IdleConnection.Port port = () -> {
            if (opened.incrementAndGet() > 2) {
                throw new IOException("too many connections");
            }
            return new LateConnection();
        };
        try (IdleWatch watch = IdleWatch.start(port, WHOLE, PATIENCE, 5, Throttle.perSecond(1e6), ticker)) {
            watch.awaitOpened(Duration.ofSeconds(60));
            assertThat(watch.isPartlyRefused()).isTrue();
            begun.countDown();
        }
        try (IdleWatch watch = watch(() -> {
            throw new IOException("too many connections");
        })) {
            watch.awaitOpened(Duration.ofSeconds(60));
            assertThat(watch.isPartlyRefused()).as("none was opened").isFalse();
        }
    }

    @Test
    void aDriverThatThrowsIsTrouble() throws InterruptedException {
        AtomicInteger closed = new AtomicInteger();
        IdleConnection.Port port = () -> new LateConnection() {
            @Override
            public @Nullable KillKind ended(Duration atMost) {
                throw new IllegalStateException("the driver is confused");
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
        try (IdleWatch watch = watch(port)) {
            assertThat(watch.finding().lived()).isZero();
            assertThat(watch.error()).contains("the driver is confused");
            assertThat(closed).hasValue(1);
        }
    }

    @Test
    void waitsForADriverThatHangsNoLongerThanItsTime() throws InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        IdleConnection.Port port = () -> {
            hanging.countDown();
            while (over.getCount() > 0) {
                try {
                    over.await();
                } catch (InterruptedException e) {
                    // such a driver does not care
                }
            }
            return new LateConnection();
        };
        try (IdleWatch watch = watch(port)) {
            hanging.await();
            ticker.advance(WHOLE.plus(PATIENCE.multipliedBy(2)));
            assertThat(watch.finding().connections()).isZero();
            assertThat(watch.error()).contains("did not end in time");
        } finally {
            over.countDown();
        }
    }

    @Test
    void aTrialThatIsGivenUpHoldsNobodyUp() {
        IdleSearch search = IdleSearch.within(60, 1, 9);
        search.abandoned(search.begin(0).orElseThrow());
        for (int i = 0; i < 3; i++) {
            IdleSearch.Trial trial = search.begin(1 + i).orElseThrow();
            search.died(trial, 6 + i, KillKind.FIN, true);
        }
        assertThat(search.isOver(20)).isTrue();
    }
}
