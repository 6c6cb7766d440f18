package dev.penstock.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.fleet.FleetMember.Decision;
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

    private static Decision decide(FleetMember member, long demand, long used, Claim... others) {
        Decision decision = member.decide(demand, () -> used, List.of(others), 0);
        member.granted(decision, 0);
        return decision;
    }

    @Test
    void aloneItHasAll() {
        FleetMember member = new FleetMember("a", 400, 0, 0);
        decide(member, 3, 2);
        assertThat(member.share(LEASE - 1)).isEqualTo(400);
    }

    @Test
    void itGetsWhatOthersLeave() {
        assertThat(decide(new FleetMember("b", 400, 0, 0), 90, 0, new Claim("a", 300, 380))
                        .share())
                .isEqualTo(20);
    }

    @Test
    void whoWantsLessThanItsPartGetsThatAndAnEvenPartOfTheRest() {
        assertThat(decide(new FleetMember("a", 100, 0, 0), 10, 0, new Claim("b", 40, 0))
                        .share())
                .isEqualTo(10 + 25);
        assertThat(decide(new FleetMember("a", 100, 0, 0), 10, 0, new Claim("b", 140, 0))
                        .share())
                .isEqualTo(10);
    }

    @Test
    void whatItGivesUpIsHeldUntilItsCallsHaveEnded() {
        FleetMember member = new FleetMember("a", 100, 0, 0);
        decide(member, 100, 100);
        Decision decision = decide(member, 100, 70, new Claim("b", 100, 0));
        assertThat(decision.claim().holds()).isEqualTo(70);
        assertThat(member.share(0)).isEqualTo(50);
    }

    @Test
    void aSmallerShareAppliesBeforeItIsStored() {
        FleetMember member = new FleetMember("a", 100, 0, 0);
        decide(member, 100, 100);
        member.decide(100, () -> member.share(0), List.of(new Claim("b", 100, 0)), 0);
        assertThat(member.share(0)).isEqualTo(50);
    }

    @Test
    void aLargerShareAppliesWhenItIsStored() {
        FleetMember member = new FleetMember("a", 100, 0, 0);
        decide(member, 100, 0, new Claim("b", 100, 50));
        Decision decision = member.decide(100, () -> 0, List.of(), 0);
        assertThat(member.share(0)).isEqualTo(50);
        member.granted(decision, 0);
        assertThat(member.share(0)).isEqualTo(100);
    }

    @Test
    void withoutALeaseItUsesItsSafeShare() {
        FleetMember declared = new FleetMember("a", 100, 7, 0);
        assertThat(declared.share(0)).isEqualTo(7);
        decide(declared, 100, 0);
        assertThat(declared.share(LEASE)).isEqualTo(7);
        FleetMember even = new FleetMember("a", 100, 0, 0);
        assertThat(even.share(0)).isEqualTo(1);
        decide(even, 100, 0, new Claim("b", 1, 1), new Claim("c", 1, 1));
        assertThat(even.share(LEASE)).isEqualTo(33);
    }

    @Test
    void aSafeShareAboveTheLastOneAppliesWhenOthersHaveEndedTheirs() {
        FleetMember member = new FleetMember("a", 100, 30, 0);
        decide(member, 100, 0, new Claim("b", 1, 90));
        long later = LEASE + Duration.ofSeconds(5).toNanos();
        assertThat(member.share(LEASE)).isEqualTo(10);
        assertThat(member.share(later - 1)).isEqualTo(10);
        assertThat(member.share(later)).isEqualTo(30);
    }

    @Test
    void aPauseDoesNotCostItsShareAtOnce() {
        FleetMember member = new FleetMember("a", 100, 0, 0);
        Claim other = new Claim("b", 100, 20);
        decide(member, 80, 80, other);
        assertThat(decide(member, 0, 0, other).claim().wants()).isEqualTo(40);
    }

    /** Whatever they want, in whatever order they meet, however long their calls last. */
    @Property(tries = 300)
    void togetherTheyNeverHoldMoreThanTheTotal(
            @ForAll @IntRange(min = 1, max = 60) int total,
            @ForAll @Size(min = 1, max = 200) List<@IntRange(min = 0, max = 1_000_000) Integer> meetings) {
        List<FleetMember> members = IntStream.range(0, 5)
                .mapToObj(i -> new FleetMember("m" + i, total, 0, 0))
                .toList();
        long[] used = new long[5];
        Map<Integer, Claim> claims = new LinkedHashMap<>();
        for (int meeting : meetings) {
            int who = meeting % 5;
            FleetMember member = members.get(who);
            used[who] = Math.max(0, used[who] - meeting / 5 % 7);
            List<Claim> others = new ArrayList<>(claims.values());
            others.removeIf(claim -> claim.member().equals("m" + who));
            Decision decision = member.decide(meeting / 35 % 100, () -> used[who], others, 0);
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
