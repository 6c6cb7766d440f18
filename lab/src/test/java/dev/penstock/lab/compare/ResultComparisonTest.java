package dev.penstock.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.compare.check.TableCheck;
import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.ComparisonTable;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Machine;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultComparisonTest {
    private static final String RUN_MORE = "run each 6 times, alternating, and then: penstock compare"
            + " a1.json,a2.json,a3.json,a4.json,a5.json,a6.json b1.json,b2.json,b3.json,b4.json,b5.json,b6.json";

    private final ResultFile six = Results.load("pay", Results.blocks(6, 200, 10, 0.01), List.of());

    @Test
    void equalRunsAreTheSame() {
        ResultComparison comparison = ResultComparison.of(six, six, false);

        assertThat(comparison.verdicts())
                .extracting(Comparison::metric)
                .containsExactly("tps", "p50_ms", "p99_ms", "mean_ms", "errors");
        assertThat(comparison.verdicts()).allMatch(verdict -> verdict.verdict() == Verdict.SAME);
        assertThat(comparison.isSlower()).isFalse();
        assertThat(comparison.warnings()).isEmpty();
    }

    @Test
    void bIsJudgedAgainstA() {
        ResultFile slow = Results.load("pay", Results.blocks(6, 200, 15, 0.01), List.of());
        ResultComparison comparison = ResultComparison.of(six, slow, false);

        Comparison p50 = comparison.verdicts().get(1);
        assertThat(p50.metric()).isEqualTo("p50_ms");
        assertThat(p50.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(p50.ratio()).isCloseTo(1.5, within(1e-3));
        assertThat(p50.ours()).isEqualTo("B: pay");
        assertThat(p50.other()).isEqualTo("A: pay");
        assertThat(comparison.isSlower()).isTrue();
        assertThat(ResultComparison.of(slow, six, false).verdicts().get(1).verdict())
                .isEqualTo(Verdict.FASTER);
    }

    @Test
    void theFileOfAComparisonHoldsBothAndPassesItsOwnCheck() {
        ResultFile slow = Results.load("pay", Results.blocks(6, 200, 15, 0.01), List.of());
        ResultFile file = ResultComparison.of(six, slow, false).file("2", "penstock compare", 7);

        assertThat(file.contestants()).extracting(Contestant::name).containsExactly("A: pay", "B: pay");
        assertThat(file.verdicts()).hasSize(5);
        assertThat(file.seed()).isEqualTo(7);
        assertThat(TableCheck.of(file)).isEmpty();
    }

    @Test
    void labelsAreComparedAsWell() {
        List<ResultFile> before = new ArrayList<>();
        List<ResultFile> after = new ArrayList<>();
        for (double jitter : new double[] {0.99, 0.995, 1, 1, 1.005, 1.01}) {
            before.add(labelled(jitter, 12));
            after.add(labelled(jitter, 24));
        }
        ResultComparison comparison = ResultComparison.of(MergedRuns.joined(before), MergedRuns.joined(after), false);

        assertThat(comparison.verdicts())
                .filteredOn(verdict -> verdict.metric().equals("p50_ms"))
                .extracting(Comparison::ours, Comparison::other, Comparison::verdict)
                .containsExactly(
                        tuple("B: pay", "A: pay", Verdict.SAME),
                        tuple("B: browse", "A: browse", Verdict.SAME),
                        tuple("B: order", "A: order", Verdict.SLOWER));
        ResultFile file = comparison.file("2", "penstock compare", 7);
        assertThat(file.contestants()).extracting(Contestant::name).contains("A: order", "B: order");
        assertThat(TableCheck.of(file)).isEmpty();
        assertThat(new ComparisonTable(file, List.of()).text()).contains("load, order: B is");
    }

    @Test
    void aLowerBoundMayOnlyBeSlower() {
        List<Map<String, Double>> exact = Results.blocks(6, 200, 10, 0.01);
        List<Map<String, Double>> bounds = new ArrayList<>();
        for (Map<String, Double> block : Results.blocks(6, 200, 10, 0.01)) {
            Map<String, Double> hung = new LinkedHashMap<>(block);
            hung.putAll(Map.of("p99_ms", 30_000.0, "unanswered", 20.0, "unanswered_min_ms", 30_000.0));
            bounds.add(hung);
        }
        ResultFile a = Results.load("pay", exact, List.of());
        ResultFile b = Results.load("pay", bounds, List.of());

        assertThat(p99(ResultComparison.of(a, b, false))).isEqualTo(Verdict.SLOWER);
        assertThat(p99(ResultComparison.of(b, a, false))).isEqualTo(Verdict.FASTER);
        assertThat(p99(ResultComparison.of(b, b, false))).isEqualTo(Verdict.INCONCLUSIVE);
        ResultComparison slower = ResultComparison.of(a, b, false);
        assertThat(slower.warnings())
                .containsExactly("B: 120 transactions never answered count as the time they waited (>=)");
        assertThat(new ComparisonTable(slower.file("2", "c", 7), List.of()).text())
                .contains(">=30,000");
    }

    private static Verdict p99(ResultComparison comparison) {
        return comparison.verdicts().stream()
                .filter(verdict -> verdict.metric().equals("p99_ms"))
                .findFirst()
                .orElseThrow()
                .verdict();
    }

    private static ResultFile labelled(double jitter, double msOfOrders) {
        Map<String, Map<String, Double>> labels = new LinkedHashMap<>();
        labels.put("browse", Results.block(160 * jitter, 9 / jitter));
        labels.put("order", Results.block(40 * jitter, msOfOrders / jitter));
        return Results.load("pay", Results.block(200 * jitter, 10 / jitter)).labelled(labels);
    }

    @Test
    void oneRunEachShowsADifferenceAndDoesNotProveIt() {
        ResultFile one = Results.load("pay", Results.block(200, 10));
        ResultFile other = Results.load("pay", Results.block(100, 20));
        ResultComparison comparison = ResultComparison.of(one, other, false);
        Comparison p50 = comparison.verdicts().get(1);

        assertThat(p50.ratio()).isCloseTo(2, within(1e-3));
        assertThat(p50.low()).isCloseTo(2 / Ratio.BETWEEN_RUNS, within(1e-3));
        assertThat(p50.high()).isCloseTo(2 * Ratio.BETWEEN_RUNS, within(1e-3));
        assertThat(comparison.verdicts()).allMatch(verdict -> verdict.verdict() == Verdict.INCONCLUSIVE);
        assertThat(comparison.warnings())
                .containsExactly(
                        "with one run a difference can be shown but not proven (two runs of the same system often"
                                + " differ by 15 %): " + RUN_MORE);
    }

    @Test
    void oneRunVariesAsTheEarlierRunsDo() {
        ResultFile one = Results.load("pay", Results.block(200, 10));
        Comparison p50 = ResultComparison.of(six, one, false).verdicts().get(1);

        assertThat(p50.high()).isGreaterThan(1.005).isLessThan(Ratio.BETWEEN_RUNS);
        assertThat(p50.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void aRaceOfOneRoundSaysToRunMore() {
        ResultFile quick = Results.race(1, Results.contestant("ours", List.of(Results.block(200, 10))));

        assertThat(ResultComparison.of(quick, quick, false).warnings())
                .singleElement()
                .asString()
                .endsWith("run the race with 6 rounds or more");
    }

    @Test
    void fewBlocksAreInconclusiveAndSayWhatToDo() {
        ResultFile three = Results.load("pay", Results.blocks(3, 200, 10, 0.01), List.of());
        ResultComparison comparison = ResultComparison.of(six, three, false);

        assertThat(comparison.verdicts()).allMatch(verdict -> verdict.verdict() == Verdict.INCONCLUSIVE);
        assertThat(comparison.warnings()).containsExactly("with 3 runs a difference cannot be proven: " + RUN_MORE);
    }

    @Test
    void aRaceIsComparedContestantByContestantBeyondItsNoise() {
        ResultFile a = Results.race(
                2,
                Results.contestant("ours", Results.blocks(6, 200, 10, 0.01)),
                Results.contestant("gone", Results.blocks(6, 200, 10, 0.01)));
        ResultFile b = Results.race(
                10,
                Results.contestant("new", Results.blocks(6, 200, 10, 0.01)),
                Results.contestant("ours", Results.blocks(6, 200, 10.8, 0.01)));
        ResultComparison comparison = ResultComparison.of(a, b, false);

        // 8 % slower, and two runs of the same differ by 10 % on B's machine.
        assertThat(comparison.verdicts()).hasSize(2);
        assertThat(comparison.verdicts().getFirst().metric()).isEqualTo("p50_ms");
        assertThat(comparison.verdicts().getFirst().verdict()).isEqualTo(Verdict.SAME);
        assertThat(comparison.warnings()).containsExactly("only in A: run / gone", "only in B: run / new");
        ResultFile file = comparison.file("1", "c", 1);
        assertThat(file.courses()).hasSize(1);
        assertThat(file.courses().getFirst().aaNoisePercent()).containsEntry("p50_ms", 10.0);
    }

    @Test
    void invalidResultsAreNotJudged() {
        ResultFile bad = Results.invalid(Results.load("pay", Results.blocks(6, 200, 15, 0.01), List.of()), "it lagged");
        ResultComparison comparison = ResultComparison.of(six, bad, false);

        assertThat(comparison.verdicts()).allMatch(verdict -> verdict.verdict() == Verdict.INCONCLUSIVE);
        assertThat(comparison.warnings()).containsExactly("B is INVALID, so there are no verdicts: it lagged");
        assertThat(comparison.file("1", "c", 1).whyInvalid()).isEqualTo("B is INVALID: it lagged");
    }

    @Test
    void figuresOfAnInvalidResultThatAreRightAllTheSameAreJudged() {
        ResultFile slow = Results.load("pay", Results.blocks(6, 200, 15, 0.01), List.of());
        ResultFile bad = Results.invalid(slow, "it lagged").standing(List.of("mean_ms", "p50_ms"));
        ResultComparison comparison = ResultComparison.of(six, bad, false);

        assertThat(comparison.verdicts())
                .extracting(verdict -> verdict.metric() + " " + verdict.verdict())
                .containsExactly(
                        "tps INCONCLUSIVE",
                        "p50_ms SLOWER",
                        "p99_ms INCONCLUSIVE",
                        "mean_ms SLOWER",
                        "errors INCONCLUSIVE");
        assertThat(comparison.isSlower()).isTrue();
        assertThat(comparison.warnings())
                .containsExactly("B is INVALID, so there are verdicts by mean ms, p50 ms only: it lagged");
        ResultFile file = comparison.file("1", "c", 1);
        assertThat(file.valid()).isFalse();
        assertThat(file.stands()).containsExactly("mean_ms", "p50_ms");
    }

    @Test
    void aFigureMustBeRightInBothAndNotOfALabel() {
        ResultFile labelled = six.labelled(Map.of("browse", Results.block(100, 10)));
        ResultFile a = Results.invalid(labelled, "why a").standing(List.of("p50_ms", "p99_ms"));
        ResultFile b = Results.invalid(labelled, "why b").standing(List.of("mean_ms", "p99_ms"));
        ResultComparison comparison = ResultComparison.of(a, b, false);

        assertThat(comparison.verdicts())
                .filteredOn(verdict -> verdict.verdict() != Verdict.INCONCLUSIVE)
                .extracting(verdict -> verdict.ours() + " " + verdict.metric())
                .containsExactly("B: pay p99_ms");
        assertThat(comparison.warnings())
                .contains(
                        "A is INVALID, so there are verdicts by p99 ms only: why a",
                        "B is INVALID, so there are verdicts by p99 ms only: why b");
        assertThat(ResultComparison.of(six, six, false).file("1", "c", 1).stands())
                .isEmpty();
    }

    @Test
    void whatSurroundsTheTwoIsCompared() {
        ResultFile elsewhere = Results.elsewhere(six, "1.1", 2, new Machine(4, 8_000, "Linux 7", "26"));

        assertThat(ResultComparison.of(six, elsewhere, false).warnings())
                .containsExactly(
                        "the machines differ, which may cause part of the difference: cores 2 in A and 4 in B, kernel Linux"
                                + " 6 in A and Linux 7 in B",
                        "A ran on JDK 25.0.1 and B on JDK 26",
                        "A is from Penstock 1.0 and B from Penstock 1.1",
                        "A used seed 1 and B 2: they sent different requests");
    }

    @Test
    void otherSettingsAndTargetsAreTold() {
        ResultFile a = one("http://a", Map.of("load", "open", "max_in_flight", "10"));
        ResultFile b = one("http://b", Map.of("load", "open", "think", "1s"));

        assertThat(ResultComparison.of(a, b, false).warnings())
                .contains(
                        "A is http://a and B is http://b",
                        "http://a has different settings: max_in_flight 10 in A and absent in B, think absent in A"
                                + " and 1s in B");
    }

    @Test
    void otherExperimentsAndLoadsAreRefused() {
        ResultFile race = Results.race(2, Results.contestant("ours", Results.blocks(6, 200, 10, 0.01)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResultComparison.of(six, race, true))
                .withMessage("A is from the experiment load and B from pool: use two results of the same experiment");
        ResultFile stranger = Results.race(2, Results.contestant("x", Results.blocks(6, 200, 10, 0.01)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResultComparison.of(race, stranger, true))
                .withMessageStartingWith("A and B have no contestant in common");
        ResultFile faster = one("pay", Map.of("load", "open load, 400/s"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResultComparison.of(six, faster, false))
                .withMessage(
                        "A ran \"open load, 200/s for 10 s\" and B \"open load, 400/s\": use two results of the same"
                                + " load, or compare these with --anyway");
        assertThat(ResultComparison.of(six, faster, true).warnings())
                .contains(
                        "A ran \"open load, 200/s for 10 s\" and B \"open load, 400/s\": the difference may be caused by the load");
    }

    @Test
    void resultsOfOtherGeneratorsSayWhatTheyLeaveOut() {
        ResultFile jmeter = one("all samples", Map.of("generator", "JMeter"));
        ResultFile k6 = one("http requests", Map.of("generator", "k6"));

        assertThat(ResultComparison.of(jmeter, six, false).warnings())
                .contains(
                        "A is from JMeter and B from Penstock: only Penstock measures from the intended start; the other"
                                + " measures from the actual send, which hides waiting time while the service stalls"
                                + " (coordinated omission)");
        assertThat(ResultComparison.of(jmeter, k6, false).warnings())
                .anyMatch(
                        warning -> warning.startsWith("A is from JMeter and B from k6: they may define a transaction"))
                .noneMatch(warning -> warning.contains("JDK"));
    }

    @Test
    void runsOfTheSameBecomeBlocks() {
        ResultFile one = Results.load("pay", List.of(Results.block(200, 10)), Results.blocks(10, 200, 10, 0.01));
        ResultFile joined = MergedRuns.joined(List.of(one, Results.invalid(one, "it lagged"), one));

        assertThat(joined.contestants().getFirst().blocks()).hasSize(3);
        assertThat(joined.contestants().getFirst().slices()).isEmpty();
        assertThat(joined.contestants().getFirst().metrics())
                .containsEntry("tps", new Contestant.Spread(200, 200, 200));
        assertThat(joined.valid()).isFalse();
        assertThat(joined.stands()).isEmpty();
        ResultFile partly = Results.invalid(one, "it lagged").standing(List.of("p50_ms", "p99_ms"));
        assertThat(MergedRuns.joined(List.of(one, partly, partly.standing(List.of("p99_ms"))))
                        .stands())
                .containsExactly("p99_ms");
        assertThat(MergedRuns.joined(List.of(one))).isSameAs(one);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MergedRuns.joined(List.of(one, one("pay", Map.of("load", "another")))))
                .withMessageStartingWith("files joined by commas must be runs of the same experiment");
    }

    private static ResultFile one(String name, Map<String, String> settings) {
        ResultFile file = Results.load(name, Results.block(200, 10));
        return new ResultFile(
                file.experiment(),
                file.version(),
                file.command(),
                file.seed(),
                true,
                null,
                List.of(),
                file.machine(),
                null,
                List.of(),
                List.of(Contestant.of(name, Role.OURS, settings, List.of(Results.block(200, 10)))),
                List.of());
    }
}
