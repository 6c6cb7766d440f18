package dev.penstock.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RedeliveryTest {
    private static final Redelivery THREE = new Redelivery(3, Duration.ofMillis(100), Duration.ofMillis(250));
    private static final RandomGenerator RANDOM = new Random(1);

    @Provide
    Arbitrary<Unanswered> endings() {
        return Arbitraries.oneOf(
                Arbitraries.of(Rejected.Cause.values()).map(why -> new Rejected(why, "rejected")),
                Arbitraries.of(Failed.Cause.values()).map(why -> new Failed(why, "failed")),
                Arbitraries.of(Unknown.Cause.values()).map(why -> new Unknown(why, "unknown")));
    }

    @Property
    void unknownWithoutAKeyIsNotRetriedAndUnsentIsNoDeadLetter(
            @ForAll("endings") Unanswered ended,
            @ForAll @IntRange(min = 0, max = 10) int tried,
            @ForAll boolean keyed) {
        Redelivery.Next next = THREE.after(ended, tried, keyed, RANDOM);
        if (ended instanceof Rejected) {
            assertThat(next).isNotInstanceOf(Redelivery.Next.ToDeadLetter.class);
        } else if (ended instanceof Unknown && !keyed) {
            assertThat(next).isInstanceOf(Redelivery.Next.ToDeadLetter.class);
        }
    }

    @Property
    void neverExceedsTheNumberOfAttempts(
            @ForAll("endings") Unanswered ended,
            @ForAll @IntRange(min = 3, max = 10) int tried,
            @ForAll boolean keyed) {
        Redelivery.Next next = THREE.after(ended, tried, keyed, RANDOM);
        assertThat(next instanceof Redelivery.Next.Again)
                .isEqualTo(ended instanceof Rejected rejected && rejected.why() != Rejected.Cause.DRAINING);
    }

    @Test
    void waitsDoubleUpToTheMaximumWithJitter() {
        Failed failed = new Failed(Failed.Cause.CONNECT, "down");
        assertThat(millis(THREE.after(failed, 1, false, RANDOM))).isBetween(50L, 100L);
        assertThat(millis(THREE.after(failed, 2, false, RANDOM))).isBetween(100L, 200L);
        Redelivery many = new Redelivery(1_000, Duration.ofMillis(100), Duration.ofMillis(250));
        assertThat(millis(many.after(failed, 900, false, RANDOM))).isBetween(125L, 250L);
    }

    @Test
    void refusedMessageIsADeadLetterImmediately() {
        assertThat(THREE.after(new Failed(Failed.Cause.REFUSED, "no"), 1, true, RANDOM))
                .isInstanceOf(Redelivery.Next.ToDeadLetter.class);
    }

    @Test
    void closingFlowGivesTheMessageBack() {
        assertThat(THREE.after(new Rejected(Rejected.Cause.DRAINING, "closing"), 0, true, RANDOM))
                .isInstanceOf(Redelivery.Next.GiveBack.class);
    }

    @Test
    void checksBounds() {
        assertThatThrownBy(() -> new Redelivery(0, Duration.ZERO, Duration.ZERO))
                .hasMessageContaining("redeliver must be 1 to 1000, not 0");
        assertThatThrownBy(() -> new Redelivery(1, Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("between 0 and the maximum");
    }

    private static long millis(Redelivery.Next next) {
        return next instanceof Redelivery.Next.Again again ? again.nanos() / 1_000_000 : -1;
    }
}
