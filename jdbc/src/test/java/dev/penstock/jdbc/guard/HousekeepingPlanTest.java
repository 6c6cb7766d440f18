package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.guard.HousekeepingPlan.Care;
import dev.penstock.jdbc.guard.HousekeepingPlan.Idle;
import dev.penstock.jdbc.guard.HousekeepingPlan.Task;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class HousekeepingPlanTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NEVER = Long.MAX_VALUE;

    private static HousekeepingPlan knowing(int warm, int inUse) {
        return new HousekeepingPlan(warm, inUse, true, 4 * SECOND, 3 * SECOND, NEVER, 1800 * SECOND);
    }

    private static HousekeepingPlan knowingNothing(int warm) {
        return new HousekeepingPlan(warm, 0, false, 2 * SECOND, NEVER, 3 * SECOND, 1800 * SECOND);
    }

    private static Idle<String> open(String name, long idle, long unused) {
        return new Idle<>(name, idle * SECOND, unused * SECOND, unused * SECOND, true);
    }

    @SafeVarargs
    private static Map<String, Care> of(HousekeepingPlan plan, Idle<String>... all) {
        return plan.tasks(List.of(all)).stream().collect(Collectors.toMap(Task::slot, Task::care));
    }

    @Test
    void keepsRecentlyUsedConnectionsAliveAndRetiresOthers() {
        assertThat(of(knowing(1, 0), open("old", 3, 9), open("new", 3, 5)))
                .containsExactlyInAnyOrderEntriesOf(Map.of("new", Care.KEEP_ALIVE, "old", Care.RETIRE));
    }

    @Test
    void leavesYoungConnectionsAlone() {
        assertThat(of(knowing(1, 0), open("a", 1, 1), open("b", 2, 2)))
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", Care.PEEK, "b", Care.PEEK));
    }

    @Test
    void connectionsInUseCountAsWarm() {
        assertThat(of(knowing(2, 2), open("a", 3, 3))).containsExactly(Map.entry("a", Care.RETIRE));
    }

    @Test
    void testsOneConnectionAtATime() {
        assertThat(of(knowingNothing(1), open("a", 3, 3), open("b", 4, 4), open("c", 1, 1)))
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", Care.PEEK, "b", Care.TEST, "c", Care.PEEK));
    }

    @Test
    void closesLongUnusedConnectionsWhenNothingKillsThem() {
        HousekeepingPlan plan = new HousekeepingPlan(1, 0, false, 2 * SECOND, NEVER, NEVER, 1800 * SECOND);

        assertThat(of(plan, open("a", 600, 600), open("b", 700, 700)))
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", Care.PEEK, "b", Care.RETIRE));
    }

    @Test
    void replacesConnectionsBeyondTheirMaxAge() {
        Idle<String> old = new Idle<>("old", SECOND, SECOND, 1800 * SECOND, true);

        assertThat(of(knowing(1, 0), old)).containsExactly(Map.entry("old", Care.RENEW));
        assertThat(of(knowing(0, 0), old)).containsExactly(Map.entry("old", Care.RETIRE));
    }

    @Test
    void refillsRetiredEntriesAsNeeded() {
        Idle<String> gone = new Idle<>("gone", 9 * SECOND, 9 * SECOND, 0, false);
        Idle<String> too = new Idle<>("too", 9 * SECOND, 9 * SECOND, 0, false);

        assertThat(of(knowing(2, 0), open("a", 1, 1), gone, too)).hasSize(2).containsValue(Care.RENEW);
        assertThat(of(knowing(1, 0), open("a", 1, 1), gone, too)).containsOnlyKeys("a");
    }
}
