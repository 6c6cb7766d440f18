package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.LoadResult;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A generator whose machine gives it too little: what it measured then is its own lateness, and it has to say so. */
@Timeout(180)
class StarvedLoadTest {
    private static final long MS = 1_000_000;

    @Test
    void aGeneratorThatWakesTooLateSaysThatItsResultIsInvalid() throws InterruptedException {
        LoadResult result = OpenLoad.at(Arrivals.constant(100))
                .count(400)
                .ticker(new Oversleeping(45 * MS))
                .run(number -> number, number -> number);

        assertThat(result.counts().right()).isEqualTo(400);
        assertThat(result.lag().percentile(99).orElseThrow()).isGreaterThanOrEqualTo(35 * MS);
        assertThat(result.validity().whyInvalid())
                .startsWith("the generator started transactions up to ")
                .contains("late (p99)", "% of p50", "at most 10 % is allowed");
    }

    /** Time that only the pacer's sleep moves on, and then too far: never to where it would spin, for that moves nothing. */
    private static final class Oversleeping implements Ticker {
        private final AtomicLong now = new AtomicLong();
        private final long tooLong;

        Oversleeping(long tooLong) {
            this.tooLong = tooLong;
        }

        @Override
        public long nanos() {
            return now.get();
        }

        @Override
        public void parkUntil(long nanos) {
            if (Thread.currentThread().getName().equals("penstock-pacer")) {
                now.accumulateAndGet(nanos + tooLong, Math::max);
            } else {
                LockSupport.park(this);
            }
        }
    }
}
