package dev.penstock.gateway;

import dev.penstock.text.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A version of the flow file that a gateway runs, or ran before. Immutable.
 *
 * @param number counted from 1, the one of the start
 * @param since when it took effect
 * @param by who asked for it
 * @param changes each key that differs from the version before, a line each; none for the first
 * @param flows what became of the flows, a line each
 */
public record Generation(int number, Instant since, String by, List<String> changes, List<String> flows) {
    public Generation {
        changes = List.copyOf(changes);
        flows = List.copyOf(flows);
    }

    /** As JSON objects have it. */
    public Map<String, Object> toMap() {
        return Json.object(
                "generation", number, "since", since.toString(), "by", by, "changes", changes, "flows", flows);
    }
}
