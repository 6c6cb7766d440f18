package dev.penstock.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
    private static final long SECOND = 1_000_000_000;
    private final FaultSchedule schedule = new FaultSchedule(Duration.ofSeconds(10), Duration.ofSeconds(1));

    @Test
    void theFirstWindowOpensAfterOneWholePeriod() {
        assertThat(schedule.window(0)).isZero();
        assertThat(schedule.window(SECOND / 2)).isZero();
        assertThat(schedule.window(10 * SECOND - 1)).isZero();
        assertThat(schedule.window(10 * SECOND)).isEqualTo(1);
    }

    @Test
    void aWindowIncludesItsStartAndNotItsEnd() {
        assertThat(schedule.window(20 * SECOND)).isEqualTo(2);
        assertThat(schedule.window(21 * SECOND - 1)).isEqualTo(2);
        assertThat(schedule.window(21 * SECOND)).isZero();
    }

    @Test
    void theNextChangeIsTheNextOpeningOrClosing() {
        assertThat(schedule.nextChange(0)).isEqualTo(10 * SECOND);
        assertThat(schedule.nextChange(10 * SECOND)).isEqualTo(11 * SECOND);
        assertThat(schedule.nextChange(11 * SECOND - 1)).isEqualTo(11 * SECOND);
        assertThat(schedule.nextChange(11 * SECOND)).isEqualTo(20 * SECOND);
    }

    @Test
    void fromChangeToChangeItIsOpenOneTenthOfTheTime() {
        long open = 0;
        long at = 0;
        while (at < 1_000 * SECOND) {
            long next = schedule.nextChange(at);
            assertThat(next).isGreaterThan(at);
            open += schedule.window(at) > 0 ? next - at : 0;
            at = next;
        }
        assertThat(open).isEqualTo(99 * SECOND);
    }

    @Test
    void aWindowAsLongAsItsPeriodIsAlwaysOpenAfterTheFirst() {
        FaultSchedule always = new FaultSchedule(Duration.ofSeconds(1), Duration.ofSeconds(1));

        assertThat(always.window(SECOND - 1)).isZero();
        assertThat(always.window(SECOND)).isEqualTo(1);
        assertThat(always.window(2 * SECOND)).isEqualTo(2);
    }

    @Test
    void neverIsNever() {
        assertThat(FaultSchedule.NEVER.window(Duration.ofDays(3650).toNanos())).isZero();
        assertThat(FaultSchedule.NEVER).hasToString("never");
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FaultSchedule(Duration.ZERO, Duration.ZERO))
                .withMessageContaining("above 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FaultSchedule(Duration.ofSeconds(1), Duration.ofSeconds(2)))
                .withMessageContaining("at most the period");
    }
}
