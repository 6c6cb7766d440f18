package dev.penstock.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.fleet.FleetMember.Decision;
import dev.penstock.fleet.FleetShare.Demand;
import dev.penstock.fleet.FleetStore.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FleetMemberTest {
    private static final long LEASE = FleetMember.LEASE.toNanos();

    private static FleetMember member(String name, int total, int safe) {
        return new FleetMember(new Fleet("f", name, 1, total, safe, total), 0);
    }

    private static Decision decide(FleetMember member, long demand, long used, Claim... others) {
        Decision decision = member.decide(new Demand(demand, false), () -> used, List.of(others), 0);
        member.granted(decision, 0);
        return decision;
    }

    @Test
    void aloneItHasAll() {
        FleetMember member = member("a", 400, 0);
        decide(member, 3, 2);
        assertThat(member.share(LEASE - 1)).isEqualTo(400);
    }

    @Test
    void itGetsWhatOthersLeave() {
        assertThat(decide(member("b", 400, 0), 90, 0, new Claim("a", 300, 380)).share())
                .isEqualTo(20);
    }

    @Test
    void whoWantsLessThanItsPartGetsThatAndAnEvenPartOfTheRest() {
        assertThat(decide(member("a", 100, 0), 10, 0, new Claim("b", 40, 0)).share())
                .isEqualTo(10 + 25);
        assertThat(decide(member("a", 100, 0), 10, 0, new Claim("b", 140, 0)).share())
                .isEqualTo(10);
    }

    @Test
    void whatItGivesUpIsHeldUntilItsCallsHaveEnded() {
        FleetMember member = member("a", 100, 0);
        decide(member, 100, 100);
        Decision decision = decide(member, 100, 70, new Claim("b", 100, 0));
        assertThat(decision.claim().holds()).isEqualTo(70);
        assertThat(member.share(0)).isEqualTo(50);
    }

    @Test
    void aSmallerShareAppliesBeforeItIsStored() {
        FleetMember member = member("a", 100, 0);
        decide(member, 100, 100);
        member.decide(new Demand(100, false), () -> member.share(0), List.of(new Claim("b", 100, 0)), 0);
        assertThat(member.share(0)).isEqualTo(50);
    }

    @Test
    void aLargerShareAppliesWhenItIsStored() {
        FleetMember member = member("a", 100, 0);
        decide(member, 100, 0, new Claim("b", 100, 50));
        Decision decision = member.decide(new Demand(100, false), () -> 0, List.of(), 0);
        assertThat(member.share(0)).isEqualTo(50);
        member.granted(decision, 0);
        assertThat(member.share(0)).isEqualTo(100);
    }

    @Test
    void withoutALeaseItUsesItsSafeShare() {
        FleetMember declared = member("a", 100, 7);
        assertThat(declared.share(0)).isEqualTo(7);
        decide(declared, 100, 0);
        assertThat(declared.share(LEASE)).isEqualTo(7);
        FleetMember even = member("a", 100, 0);
        assertThat(even.share(0)).isEqualTo(1);
        decide(even, 100, 0, new Claim("b", 1, 1), new Claim("c", 1, 1));
        assertThat(even.share(LEASE)).isEqualTo(33);
    }

    @Test
    void aSafeShareAboveTheLastOneAppliesWhenOthersHaveEndedTheirs() {
        FleetMember member = member("a", 100, 30);
        decide(member, 100, 0, new Claim("b", 1, 90));
        long later = LEASE + Duration.ofSeconds(5).toNanos();
        assertThat(member.share(LEASE)).isEqualTo(10);
        assertThat(member.share(later - 1)).isEqualTo(10);
        assertThat(member.share(later)).isEqualTo(30);
    }

    @Test
    void aPauseDoesNotCostItsShareAtOnce() {
        FleetMember member = member("a", 100, 0);
        Claim other = new Claim("b", 100, 20);
        decide(member, 80, 80, other);
        assertThat(decide(member, 0, 0, other).claim().wants()).isEqualTo(40);
    }

    @Test
    void whoLacksUnitsTwiceInARowWantsFarMore() {
        FleetMember member = member("a", 100, 0);
        Claim other = new Claim("b", 100, 0);
        assertThat(wants(member, 3, true, other)).isEqualTo(3);
        assertThat(wants(member, 3, true, other)).isEqualTo(24);
        assertThat(wants(member, 3, true, other)).isEqualTo(100);
        assertThat(wants(member, 3, false, other)).isEqualTo(50);
    }

    @Test
    void whoDoesNotGetWhatItWantsWantsNoMore() {
        FleetMember member = member("a", 100, 0);
        Claim other = new Claim("b", 100, 99);
        for (int i = 0; i < 5; i++) {
            assertThat(wants(member, 3, true, other)).isEqualTo(3);
        }
    }

    @Test
    void nobodyWantsMoreThanItCanUse() {
        FleetMember member = new FleetMember(new Fleet("f", "a", 1, 100, 0, 7), 0);
        assertThat(wants(member, 30, true, new Claim("b", 1, 1))).isEqualTo(7);
    }

    private static long wants(FleetMember member, long most, boolean lacked, Claim other) {
        Decision decision = member.decide(new Demand(most, lacked), () -> 0, List.of(other), 0);
        member.granted(decision, 0);
        return decision.claim().wants();
    }

    /** Whatever they want, in whatever order they meet, however long their calls last. */
    @Property(tries = 300)
    void togetherTheyNeverHoldMoreThanTheTotal(
            @ForAll @IntRange(min = 1, max = 60) int total,
            @ForAll @Size(min = 1, max = 200) List<@IntRange(min = 0, max = 1_000_000) Integer> meetings) {
        List<FleetMember> members =
                IntStream.range(0, 5).mapToObj(i -> member("m" + i, total, 0)).toList();
        long[] used = new long[5];
        Map<Integer, Claim> claims = new LinkedHashMap<>();
        for (int meeting : meetings) {
            int who = meeting % 5;
            FleetMember member = members.get(who);
            used[who] = Math.max(0, used[who] - meeting / 5 % 7);
            List<Claim> others = new ArrayList<>(claims.values());
            others.removeIf(claim -> claim.member().equals("m" + who));
            Decision decision =
                    member.decide(new Demand(meeting / 35 % 100, meeting % 2 > 0), () -> used[who], others, 0);
            claims.put(who, decision.claim());
            if (meeting % 3 > 0) { // or the answer of the store is lost
                member.granted(decision, 0);
            }
            if (member.hasLease(0)) {
                used[who] = Math.max(used[who], member.share(0));
            }
            assertThat(claims.values().stream().mapToLong(Claim::holds).sum()).isLessThanOrEqualTo(total);
            assertThat(IntStream.range(0, 5).mapToLong(i -> used[i]).sum()).isLessThanOrEqualTo(total);
        }
    }
}
