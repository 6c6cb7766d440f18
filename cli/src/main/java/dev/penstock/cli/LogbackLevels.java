package dev.penstock.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.penstock.gateway.admin.LogLevels;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The levels of logback's loggers. Thread-safe. */
public final class LogbackLevels implements LogLevels {
    private final LoggerContext logs = (LoggerContext) LoggerFactory.getILoggerFactory();
    /** The own levels, at the start, of the loggers that were changed since. */
    private final Map<String, Optional<Level>> first = new HashMap<>();

    /** For the gateway, which loads it as a service. */
    public LogbackLevels() {}

    @Override
    public Map<String, String> own() {
        return logs.getLoggerList().stream()
                .filter(logger -> logger.getLevel() != null)
                .collect(Collectors.toMap(
                        Logger::getName, logger -> logger.getLevel().toString()));
    }

    @Override
    public String of(String logger) {
        return logs.getLogger(logger).getEffectiveLevel().toString();
    }

    @Override
    public synchronized void set(String name, @Nullable String level) {
        Logger logger = logs.getLogger(name);
        Optional<Level> before = first.getOrDefault(name, Optional.ofNullable(logger.getLevel()));
        if (level == null) {
            logger.setLevel(before.orElse(null));
            return;
        }
        Level wanted = Level.toLevel(level, null);
        if (wanted == null) {
            throw new IllegalArgumentException("a level is OFF, ERROR, WARN, INFO, DEBUG or TRACE");
        }
        first.put(name, before);
        logger.setLevel(wanted);
    }
}
