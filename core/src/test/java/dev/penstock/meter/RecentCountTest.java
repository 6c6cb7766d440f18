package dev.penstock.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RecentCountTest {
    private static final long SECOND = 1_000_000_000L;

    private final RecentCount count = new RecentCount(Duration.ofSeconds(10), 0);

    @Test
    void countsWhatHappenedInTheWindow() {
        for (int second = 0; second < 5; second++) {
            count.add(second * SECOND);
        }
        assertThat(count.recent(5 * SECOND)).isEqualTo(5);
    }

    @Test
    void whatIsOlderThanTheWindowFallsOff() {
        count.add(0);
        count.add(9 * SECOND);
        assertThat(count.recent(12 * SECOND)).isEqualTo(1);
        assertThat(count.recent(60 * SECOND)).isZero();
    }

    @Test
    void theTotalIsNeverForgotten() {
        count.add(0);
        count.add(60 * SECOND);
        assertThat(count.total()).isEqualTo(2);
    }

    @Test
    void theRateIsOverTheWindowOrSinceTheBeginning() {
        for (int event = 0; event < 100; event++) {
            count.add(event * SECOND / 50);
        }
        assertThat(count.perSecond(2 * SECOND)).isEqualTo(50);
        assertThat(count.perSecond(10 * SECOND)).isEqualTo(10);
        assertThat(count.perSecond(30 * SECOND)).isZero();
        assertThat(new RecentCount(Duration.ofSeconds(10), 5).perSecond(5)).isZero();
    }

    @Property(tries = 300)
    void isExactToOneSlice(@ForAll @Size(max = 200) List<@IntRange(max = 3_000) Integer> gapsInMillis) {
        RecentCount fresh = new RecentCount(Duration.ofSeconds(10), 0);
        long now = 0;
        java.util.ArrayList<Long> times = new java.util.ArrayList<>();
        for (int gap : gapsInMillis) {
            now += gap * 1_000_000L;
            fresh.add(now);
            times.add(now);
        }
        long end = now;
        long surely = times.stream().filter(time -> time > end - 8 * SECOND).count();
        long atMost = times.stream().filter(time -> time >= end - 11 * SECOND).count();
        assertThat(fresh.recent(end)).isBetween(surely, atMost);
    }
}
