package dev.penstock.lab.page;

import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.measure.TimeLine.Fault;
import dev.penstock.lab.report.Contestant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ranges shaded in the time plots of a course.
 *
 * <p>Contestants run at different times, so each had its faults in its own blocks. If all had the same faults at nearly
 * the same time since the start, they are shaded once, from the earliest start to the latest end. Otherwise the faults
 * of one contestant are shaded, and the page names it.
 *
 * @param bands in chronological order
 * @param kinds the distinct kinds of faults
 * @param warmUpSeconds the longest warm-up
 * @param whose the contestant whose faults are shown when others had theirs at other times; null when all had the same
 */
record TimeBands(
        List<Plot.Band> bands,
        Set<String> kinds,
        double warmUpSeconds,
        @Nullable String whose) {
    /** Faults of two blocks count as the same when their starts and ends differ by at most this, in seconds. */
    private static final double TOGETHER = 1;

    /** The bands of a course; none without a time line. */
    static TimeBands of(CourseView course) {
        List<Contestant> timed = course.contestants().stream()
                .filter(contestant -> contestant.timeLine() != null)
                .sorted(Comparator.comparing(contestant -> contestant.role() != Contestant.Role.OURS))
                .toList();
        List<TimeLine> lines = timed.stream()
                .map(Contestant::timeLine)
                .filter(Objects::nonNull)
                .toList();
        if (lines.isEmpty()) {
            return new TimeBands(List.of(), Set.of(), 0, null);
        }
        List<List<Fault>> met =
                lines.stream().map(line -> inOrder(line.faults())).toList();
        List<Fault> first = met.getFirst();
        boolean alike = met.stream().allMatch(faults -> areAlike(first, faults));
        double warmUp =
                lines.stream().mapToDouble(TimeLine::warmUpSeconds).max().orElse(0);
        return alike
                ? of(met.stream().reduce(first, TimeBands::joined), warmUp, null)
                : of(first, warmUp, timed.getFirst().name());
    }

    private static TimeBands of(List<Fault> faults, double warmUp, @Nullable String whose) {
        List<Plot.Band> bands = new ArrayList<>();
        if (warmUp > 0) {
            bands.add(new Plot.Band("warm-up", 0, warmUp, true));
        }
        Set<String> kinds = new LinkedHashSet<>();
        for (Fault fault : faults) {
            kinds.add(fault.kind());
            bands.add(new Plot.Band(fault.kind(), fault.from(), fault.to(), false));
        }
        return new TimeBands(List.copyOf(bands), kinds, warmUp, whose);
    }

    private static List<Fault> inOrder(List<Fault> faults) {
        return faults.stream().sorted(Comparator.comparingDouble(Fault::from)).toList();
    }

    private static boolean areAlike(List<Fault> some, List<Fault> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            Fault one = some.get(i);
            Fault other = others.get(i);
            if (!one.kind().equals(other.kind())
                    || Math.abs(one.from() - other.from()) > TOGETHER
                    || Math.abs(one.to() - other.to()) > TOGETHER) {
                return false;
            }
        }
        return true;
    }

    private static List<Fault> joined(List<Fault> some, List<Fault> others) {
        List<Fault> joined = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) {
            Fault one = some.get(i);
            Fault other = others.get(i);
            joined.add(new Fault(one.kind(), Math.min(one.from(), other.from()), Math.max(one.to(), other.to())));
        }
        return joined;
    }
}
