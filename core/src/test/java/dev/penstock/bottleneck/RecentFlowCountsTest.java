package dev.penstock.bottleneck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.penstock.Accounting;
import dev.penstock.bottleneck.FlowCounts.Sum;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecentFlowCountsTest {
    private final RecentFlowCounts readings = new RecentFlowCounts(at(0, 0));

    private static FlowCounts at(double seconds, long passed) {
        Accounting account = new Accounting(passed, passed, 0, 0, 0, 0, Map.of());
        Sum flow = new Sum("flow", passed, passed, passed * 1e6, 0, 0);
        return new FlowCounts((long) (seconds * 1e9), account, List.of(flow), Map.of(), Map.of(), null, null, null, "");
    }

    private double perSecond(double seconds, long passed) {
        return readings.bottleneck(at(seconds, passed)).loads().getFirst().arrivalsPerSecond();
    }

    @Test
    void whoLooksEverySecondIsToldOfTheLastTen() {
        for (int second = 1; second <= 20; second++) {
            perSecond(second, 100L * second);
        }
        // Ten seconds without any: 2,000 until 20 s.
        for (int second = 21; second < 30; second++) {
            perSecond(second, 2_000);
        }
        assertEquals(0, perSecond(30, 2_000), 0.001);
    }

    @Test
    void whoLooksForTheFirstTimeIsToldOfAllThatHasBeen() {
        assertEquals(2, perSecond(100, 200), 0.001);
    }

    @Test
    void lookingVeryOftenForgetsNothingSooner() {
        for (int look = 1; look <= 1_000; look++) {
            assertEquals(100, perSecond(look / 100.0, look), 0.001);
        }
    }
}
