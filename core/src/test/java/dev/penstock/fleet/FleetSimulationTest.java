package dev.penstock.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.fleet.FleetWorld.Gateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a fleet promises, in virtual time: clocks up to 30 s off, a store that needs a millisecond for each meeting. */
class FleetSimulationTest {
    private static final int BUSY = 8;

    @ParameterizedTest
    @CsvSource({"1, 400", "2, 400", "4, 100", "10, 100", "50, 400", "100, 1000", "500, 1000"})
    void theTotalIsUsedAndNeverExceeded(int members, long total) {
        FleetWorld fleet = new FleetWorld(members, total, 1, members);
        fleet.run(30);
        fleet.gateways.forEach(each -> each.arrive(BUSY * total / members));
        fleet.run(30);
        fleet.count();
        fleet.run(60);
        assertThat(fleet.most()).isLessThanOrEqualTo((int) total);
        assertThat(fleet.mean(60)).isGreaterThan(0.95 * total);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 10, 50, 100})
    void sharesFollowDemand(int members) {
        long total = 400;
        FleetWorld fleet = new FleetWorld(members, total, 1, members);
        Gateway one = fleet.gateways.getFirst();
        Gateway other = fleet.gateways.getLast();
        fleet.run(10);
        one.arrive(BUSY * total);
        fleet.run(20);
        for (int i = 0; i < 5; i++) {
            Gateway idle = i % 2 == 0 ? one : other;
            Gateway busy = i % 2 == 0 ? other : one;
            fleet.count();
            idle.arrive(0);
            busy.arrive(BUSY * total);
            fleet.run(2);
            assertThat(busy.share()).as("share").isGreaterThan(total / 2);
            fleet.run(8);
            assertThat(busy.out()).isGreaterThan((int) (0.9 * (total - members)));
            assertThat(fleet.most()).isLessThanOrEqualTo((int) total);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whoIsKilledLeavesItsShareToTheOthers(long seed) {
        long total = 100;
        FleetWorld fleet = new FleetWorld(3, total, 5, seed);
        fleet.run(5);
        fleet.gateways.forEach(each -> each.arrive(BUSY * total));
        fleet.run(10);
        fleet.count();
        for (int i = 0; i < 6; i++) {
            fleet.gateways.get(i).kill();
            fleet.start().arrive(BUSY * total);
            fleet.run(20);
        }
        assertThat(fleet.mean(120)).isGreaterThan(0.75 * total);
        fleet.count();
        fleet.run(10);
        assertThat(fleet.mean(10)).isGreaterThan(0.95 * total);
    }

    /** Those that are cut off keep their shares for a lease, then use their safe ones, while the others take what ended. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aPartitionCostsAtMostSafeSharesAndCallsThatHaveNotEnded(long seed) {
        long total = 100;
        long safe = 5;
        FleetWorld fleet = new FleetWorld(4, total, safe, seed);
        fleet.gateways.forEach(each -> each.arrive(BUSY * total));
        fleet.run(20);
        fleet.gateways.get(0).cutOff = true;
        fleet.gateways.get(1).cutOff = true;
        fleet.count();
        fleet.run(9);
        assertThat(fleet.most()).as("while leases last").isLessThanOrEqualTo((int) total);
        assertThat(fleet.mean(9)).isGreaterThan(0.95 * total);
        fleet.run(3);
        assertThat(fleet.most()).as("when they end").isLessThanOrEqualTo((int) (total + 2 * safe + 50));
        fleet.run(3);
        fleet.count();
        fleet.run(30);
        assertThat(fleet.most()).as("without them").isLessThanOrEqualTo((int) (total + 2 * safe));
        fleet.gateways.forEach(each -> each.cutOff = false);
        fleet.run(12);
        fleet.count();
        fleet.run(30);
        assertThat(fleet.most()).as("together again").isLessThanOrEqualTo((int) total);
        assertThat(fleet.mean(30)).isGreaterThan(0.95 * total);
    }

    /** One has nearly all when the store goes away: the others get their even shares after it has given its own up. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void withoutTheStoreTheTotalStillHolds(long seed) {
        long total = 100;
        FleetWorld fleet = new FleetWorld(4, total, 0, seed);
        fleet.gateways.getFirst().arrive(BUSY * total);
        fleet.run(20);
        fleet.gateways.forEach(each -> each.cutOff = true);
        fleet.gateways.forEach(each -> each.arrive(BUSY * total));
        fleet.run(20);
        assertThat(fleet.most()).isLessThanOrEqualTo((int) total);
        fleet.count();
        fleet.run(10);
        assertThat(fleet.mean(10)).isGreaterThan(0.95 * total);
        fleet.gateways.forEach(each -> each.cutOff = false);
        fleet.run(20);
        assertThat(fleet.most()).as("when they come back").isLessThanOrEqualTo((int) total);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void withoutTheStoreNobodyStops(long seed) {
        long total = 100;
        FleetWorld fleet = new FleetWorld(4, total, 10, seed);
        fleet.gateways.forEach(each -> each.arrive(BUSY * total));
        fleet.run(20);
        fleet.gateways.forEach(each -> each.cutOff = true);
        fleet.run(12);
        fleet.count();
        fleet.run(18);
        assertThat(fleet.gateways).noneMatch(Gateway::hasLease);
        assertThat(fleet.mean(18)).isBetween(39.0, 40.1);
        fleet.gateways.forEach(each -> each.cutOff = false);
        fleet.run(8);
        fleet.count();
        fleet.run(20);
        assertThat(fleet.mean(20)).isGreaterThan(0.95 * total);
        assertThat(fleet.most()).isLessThanOrEqualTo((int) total);
    }

    /** Also those that come back last find nobody who has taken their part. */
    @ParameterizedTest
    @CsvSource({"6, 4, 0", "9, 4, 10", "10, 4, 0", "12, 9, 0", "12, 9, 10", "30, 9, 0", "30, 9, 10"})
    void theTotalHoldsWhenMembersComeBackOneAfterTheOther(int outage, int within, int safe) {
        long total = 40;
        for (int seed = 1; seed <= 20; seed++) {
            FleetWorld fleet = new FleetWorld(4, total, safe, seed);
            Gateway one = fleet.gateways.getFirst();
            one.arrive(BUSY * total);
            fleet.run(20);
            fleet.gateways.forEach(each -> each.cutOff = true);
            fleet.run(outage);
            fleet.gateways.forEach(each -> each.arrive(BUSY * total));
            fleet.gateways.forEach(each -> fleet.comeBack(each, within));
            fleet.run(within + 1);
            one.arrive(0);
            fleet.run(20);
            assertThat(fleet.most()).as("seed " + seed).isLessThanOrEqualTo((int) total);
            fleet.count();
            fleet.run(10);
            assertThat(fleet.mean(10)).isGreaterThan(0.95 * (total - 1));
        }
    }

    /** When all of a fleet are back, nobody waits any longer. */
    @Test
    void aFleetThatIsBackTogetherFollowsDemandAtOnce() {
        long total = 40;
        FleetWorld fleet = new FleetWorld(4, total, 0, 1);
        fleet.run(20);
        fleet.gateways.forEach(each -> each.cutOff = true);
        fleet.run(30);
        fleet.gateways.forEach(each -> each.cutOff = false);
        fleet.gateways.getFirst().arrive(BUSY * total);
        fleet.run(3);
        assertThat(fleet.gateways.getFirst().share()).isGreaterThan(total / 2);
    }

    /** What a source fetches says little about how much more there is. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 10, 50})
    void sharesFollowTheBacklogOfSources(int members) {
        long total = 400;
        FleetWorld fleet = new FleetWorld(members, total, 1, members);
        Gateway one = fleet.gateways.getFirst();
        Gateway other = fleet.gateways.getLast();
        one.pull(true);
        fleet.run(10);
        one.pull(false);
        other.pull(true);
        fleet.run(3);
        assertThat(other.share()).isGreaterThan(total / 2);
        one.pull(true);
        fleet.run(5);
        fleet.count();
        fleet.run(10);
        assertThat(fleet.mean(10)).isGreaterThan(0.95 * (total - members));
        assertThat(Math.abs(one.share() - other.share())).isLessThan(total / 5);
    }

    /** Most members have a few callers, some of which pause, and demand moves among them. */
    @ParameterizedTest
    @CsvSource({"4, 40, 2, 2", "4, 400, 2, 100", "10, 100, 2, 2", "10, 1000, 5, 100", "50, 400, 1, 2"})
    void membersWithFewCallersLeaveTheRestToTheOthers(int members, long total, int few, double thinkMillis) {
        FleetWorld fleet = new FleetWorld(members, total, 1, members);
        fleet.gateways.forEach(each -> each.callers(few, thinkMillis));
        for (int step = 0; step < 4; step++) {
            Gateway busy = fleet.gateways.get(step * 7 % members);
            busy.callers((int) (2 * total), 2);
            fleet.run(2);
            fleet.count();
            fleet.run(10);
            assertThat(fleet.mean(10)).isGreaterThan(0.95 * total);
            assertThat(fleet.most()).isLessThanOrEqualTo((int) total);
            busy.callers(few, thinkMillis);
        }
    }

    /** Requests that come at random: shares of few permits leave room for the most that came at once. */
    @ParameterizedTest
    @CsvSource({"4, 400, 25, 0.95", "10, 400, 25, 0.88", "4, 100, 10, 0.9"})
    void membersWithFewRequestsLeaveTheRestToTheOthers(int members, long total, int perSecond, double least) {
        FleetWorld fleet = new FleetWorld(members, total, 1, members);
        fleet.gateways.forEach(each -> each.arrive(perSecond));
        fleet.gateways.getFirst().arrive(BUSY * total);
        fleet.run(5);
        fleet.count();
        fleet.run(30);
        assertThat(fleet.mean(30)).isGreaterThan(least * total);
        assertThat(fleet.most()).isLessThanOrEqualTo((int) total);
    }
}
