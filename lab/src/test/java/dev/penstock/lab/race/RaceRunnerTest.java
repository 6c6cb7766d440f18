package dev.penstock.lab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.measure.StealClock;
import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.Goal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RaceRunnerTest {
    private final ScriptedCourse course = new ScriptedCourse()
            .taking("bare", Role.LIMIT, 9)
            .taking("ours", Role.OURS, 10)
            .taking("slow", Role.PEER, 20)
            .taking("alike", Role.PEER, 10.1);

    private RaceRunner runner() {
        return RaceRunner.of(course.race()).tidy(() -> {});
    }

    private RaceResult full() {
        return runner().run();
    }

    @Test
    void everyContestantRunsOnceARoundAndOursTwice() {
        full();
        for (int round = 1; round <= 6; round++) {
            String ofRound = round + " ";
            assertThat(course.ran.stream().filter(block -> block.startsWith(ofRound)))
                    .containsExactlyInAnyOrder(
                            ofRound + "bare", ofRound + "ours", ofRound + "slow", ofRound + "alike", ofRound + "ours");
        }
    }

    @Test
    void theOrderDiffersFromRoundToRoundAndComesFromTheSeed() {
        full();
        List<String> first = List.copyOf(course.ran);
        course.ran.clear();
        full();
        assertThat(course.ran).isEqualTo(first);
        long orders = IntStream.range(0, 6)
                .mapToObj(round -> first.subList(round * 5, round * 5 + 5).stream()
                        .map(block -> block.substring(2))
                        .toList())
                .distinct()
                .count();
        assertThat(orders).isGreaterThan(3);
        course.ran.clear();
        runner().seed(2).run();
        assertThat(course.ran).isNotEqualTo(first);
    }

    @Test
    void allContestantsOfARoundShareASeedAndRoundsDoNot() {
        full();
        for (int round = 0; round < 6; round++) {
            assertThat(course.seeds.subList(round * 5, round * 5 + 5)).containsOnly(course.seeds.get(round * 5));
        }
        assertThat(course.seeds.stream().distinct()).hasSize(6);
    }

    @Test
    void theVerdictsFollowFromTheFigures() {
        RaceResult result = full();
        assertThat(verdict(result, "slow", "p50_ms").verdict()).isEqualTo(Verdict.FASTER);
        assertThat(verdict(result, "slow", "p50_ms").ratio()).isBetween(0.49, 0.51);
        assertThat(verdict(result, "bare", "p50_ms").verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(verdict(result, "alike", "p50_ms").verdict()).isEqualTo(Verdict.SAME);
        assertThat(verdict(result, "alike", "errors").verdict()).isEqualTo(Verdict.SAME);
        assertThat(result.verdicts()).noneMatch(comparison -> comparison.other().contains("again"));
        assertThat(result.whyInvalid()).isNull();
    }

    @Test
    void theNoiseIsThatOfOursAndItsTwin() {
        assertThat(full().aaNoisePercent()).isZero();
        ScriptedCourse noisy =
                new ScriptedCourse().with("ours", Role.OURS, new Alternating()).taking("other", Role.PEER, 10);
        RaceResult result = RaceRunner.of(noisy.race()).tidy(() -> {}).run();
        assertThat(Objects.requireNonNull(result.aaNoisePercent())).isBetween(5.0, 100.0);
        assertThat(verdict(result, "other", "p50_ms").verdict()).isNotEqualTo(Verdict.FASTER);
    }

    /** Every second time slower by a fifth. */
    private static final class Alternating implements ScriptedCourse.Script {
        private int times;

        @Override
        public BlockResult run(int round) {
            return ScriptedCourse.figures(times++ % 2 == 0 ? 10 : 12);
        }
    }

    @Test
    void theSceneIsFreshForEachBlockAndItsFiguresJoin() {
        RaceResult result = full();
        assertThat(course.opened).isEqualTo(30).isEqualTo(course.closed);
        Contestant slow = contestant(result, "slow");
        assertThat(slow.blocks())
                .hasSize(6)
                .allSatisfy(block -> assertThat(block).containsEntry("seen", 1.0));
        assertThat(Objects.requireNonNull(slow.timeLine()).faults()).hasSize(1);
        assertThat(slow.percentiles()).containsKeys("50.0", "99.0");
    }

    @Test
    void whatTheHostTookDuringABlockJoinsItsFigures() {
        AtomicLong looks = new AtomicLong();
        // Each block wants 200 ticks between two looks, and loses 4.
        RaceResult result = runner().steal(() -> new StealClock(200 * looks.get(), 4 * looks.getAndIncrement()))
                .run();
        assertThat(contestant(result, "slow").blocks())
                .allSatisfy(block -> assertThat(block).containsEntry("steal_percent", 2.0));
        RaceResult untold = runner().steal(() -> new StealClock(-1, -1)).run();
        assertThat(contestant(untold, "slow").metrics()).doesNotContainKey("steal_percent");
    }

    @Test
    void quickRunsOneBlockEachAndJudgesNothing() {
        RaceResult result = runner().effort(Effort.QUICK).run();
        assertThat(course.ran).hasSize(4);
        assertThat(result.verdicts()).isEmpty();
        assertThat(result.aaNoisePercent()).isNull();
        assertThat(contestant(result, "slow").metrics()).containsKey("p50_ms");
    }

    @Test
    void threeRoundsAreTooFewForAVerdict() {
        RaceResult result = runner().rounds(3).run();
        assertThat(result.verdicts()).isNotEmpty().allMatch(one -> one.verdict() == Verdict.INCONCLUSIVE);
    }

    @Test
    void aRehearsalCountsForNothing() {
        course.rehearses = true;
        RaceResult result = full();
        assertThat(course.ran).hasSize(31).first().isEqualTo("0 bare");
        assertThat(contestant(result, "bare").blocks()).hasSize(6);
    }

    @Test
    void onlyWhoIsWantedRuns() {
        runner().contestants("slow"::equals).run();
        assertThat(course.ran).hasSize(6).allMatch(block -> block.endsWith("slow"));
        assertThatThrownBy(() -> runner().courses(name -> false).run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no course or contestant of the race scripted is selected");
    }

    @Test
    void aBlockThatFailsIsToldAndLeftOut() {
        course.with("flaky", Role.PEER, round -> {
            if (round == 3) {
                throw new IllegalStateException("the pool is empty\nand more");
            }
            return ScriptedCourse.figures(20);
        });
        RaceResult result = full();
        CourseNote note = result.courses().getFirst();
        assertThat(note.blocksFailed()).containsExactly("flaky, round 3: IllegalStateException: the pool is empty");
        assertThat(contestant(result, "flaky").blocks()).hasSize(5);
        assertThat(verdict(result, "flaky", "p50_ms").verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(result.whyInvalid()).isNull();
        assertThat(course.closed).isEqualTo(course.opened);
    }

    @Test
    void aContestantThatMostlyFailsMakesTheRaceInvalid() {
        course.with("broken", Role.PEER, round -> {
            throw new NoClassDefFoundError("com/example/Missing");
        });
        RaceResult result = full();
        assertThat(result.whyInvalid())
                .contains("6 of 6 blocks of broken failed")
                .contains("com/example/Missing");
    }

    @Test
    void figuresOfAnInvalidBlockAreNotUsed() {
        course.with("starved", Role.PEER, round -> {
            BlockResult figures = ScriptedCourse.figures(1);
            return round > 1
                    ? figures
                    : new BlockResult(figures.metrics(), figures.percentiles(), null, "the generator lagged");
        });
        RaceResult result = full();
        assertThat(contestant(result, "starved").blocks()).hasSize(5);
        assertThat(result.courses().getFirst().blocksFailed())
                .containsExactly("starved, round 1: INVALID, the generator lagged");
    }

    @Test
    void anInterruptedRaceKeepsWhatItHas() {
        course.with("last", Role.PEER, round -> {
            if (round == 2) {
                throw new InterruptedException();
            }
            return ScriptedCourse.figures(5);
        });
        RaceResult result = full();
        assertThat(result.whyInvalid()).startsWith("stopped after ").endsWith(" of 36 blocks");
        assertThat(contestant(result, "slow").blocks()).isNotEmpty();
    }

    @Test
    void progressCountsBlocksAndTellsTheTimeLeft() {
        List<RaceProgress> told = new ArrayList<>();
        runner().effort(Effort.QUICK).listen(told::add).run();
        assertThat(told).hasSize(4);
        assertThat(told.getFirst().line())
                .startsWith("block 1 of 4")
                .contains("left 4 s")
                .contains("scripted/script round 1 of 1");
        assertThat(told.getLast().done()).isEqualTo(3);
    }

    @Test
    void theLineUnderTheVerdictsTellsWhy() {
        assertThat(full().courses().getFirst().why())
                .isEqualTo("against the best peer by p50 ms, alike: p50 ms 10.1 to 10.2, errors 0 to 0");
    }

    private static Comparison verdict(RaceResult result, String other, String metric) {
        return result.verdicts().stream()
                .filter(one -> one.other().equals(other) && one.metric().equals(metric))
                .findFirst()
                .orElseThrow();
    }

    private static Contestant contestant(RaceResult result, String name) {
        return result.contestants().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatFollowsFromOthersOfTheSameRoundJoinsTheFigures() {
        RaceResult result = full();

        assertThat(result.contestants())
                .filteredOn(contestant -> contestant.name().equals("slow"))
                .singleElement()
                .satisfies(slow -> {
                    assertThat(slow.blocks()).hasSize(6);
                    for (int i = 0; i < 6; i++) {
                        assertThat(slow.blocks().get(i).get("added_ms"))
                                .as("round " + (i + 1))
                                .isCloseTo(11 * (1 + (i + 1) % 3 / 100.0), within(1e-9));
                    }
                });
        assertThat(result.courses().getFirst().goals()).containsExactly(new Goal("contestants", "5", true));
    }

    @Test
    void aRoundInWhichTheOtherFailedTellsNothingOfIt() {
        ScriptedCourse failing = new ScriptedCourse()
                .with("bare", Role.LIMIT, round -> {
                    if (round == 1) {
                        throw new IllegalStateException("not today");
                    }
                    return ScriptedCourse.figures(9);
                })
                .taking("ours", Role.OURS, 10);

        Contestant ours = RaceRunner.of(failing.race())
                .tidy(() -> {})
                .rounds(2)
                .run()
                .contestants()
                .get(1);

        assertThat(ours.blocks().get(0)).doesNotContainKey("added_ms").containsKey("p50_ms");
        assertThat(ours.blocks().get(1)).containsKey("added_ms");
    }

    private void sideBySide() {
        course.stagger = Duration.ofNanos(1);
    }

    @Test
    void sideBySideTheSameOrderAndSeedsGiveTheSameVerdicts() {
        RaceResult oneByOne = full();
        List<String> order = List.copyOf(course.ran);
        List<Long> seeds = List.copyOf(course.seeds);
        course.ran.clear();
        course.seeds.clear();
        sideBySide();

        RaceResult result = full();

        assertThat(course.ran).isEqualTo(order);
        assertThat(course.seeds).isEqualTo(seeds);
        assertThat(result.verdicts()).isEqualTo(oneByOne.verdicts());
        assertThat(contestant(result, "slow").blocks())
                .hasSize(6)
                .allSatisfy(block -> assertThat(block).containsEntry("seen", 1.0));
        assertThat(course.opened).isEqualTo(60).isEqualTo(course.closed);
    }

    @Test
    void sideBySideNoLoadStartsBeforeAllOfTheRoundAreReady() {
        List<Integer> ready = Collections.synchronizedList(new ArrayList<>());
        for (String name : List.of("first", "second")) {
            course.with(name, Role.PEER, round -> {
                ready.add(course.ran.size() - 7 * (round - 1));
                return ScriptedCourse.figures(20);
            });
        }
        sideBySide();

        full();

        assertThat(ready).hasSize(12).containsOnly(7);
    }

    @Test
    void sideBySideOnlyTheBlockThatFailsIsLeftOut() {
        course.with("flaky", Role.PEER, round -> {
            if (round == 3) {
                throw new IllegalStateException("the pool is empty");
            }
            return ScriptedCourse.figures(20);
        });
        sideBySide();

        RaceResult result = full();

        assertThat(result.courses().getFirst().blocksFailed())
                .containsExactly("flaky, round 3: IllegalStateException: the pool is empty");
        assertThat(contestant(result, "flaky").blocks()).hasSize(5);
        assertThat(contestant(result, "slow").blocks()).hasSize(6);
    }

    @Test
    void sideBySideAStopEndsTheRaceWithTheBlocksThatEnded() {
        course.with("last", Role.PEER, round -> {
            if (round == 2) {
                throw new InterruptedException();
            }
            return ScriptedCourse.figures(5);
        });
        sideBySide();

        RaceResult result = full();

        assertThat(result.whyInvalid()).startsWith("stopped after ").endsWith(" of 36 blocks");
        assertThat(contestant(result, "last").blocks()).hasSize(1);
        assertThat(course.closed).isEqualTo(course.opened);
    }

    @Test
    void sideBySideTheTimeOfABlockIsThatOfItsRound() {
        List<RaceProgress> told = new ArrayList<>();
        sideBySide();

        runner().effort(Effort.QUICK).listen(told::add).run();

        assertThat(told).hasSize(5);
        assertThat(told.getFirst().line()).startsWith("block 1 of 4").contains("left 1 s");
        assertThat(told.getLast().line()).startsWith("block 1 of 4").endsWith("round 1 of 1 4 side by side");
    }
}
