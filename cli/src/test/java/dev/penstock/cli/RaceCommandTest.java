package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.ResultFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaceCommandTest {
    @TempDir
    private Path folder;

    private Ran race(String... args) {
        String[] all = new String[args.length + 3];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--out";
        all[args.length + 1] = folder.resolve("results").toString();
        all[args.length + 2] = "--quiet";
        return Ran.run(new RaceCommand(), all);
    }

    @Test
    void listsRacesCoursesAndContestants() {
        Ran ran = race("--list");
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("tiny: is ours twice as fast?")
                .contains("  tiny: nothing <at all>")
                .containsPattern("ours +ours +limit auto");
    }

    @Test
    void printsTheVerdictAndWritesItsFiles() throws Exception {
        Ran ran = race("tiny", "--contestant", "ours", "--contestant", "peer");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("FASTER  0.50 [0.50, 0.50]").contains("wrote ");
        ResultFile file = ResultFile.read(folder.resolve("results/tiny.json"));
        assertThat(file.experiment()).isEqualTo("tiny");
        assertThat(file.command()).isEqualTo("penstock race tiny --contestant ours --contestant peer --seed 1");
        assertThat(file.verdicts()).hasSize(1).allMatch(verdict -> verdict.verdict() == Verdict.FASTER);
        assertThat(file.contestants().getFirst().blocks()).hasSize(6);
        assertThat(Files.readString(folder.resolve("results/tiny.md"))).contains("| ours | ours | 5 |");
    }

    @Test
    void failedContestantMakesTheRaceInvalidWithExitCode1() {
        Ran ran = race("tiny", "--quick");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("one block per contestant: no verdicts")
                .contains("INVALID, tiny: 1 of 1 blocks of broken failed")
                .contains("IllegalStateException: it broke");
    }

    @Test
    void rejectsUnknownNamesBeforeRunning() {
        assertThat(race("huge").code()).isEqualTo(2);
        assertThat(race("huge").err()).contains("unknown race huge; known races: tiny");
        assertThat(race("tiny", "--course", "x").err()).contains("unknown course x; known: tiny");
        assertThat(race("tiny", "--contestant", "x").err()).contains("known: ours, peer, broken");
        assertThat(race("tiny", "--quick", "--rounds", "3").code()).isEqualTo(2);
        assertThat(race("tiny", "--rounds", "0").err()).contains("1 to 1000 rounds, not 0");
    }

    @Test
    void rejectsFolderThatCannotBeCreated() throws Exception {
        Files.writeString(folder.resolve("results"), "a file is in the way");
        assertThat(race("tiny").err()).contains("cannot create the folder").contains("--out");
        assertThat(race("tiny").code()).isEqualTo(2);
    }
}
