package dev.penstock.races.overload;

import dev.penstock.lab.race.Scene;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells a contestant what was measured of this machine.
 *
 * @param measures what
 * @param tuned whether its bulkhead is for the contestant of this block
 */
record MeasuredScene(MachineCalibration.Measures measures, boolean tuned) implements Scene {
    @Override
    public Map<String, String> parameters() {
        return measures.parameters();
    }

    /** {@code capacity}: answers a second from the stage alone; {@code wait_ms}: the wait of a bulkhead that was set by hand. */
    @Override
    public Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("capacity", measures.capacity());
        if (tuned) {
            metrics.put("wait_ms", (double) measures.tuning().patience().toMillis());
        }
        return metrics;
    }
}
