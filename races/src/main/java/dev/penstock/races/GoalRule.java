package dev.penstock.races;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import java.util.List;
import java.util.stream.Stream;

/** What a contestant must achieve, defined before the course ran. Nothing is judged where a metric was not measured. */
@FunctionalInterface
public interface GoalRule {
    /** The result of one contestant; empty when it was not measured. */
    Stream<Goal> check(GoalFigures figures, Contestant contestant);

    /** See {@link GoalFigures#least}. */
    static GoalRule least(String key, double least) {
        return (figures, contestant) -> figures.least(contestant, key, least);
    }

    /** See {@link GoalFigures#most}. */
    static GoalRule most(String key, double most) {
        return (figures, contestant) -> figures.most(contestant, key, most);
    }

    /** See {@link GoalFigures#none}. */
    static GoalRule none(String... keys) {
        return (figures, contestant) -> figures.none(contestant, List.of(keys));
    }

    /** See {@link GoalFigures#times}. */
    static GoalRule times(String key, String others, double times) {
        return (figures, contestant) -> figures.times(contestant, key, others, times);
    }

    /** See {@link GoalFigures#atMostTimes}; the other has the same metric. */
    static GoalRule atMostTimes(String key, double times, String other) {
        return (figures, contestant) -> figures.atMostTimes(contestant, key, times, other, key);
    }
}
