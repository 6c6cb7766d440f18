package dev.penstock.gateway.admin;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Levels without loggers, for gateways of tests. */
public final class TestLogLevels implements LogLevels {
    private final Map<String, String> levels = new ConcurrentHashMap<>();

    @Override
    public Map<String, String> own() {
        return levels;
    }

    @Override
    public String of(String logger) {
        return levels.getOrDefault(logger, "INFO");
    }

    @Override
    public void set(String logger, @Nullable String level) {
        if ("LOUD".equals(level)) {
            throw new IllegalArgumentException("no such level");
        }
        levels.put(logger, level == null ? "INFO" : level);
    }
}
