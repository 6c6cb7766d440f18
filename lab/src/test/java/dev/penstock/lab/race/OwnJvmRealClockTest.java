package dev.penstock.lab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.lab.race.BlockRunner.BlockFailed;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class OwnJvmRealClockTest {
    private static final Duration LONG = Duration.ofSeconds(120);

    private final Course course = Races.course("far", "away");

    private BlockResult run(String entry, Duration patience) throws Exception {
        Block block = new Block(entry, Effort.FULL, 1, 1);
        Entry found = course.entries().stream()
                .filter(one -> one.name().equals(entry))
                .findFirst()
                .orElseThrow();
        try (Scene scene = course.open(block)) {
            return new OwnJvmRunner("far", course, found.jvmOptions(), patience).run(block, scene, line -> {});
        }
    }

    @Test
    void figuresComeBackAndTheSceneBeginsWithTheLoad() throws Exception {
        int before = FarRace.BEGUN.get();
        assertThat(run("good", LONG).metrics()).containsEntry("count", 100.0);
        assertThat(FarRace.BEGUN.get()).isEqualTo(before + 1);
    }

    @Test
    void whatAContestantPrintsDisturbsNothing() throws Exception {
        assertThat(run("chatty", LONG).metrics()).containsEntry("count", 100.0);
    }

    @Test
    void aJvmThatDiesFailsItsBlockAndSaysItsLastWords() {
        assertThatThrownBy(() -> run("dies", LONG))
                .isInstanceOf(BlockFailed.class)
                .hasMessageStartingWith("its JVM ended without a result")
                .hasMessageContaining("out of luck");
    }

    @Test
    void whatAContestantThrowsIsTold() {
        assertThatThrownBy(() -> run("throws", LONG))
                .isInstanceOf(BlockFailed.class)
                .hasMessage("IllegalStateException: no such luck");
    }

    @Test
    void oneThatHangsIsEndedWhenItsTimeIsOver() {
        assertThatThrownBy(() -> run("hangs", Duration.ofSeconds(2)))
                .isInstanceOf(BlockFailed.class)
                .hasMessageStartingWith("it did not end within 2 s");
    }

    @Test
    void sideBySideOneThatDiesOrThrowsHoldsNoOther() {
        RaceResult result = RaceRunner.of(new FarRace())
                .effort(Effort.QUICK)
                .contestants(List.of("good", "dies", "throws", "chatty")::contains)
                .run();

        assertThat(result.contestants())
                .filteredOn(contestant -> List.of("good", "chatty").contains(contestant.name()))
                .hasSize(2)
                .allSatisfy(contestant -> assertThat(contestant.blocks())
                        .singleElement()
                        .satisfies(block -> assertThat(block).containsEntry("count", 100.0)));
        assertThat(result.courses().getFirst().blocksFailed())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("dies, round 1: its JVM ended without a result"))
                .anyMatch(line -> line.equals("throws, round 1: IllegalStateException: no such luck"));
    }
}
