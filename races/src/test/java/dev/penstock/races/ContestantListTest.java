package dev.penstock.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContestantListTest {
    private final ContestantList<String> list = ContestantList.<String>of("sample")
            .add("floor", Role.LIMIT, "the bound", "first")
            .add("elsewhere", Role.PEER, Map.of(), "second", () -> Optional.of("no compiler"))
            .add("ours", Role.OURS, Map.of("threads", "2"), "third");

    @Test
    void findsContestantsByName() {
        assertThat(list.named("elsewhere")).isEqualTo("second");
        assertThat(list.entry("floor")).isEqualTo(Entry.of("floor", Role.LIMIT, Map.of("how", "the bound")));
        assertThat(list.names()).containsExactly("floor", "elsewhere", "ours");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> list.named("nobody"))
                .withMessage("the race sample has no contestant nobody: use one of floor, elsewhere, ours");
    }

    @Test
    void selectsThoseThatCanRunHere() {
        assertThat(list.entries()).extracting(Entry::name).containsExactly("floor", "ours");
        assertThat(list.without("floor")).extracting(Entry::name).containsExactly("ours");
        assertThat(list.only(List.of("floor", "elsewhere", "ours")))
                .extracting(Entry::name)
                .containsExactly("floor", "ours");
        assertThatIllegalArgumentException().isThrownBy(() -> list.only(List.of("ours", "floors")));
    }

    @Test
    void reportsTheOthersWithAReason() {
        assertThat(list.skipped(list.names())).isEqualTo("; SKIPPED elsewhere: no compiler");
        assertThat(list.skipped(List.of("ours"))).isEmpty();
    }
}
