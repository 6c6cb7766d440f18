package dev.penstock.races.overload;

import dev.penstock.lab.race.Scene;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Passes the machine's properties to a contestant.
 *
 * @param measures the properties
 * @param tuned whether the block's contestant uses the tuned bulkhead
 */
record MeasuredScene(MachineCalibration.Measures measures, boolean tuned) implements Scene {
    @Override
    public Map<String, String> parameters() {
        return measures.parameters();
    }

    /**
     * {@code capacity}: answers per second of the stage alone; {@code wait_ms}: the maximum wait of the tuned bulkhead.
     */
    @Override
    public Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("capacity", measures.capacity());
        if (tuned) {
            metrics.put("wait_ms", (double) measures.tuning().maxWait().toMillis());
        }
        return metrics;
    }
}
