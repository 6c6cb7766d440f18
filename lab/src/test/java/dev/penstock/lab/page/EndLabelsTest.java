package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.page.EndLabels.EndLabel;
import dev.penstock.lab.page.EndLabels.PlacedLabel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EndLabelsTest {
    static final double HEIGHT = 150;
    private static final double GAP = 13;

    @Property
    void noNameCoversAnotherOrLeavesThePlotOrStandsFarFromItsLine(
            @ForAll @Size(max = 20) List<@DoubleRange(max = HEIGHT) Double> ends) {
        List<PlacedLabel> placed = EndLabels.place(labels(ends), HEIGHT, GAP, Integer.MAX_VALUE);

        for (int i = 0; i < placed.size(); i++) {
            assertThat(placed.get(i).y()).isBetween(-1e-6, HEIGHT + 1e-6);
            if (placed.size() > 1) {
                assertThat(Math.abs(placed.get(i).y() - placed.get(i).label().end()))
                        .isLessThanOrEqualTo(EndLabels.MAX_DISTANCE * GAP + 1e-6);
            }
            if (i > 0) {
                assertThat(placed.get(i).y() - placed.get(i - 1).y()).isGreaterThanOrEqualTo(GAP - 1e-6);
            }
        }
        assertThat(placed.stream().map(one -> one.label().end())).isSortedAccordingTo(Comparator.naturalOrder());
    }

    @Property
    void theFirstInRankAlwaysHasAName(@ForAll @Size(min = 1, max = 20) List<@DoubleRange(max = HEIGHT) Double> ends) {
        assertThat(EndLabels.place(labels(ends), HEIGHT, GAP, Integer.MAX_VALUE))
                .anyMatch(placed -> placed.label().rank() == 0);
    }

    @Test
    void namesWithRoomStandAtTheirLines() {
        assertThat(EndLabels.place(labels(List.of(100.0, 20.0)), HEIGHT, GAP, 9).stream()
                        .map(PlacedLabel::y))
                .containsExactly(20.0, 100.0);
    }

    @Test
    void namesThatMeetShareTheRoomAround() {
        assertThat(EndLabels.place(labels(List.of(50.0, 50.0)), HEIGHT, GAP, 9).stream()
                        .map(PlacedLabel::y))
                .containsExactly(43.5, 56.5);
    }

    @Test
    void whereLinesEndCloseTogetherTheLeastOfThemStayNameless() {
        List<Double> ends = List.of(100.0, 20.0, 145.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0);
        assertThat(EndLabels.place(labels(ends), HEIGHT, GAP, 99))
                .extracting(placed -> placed.label().rank())
                .startsWith(1)
                .contains(0, 3)
                .doesNotContain(8)
                .endsWith(2);
    }

    @Test
    void noMoreNamesThanAsked() {
        assertThat(EndLabels.place(labels(List.of(10.0, 40.0, 70.0)), HEIGHT, GAP, 2))
                .extracting(placed -> placed.label().rank())
                .containsExactly(0, 1);
    }

    private static List<EndLabel> labels(List<Double> ends) {
        List<EndLabel> labels = new ArrayList<>();
        for (double end : ends) {
            labels.add(new EndLabel(
                    new PlotLine("", new LineStyle(""), 0, false, List.of(), List.of()), end, labels.size()));
        }
        return labels;
    }
}
