package dev.penstock.races.udpburst;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.DeclaredCourses;
import dev.penstock.races.machine.NativeCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UdpBurstRaceTest {
    private static final Race RACE = new UdpBurstRace();

    private static Course course(String name) {
        return DeclaredCourses.course(RACE, name);
    }

    @Test
    void isFoundByNameWithItsCourses() {
        DeclaredCourses.assertDeclared(RACE, "udp-burst", "bursts", "sustained", "steady", "small-buffer");
        assertThat(RACE.courses()).allSatisfy(course -> {
            assertThat(course.workload(Effort.FULL)).contains("1,024 bytes", "share two cores");
        });
        assertThat(course("sustained").entries())
                .extracting(Entry::role)
                .contains(Role.BEFORE, Role.AFTER, Role.PEER, Role.OURS);
        assertThat(course("steady").workload(Effort.FULL)).startsWith("60 s at 0.8");
    }

    @Test
    void skipsUnavailableContestantsWithAReason() {
        assertThat(NativeCode.whyNot().isEmpty())
                .isEqualTo(course("sustained").entries().stream()
                        .anyMatch(entry -> entry.name().equals("c-mmsg")));
        assertThat(course("sustained").workload(Effort.FULL).contains("SKIPPED"))
                .isEqualTo(course("sustained").entries().size()
                        < UdpBurstContestants.ALL.names().size());
    }

    private static Contestant ran(String who, Map<String, Double> figures) {
        return Contestant.of(who, UdpBurstContestants.ALL.entry(who).role(), Map.of(), List.of(figures));
    }

    private static Contestant fast(String who, double pps) {
        return ran(who, Map.of("pps", pps));
    }

    private static List<String> missed(String course, Contestant... contestants) {
        return course(course).goals(List.of(contestants)).stream()
                .filter(goal -> !goal.met())
                .map(Goal::what)
                .toList();
    }

    @Test
    void comparesOursWithTheLimitThePeersAndTheOldServer() {
        Contestant[] contestants = {
            fast(UdpBurstContestants.C_MMSG, 300_000),
            fast(UdpBurstContestants.NETTY, 251_000),
            fast(UdpBurstContestants.CHANNEL, 250_000),
            fast(UdpBurstContestants.PLAIN_DEFAULT, 90_000),
            fast(UdpBurstContestants.INLINE, 250_000),
            fast(UdpBurstContestants.FLOW, 119_000)
        };

        assertThat(missed("sustained", contestants))
                .containsExactly(
                        "penstock-inline: packets/s at least 0.850 times that of c-mmsg",
                        "penstock-inline: packets/s at least 1 times that of netty",
                        "penstock-inline: packets/s at least 3 times that of plain-default",
                        "penstock-flow: packets/s at least 0.400 times that of c-mmsg");
    }

    @Test
    void comparesLossMemoryAndCountsWithTheGoals() {
        assertThat(missed(
                        "bursts",
                        ran(UdpBurstContestants.PLAIN_DEFAULT, Map.of("lost_percent", 49.0)),
                        ran(UdpBurstContestants.INLINE, Map.of("lost", 1.0))))
                .hasSize(2);
        assertThat(missed(
                        "steady",
                        ran(
                                UdpBurstContestants.INLINE,
                                Map.of("lost", 0.0, "heap_peak_mb", 65.0, "bytes_per_call", 24.0)),
                        ran(
                                UdpBurstContestants.FLOW,
                                Map.of("lost", 0.0, "heap_peak_mb", 40.0, "bytes_per_call", 2_000.0))))
                .containsExactly(
                        "penstock-inline: heap MB at most 64 in every round", "penstock-inline: no bytes_per_call");
        assertThat(missed("small-buffer", ran(UdpBurstContestants.FLOW, Map.of("lost", 0.0, "uncounted", 1.0))))
                .hasSize(2);
    }
}
