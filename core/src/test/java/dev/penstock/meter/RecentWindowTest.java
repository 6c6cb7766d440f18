package dev.penstock.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentWindowTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong count = new AtomicLong(100);
    private final RecentWindow window = new RecentWindow(Duration.ofSeconds(10), 0, count::get);

    @Test
    void whatWasCountedBeforeItBeganIsNotRecent() {
        assertThat(window.recent(SECOND)).isZero();
        count.addAndGet(7);
        assertThat(window.recent(SECOND)).isEqualTo(7);
    }

    @Test
    void itFollowsACountThatOthersKeep() {
        for (int second = 0; second < 30; second++) {
            window.advance(second * SECOND);
            count.addAndGet(2);
        }
        assertThat(window.recent(30 * SECOND)).isBetween(18L, 22L);
        assertThat(window.perSecond(30 * SECOND)).isBetween(1.8, 2.2);
    }

    @Test
    void aForgettingStartsItAnew() {
        count.addAndGet(5);
        window.clear(SECOND);
        count.addAndGet(3);
        assertThat(window.recent(SECOND)).isEqualTo(3);
    }
}
