package dev.penstock.cli;

import dev.penstock.lab.datagram.DatagramResult;
import dev.penstock.lab.measure.LoadResult;
import java.util.List;
import java.util.Map;

/**
 * A load that is over, whatever it was of.
 *
 * @param load what came of it
 * @param metrics its numbers
 * @param notes what else there is to say
 */
record Loaded(LoadResult load, Map<String, Double> metrics, List<String> notes) {
    static Loaded of(LoadResult result) {
        return new Loaded(result, result.metrics(), List.of());
    }

    static Loaded of(DatagramResult result) {
        return new Loaded(result.load(), result.metrics(), result.notes());
    }
}
