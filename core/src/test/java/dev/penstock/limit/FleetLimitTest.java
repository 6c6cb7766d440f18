package dev.penstock.limit;

import static dev.penstock.limit.Calls.inBackground;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.fleet.Fleet;
import dev.penstock.fleet.FleetShare;
import dev.penstock.fleet.FleetStore;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a process tells the others of its fleet that it wants. */
@Timeout(120)
class FleetLimitTest {
    private static final Duration MEETING = Duration.ofMillis(500);
    private static final Fleet FLEET = new Fleet("pay", "a", 1, 40_000, 0, 40_000);

    private final ManualTicker ticker = new ManualTicker();
    private final BlockingQueue<Long> wants = new LinkedBlockingQueue<>();
    /** Another process wants and holds nearly all. */
    private final FleetStore store = new FleetStore() {
        @Override
        public void meet(String fleet, String member, Function<List<Claim>, Claim> decide) {
            wants.add(decide.apply(List.of(new Claim("b", 40_000, 39_999))).wants());
        }

        @Override
        public void leave(String fleet, String member) {}
    };

    private long wantsNext(int parked) throws InterruptedException {
        ticker.awaitParked(parked);
        ticker.advance(MEETING);
        return wants.take();
    }

    @Test
    void thoseInFlightAndThoseThatWait() throws Exception {
        FleetLimit.Shared shared = FleetLimit.of(FLEET, store, ticker);
        try (FleetShare share = shared.share()) {
            assertThat(wants.take()).isZero();
            Limit limit =
                    new Limit(shared.limit(), QueueSettings.automatic().withTime(Duration.ofHours(1)), ticker, () -> 0);
            Permit one = Permit.of(limit);
            Future<Permit> second = inBackground(() -> Permit.of(limit));
            assertThat(wantsNext(2)).isEqualTo(2);
            one.success();
            second.get().success();
            assertThat(wantsNext(1)).as("the most since then").isEqualTo(2);
            assertThat(wantsNext(1)).as("nothing").isEqualTo(1);
            assertThat(share.share()).isEqualTo(1);
        }
    }

    @Test
    void callsOfARateAndThoseThatWaitForTheirSlots() throws Exception {
        SharedLimit limit = Limits.shared();
        try (FleetShare share = FleetLimit.rate(FLEET, limit, store, ticker)) {
            assertThat(wants.take()).isZero();
            ticker.awaitParked(1);
            for (int i = 0; i < 5; i++) {
                limit.pace(ticker.nanos(), Long.MAX_VALUE);
            }
            // 5 calls in 0.5 s are 10 a second, and all wait for the rate of 0.1 a second: 20, and half as much more.
            assertThat(wantsNext(1)).isBetween(29_000L, 30_000L);
            assertThat(share.share()).isEqualTo(1);
        }
    }
}
