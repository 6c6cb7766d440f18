package dev.penstock.lab.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RaceScheduleTest {
    private final RaceSchedule schedule = new RaceSchedule();

    @Test
    void beforeTheFirstBlockThePlanTells() {
        schedule.add(10, Duration.ofSeconds(2));
        schedule.add(5, Duration.ofSeconds(60));
        assertThat(schedule.left()).isEqualTo(Duration.ofSeconds(320));
        assertThat(schedule.blocks()).isEqualTo(15);
    }

    @Test
    void afterwardsTheBlocksOfTheSameCourseTell() {
        schedule.add(10, Duration.ofSeconds(2));
        schedule.add(5, Duration.ofSeconds(60));
        schedule.done(0, Duration.ofSeconds(3));
        schedule.done(0, Duration.ofSeconds(5));
        assertThat(schedule.left()).isEqualTo(Duration.ofSeconds(8 * 4 + 300));
        assertThat(schedule.done()).isEqualTo(2);
    }
}
