package dev.penstock.cli;

import dev.penstock.lab.datagram.DatagramResult;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.AnswerCount;
import java.util.List;
import java.util.Map;

/**
 * The result of a load of any kind.
 *
 * @param load the result
 * @param metrics the metrics
 * @param notes additional remarks
 * @param answers HTTP answers by status code; empty for other targets
 */
record LoadOutcome(LoadResult load, Map<String, Double> metrics, List<String> notes, List<AnswerCount> answers) {
    static LoadOutcome of(LoadResult result, List<AnswerCount> answers) {
        return new LoadOutcome(result, result.metrics(), List.of(), answers);
    }

    static LoadOutcome of(DatagramResult result) {
        return new LoadOutcome(result.load(), result.metrics(), result.notes(), List.of());
    }
}
