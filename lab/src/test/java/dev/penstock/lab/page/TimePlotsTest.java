package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.measure.TimeLine.Fault;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimePlotsTest {
    @Test
    void manyContestantsGetAPlotForEachSeriesAndALineForEachOfThem() {
        TimePlots time = TimePlots.of(CourseView.of(SampleRace.file()).getFirst());

        assertThat(time.plots().subList(0, 2)).extracting(Plot::title).containsExactly("Latency, p99", "Throughput");
        assertThat(time.plots()).allMatch(plot -> plot.lines().size() == 14);
        assertThat(time.bands().kinds()).containsExactly("fin", "rst", "header", "cut");
        assertThat(time.bands().whose()).isNull();
        assertThat(time.bands().bands().getFirst()).isEqualTo(new Plot.Band("warm-up", 0, 5, true));
    }

    @Test
    void oneContestantGetsWhatBelongsTogetherInOnePlot() {
        TimePlots time =
                TimePlots.of(CourseView.of(SampleLoad.file("x", "c", null)).getFirst());

        assertThat(time.plots().getFirst().lines()).extracting(PlotLine::label).containsExactly("p50", "p99", "max");
        assertThat(time.plots().get(1).lines()).extracting(PlotLine::label).containsExactly("offered", "throughput");
        assertThat(time.plots().getFirst().lines()).extracting(PlotLine::ours).containsExactly(false, true, false);
    }

    @Test
    void whatWasZeroAllTheTimeOrIsNotKnownIsToldAndNotDrawn() {
        TimePlots time = TimePlots.of(CourseView.of(SampleRace.file()).getLast());

        assertThat(time.allZero()).containsExactly("Errors", "Generator lag");
        assertThat(time.notShown()).containsExactly("quarks");
    }

    @Test
    void faultsThatContestantsMetAtOtherTimesAreShownOfOursAlone() {
        CourseView course = course(
                contestant("peer", Role.PEER, new Fault("fin", 2, 3)),
                contestant("us", Role.OURS, new Fault("rst", 7, 8)));

        TimeBands bands = TimeBands.of(course);
        assertThat(bands.whose()).isEqualTo("us");
        assertThat(bands.kinds()).containsExactly("rst");
    }

    @Test
    void faultsThatAllMetNearlyAtTheSameTimeAreOne() {
        CourseView course = course(
                contestant("peer", Role.PEER, new Fault("fin", 2.1, 3.2)),
                contestant("us", Role.OURS, new Fault("fin", 2, 3)));

        assertThat(TimeBands.of(course).bands()).containsExactly(new Plot.Band("fin", 2, 3.2, false));
    }

    @Test
    void withoutTimeLinesThereIsNothing() {
        CourseView course = course(Contestant.of("x", Role.OURS, Map.of(), List.of()));

        assertThat(TimePlots.of(course).plots()).isEmpty();
        assertThat(TimeBands.of(course).bands()).isEmpty();
    }

    private static Contestant contestant(String name, Role role, Fault fault) {
        TimeLine line = new TimeLine(0, List.of(1.0, 2.0), Map.of("tps", List.of(1.0, 2.0)), List.of(fault), null);
        return Contestant.of(name, role, Map.of(), List.of()).drawn(Map.of(), line);
    }

    private static CourseView course(Contestant... contestants) {
        List<Contestant> all = List.of(contestants);
        return new CourseView("c0", null, null, all, LineStyle.of(all), List.of());
    }
}
