package dev.penstock.http.source;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Catches what is logged under a name, as warning or worse. */
final class LogCatcher implements AutoCloseable {
    private final Logger logger;
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                warnings.add(event + " " + event.getThrowableProxy());
            }
        }
    };

    LogCatcher(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        appender.start();
        logger.addAppender(appender);
    }

    List<String> warnings() {
        return warnings;
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
