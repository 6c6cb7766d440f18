package dev.penstock.http.source;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Catches what is logged under a name, as warning or worse. */
final class LogCatcher implements AutoCloseable {
    private final Logger logger;
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                warnings.add(entry.getLoggerName() + ": " + entry.getMessage() + " " + entry.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    LogCatcher(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(handler);
    }

    List<String> warnings() {
        return warnings;
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
