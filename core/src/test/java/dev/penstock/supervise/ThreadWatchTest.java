package dev.penstock.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ThreadWatchTest {
    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 1_000_000_000L);
    private final AtomicInteger exhausted = new AtomicInteger();
    private volatile boolean none;
    private final ThreadWatch watch = new ThreadWatch(ticker, this::thread, exhausted::incrementAndGet);
    private final Thread running = Thread.ofPlatform().unstarted(watch::run);

    private Thread thread(Runnable work) {
        if (none) {
            throw new OutOfMemoryError("unable to create native thread: possibly out of memory");
        }
        return Thread.ofVirtual().unstarted(work);
    }

    @BeforeEach
    void start() {
        running.start();
        ticker.awaitParked(1);
    }

    @AfterEach
    void close() throws InterruptedException {
        watch.close();
        ticker.advance(ThreadWatch.INTERVAL);
        running.join();
    }

    private void pass(Duration time) {
        for (long left = time.dividedBy(ThreadWatch.INTERVAL); left > 0; left--) {
            ticker.advance(ThreadWatch.INTERVAL);
            ticker.awaitParked(1);
        }
    }

    @Test
    void reportsAShortageUntilItIsOver() {
        assertThat(watch.outage()).isNull();
        none = true;
        pass(ThreadWatch.PATIENCE);
        assertThat(watch.outage()).contains("cannot start a thread").contains("ulimit -u");
        none = false;
        pass(ThreadWatch.INTERVAL);
        assertThat(watch.outage()).isNull();
        none = true;
        pass(ThreadWatch.PATIENCE);
        assertThat(exhausted).hasValue(0);
    }

    @Test
    void givesUpAfterFiveSeconds() throws InterruptedException {
        none = true;
        pass(ThreadWatch.PATIENCE);
        assertThat(exhausted).hasValue(0);
        ticker.advance(ThreadWatch.INTERVAL);
        running.join();
        assertThat(exhausted).hasValue(1);
        assertThat(watch.outage()).isNotNull();
    }

    @Test
    void tellsAMissingThreadFromMissingMemory() {
        assertThat(ThreadWatch.isNoThread(new OutOfMemoryError("unable to create native thread: possibly")))
                .isTrue();
        assertThat(ThreadWatch.isNoThread(new OutOfMemoryError("Java heap space")))
                .isFalse();
        assertThat(ThreadWatch.isNoThread(new OutOfMemoryError())).isFalse();
    }
}
