package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class IdleTimeoutEstimatorTest {
    private static final long SECOND = 1_000_000_000L;
    private final IdleTimeoutEstimator age = new IdleTimeoutEstimator();

    @Test
    void initiallyTrustsHalfASecondAndKeepsNothingAlive() {
        assertThat(age.trusted()).isEqualTo(SECOND / 2);
        assertThat(age.keepAliveAt()).isEqualTo(Long.MAX_VALUE);
        assertThat(age.kills()).isFalse();
        assertThat(age.reason()).isEqualTo("no idle connection was seen dropped yet");
    }

    @Test
    void keepsAliveAtHalfOfTheShortestDeath() {
        age.alive(20 * SECOND);
        age.died(33 * SECOND, 0);
        age.died(31 * SECOND, 0);
        age.died(32 * SECOND, 0);

        assertThat(age.keepAliveAt()).isEqualTo(31 * SECOND / 2);
        assertThat(age.trusted()).isEqualTo(20 * SECOND);
        assertThat(age.reason()).isEqualTo("3 connections idle >= 31 s were dead; keep-alive every 16 s");
    }

    @Test
    void stopsTestingWhenTheAgeIsKnown() {
        assertThat(age.testAt()).isBetween(SECOND / 2 + 1, SECOND);
        age.died(3 * SECOND, 0);

        assertThat(age.testAt()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void answerAtTheAgeOfADeathRevokesIt() {
        age.died(3 * SECOND, 0);
        age.alive(3 * SECOND + 1);

        assertThat(age.kills()).isFalse();
        assertThat(age.trusted()).isEqualTo(3 * SECOND + 1);
    }

    @Test
    void acceptsAContradictingDeathTheThirdTime() {
        age.alive(60 * SECOND);
        age.died(10 * SECOND, 0);
        age.died(10 * SECOND, 0);
        assertThat(age.kills()).isFalse();

        age.died(10 * SECOND, 0);

        assertThat(age.keepAliveAt()).isEqualTo(5 * SECOND);
        assertThat(age.trusted()).isLessThan(10 * SECOND);
    }

    @Test
    void forgetsContradictingDeathsAfterAWhile() {
        age.alive(60 * SECOND);
        for (int i = 1; i <= 10; i++) {
            age.died(10 * SECOND, i * 700 * SECOND);
        }

        assertThat(age.kills()).isFalse();
    }

    @Test
    void simultaneousClosesAreARestart() {
        for (int i = 0; i < 20; i++) {
            age.closed(30 * SECOND, 100 * SECOND + i);
        }

        assertThat(age.kills()).isFalse();
    }

    @Test
    void threeClosesAtOneAgeAreATimeout() {
        age.closed(30 * SECOND, 100 * SECOND);
        age.closed(30 * SECOND + 1, 150 * SECOND);
        age.closed(7 * SECOND, 170 * SECOND);
        assertThat(age.kills()).isFalse();

        age.closed(31 * SECOND, 200 * SECOND);

        assertThat(age.keepAliveAt()).isEqualTo(15 * SECOND);
        assertThat(age.trusted()).isLessThan(30 * SECOND);
        assertThat(age.reason()).contains("closed by the peer");
    }

    @Test
    void configuredAgeIsNotLearned() {
        IdleTimeoutEstimator given =
                IdleTimeoutEstimator.pinned(Duration.ofMinutes(4).toNanos());
        given.died(SECOND, 0);
        given.alive(3600 * SECOND);
        given.closed(SECOND, 0);

        assertThat(given.keepAliveAt()).isEqualTo(Duration.ofMinutes(2).toNanos());
        assertThat(given.trusted()).isEqualTo(Duration.ofMinutes(3).toNanos());
        assertThat(given.reason()).isEqualTo("configured; keep-alive every 2 min");
    }

    @Test
    void remembersAcrossARestart() {
        age.alive(4 * SECOND);
        age.died(5 * SECOND, 0);
        IdleTimeoutEstimator again = IdleTimeoutEstimator.parse(age.serialized());

        assertThat(again.serialized()).isEqualTo(age.serialized());
        assertThat(again.trusted()).isEqualTo(age.trusted());
        assertThat(again.keepAliveAt()).isEqualTo(age.keepAliveAt());
    }

    @Test
    void ignoresAnInvalidState() {
        for (String garbled : new String[] {
            "",
            "alive=1",
            "alive=9 dead=5 deaths=1",
            "alive=1 dead=99999999999999999999 deaths=1",
            "alive=-1 dead=2 deaths=3"
        }) {
            assertThat(IdleTimeoutEstimator.parse(garbled).serialized())
                    .isEqualTo(new IdleTimeoutEstimator().serialized());
        }
        assertThat(IdleTimeoutEstimator.parse(null).serialized()).isEqualTo(new IdleTimeoutEstimator().serialized());
    }

    /** An idle pool on a path that kills at some age: the tests find that age from below, and half of it is safe. */
    @Property(tries = 500)
    void testsFindTheKillAge(@ForAll @LongRange(min = 600, max = 7_000_000) long killMillis) {
        long kill = killMillis * 1_000_000;
        IdleTimeoutEstimator found = new IdleTimeoutEstimator();
        int tests = 0;
        while (!found.kills() && tests++ < 100) {
            long at = found.testAt() + 100_000_000L;
            if (at < kill) {
                found.alive(at);
            } else {
                found.died(at, 0);
            }
        }

        assertThat(tests).isLessThan(40);
        assertThat(found.trusted()).isLessThan(kill);
        assertThat(found.keepAliveAt()).isLessThan(kill).isGreaterThan(kill / 3);
    }
}
