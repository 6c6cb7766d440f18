package dev.penstock.cli;

import dev.penstock.lab.datagram.DatagramResult;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.AnswerCount;
import java.util.List;
import java.util.Map;

/**
 * A load that is over, whatever it was of.
 *
 * @param load what came of it
 * @param metrics its numbers
 * @param notes what else there is to say
 * @param answers how many answers of each status code there were; empty for anything but HTTP
 */
record LoadOutcome(LoadResult load, Map<String, Double> metrics, List<String> notes, List<AnswerCount> answers) {
    static LoadOutcome of(LoadResult result, List<AnswerCount> answers) {
        return new LoadOutcome(result, result.metrics(), List.of(), answers);
    }

    static LoadOutcome of(DatagramResult result) {
        return new LoadOutcome(result.load(), result.metrics(), result.notes(), List.of());
    }
}
