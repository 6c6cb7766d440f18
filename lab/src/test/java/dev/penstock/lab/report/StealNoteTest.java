package dev.penstock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.Contestant.Role;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StealNoteTest {
    private static Contestant contestant(String name, double... steals) {
        return Contestant.of(
                name,
                Role.PEER,
                Map.of(),
                Arrays.stream(steals)
                        .mapToObj(steal -> Map.of(StealNote.KEY, steal))
                        .toList());
    }

    private static final String MIDDLE =
            " % of the CPU time that this machine demanded to others (steal, median of all blocks)";

    @Test
    void theMiddleOfAllBlocksAndTheWorstAreTold() {
        assertThat(StealNote.of(List.of(contestant("jetty", 0, 0.2, 9), contestant("penstock", 0.1, 0.3))))
                .hasValue("the host gave 0.2" + MIDDLE + ", at most 9.0 %, in a block of jetty");
    }

    @Test
    void fromOnePercentOnATailIsInDoubt() {
        assertThat(StealNote.of(List.of(contestant("jetty", 1.5))))
                .hasValue("the host gave 1.5" + MIDDLE + ", at most 1.5 %, in a block of jetty:"
                        + " a p99 may be caused by the host, not by a contestant");
    }

    @Test
    void nothingIsSaidWhereNothingWasStolenOrIsTold() {
        Contestant silent = Contestant.of("silent", Role.PEER, Map.of(), List.of(Map.of("tps", 1.0)));
        assertThat(StealNote.of(List.of(contestant("jetty", 0, 0), silent))).isEmpty();
        assertThat(StealNote.of(List.of())).isEmpty();
    }
}
