package dev.penstock.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.penstock.supervise.ThreadWatch;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import tools.jackson.databind.json.JsonMapper;

/**
 * Configures logging to standard error, as text or JSON. Configured in code, so that no XML is read at start. Warnings
 * and errors logged with java.util.logging go the same way; lower levels are dropped, because the HTTP server logs
 * every start and stop of a port, which the commands report themselves.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
    /** The format of log lines. */
    enum Format {
        TEXT,
        JSON
    }

    private static final String LINE = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %msg";
    private static final String WITH_TRACE = LINE + "%n%ex";

    /**
     * Only the first cause, in the same line: any client can trigger log lines of the HTTP server, so stack traces
     * would be noise.
     */
    private static final String WITH_CAUSE = LINE + "%replace(%rEx{short}){'(?s)^(.+?)[\\r\\n].*$', ': $1'}%n%nopex";

    /** For logback, which loads it as a service. */
    public LogSetup() {}

    @Override
    public ExecutionStatus configure(LoggerContext logs) {
        attach(logs, Format.TEXT, false);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Sets the format of all further log lines; stack traces in text are optional. */
    static void use(Format format, boolean traces) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logs) {
            logs.reset();
            attach(logs, format, traces);
        }
        bridge();
    }

    private static void attach(LoggerContext logs, Format format, boolean traces) {
        ConsoleAppender<ILoggingEvent> appender = new StandardError();
        appender.setContext(logs);
        appender.setTarget("System.err");
        appender.setEncoder(encoder(logs, format, traces));
        appender.start();
        ch.qos.logback.classic.Logger root = logs.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        logs.getLogger("penstock").setLevel(Level.INFO);
        logs.getLogger("dev.penstock").setLevel(Level.INFO);
        quieten(logs);
    }

    /**
     * Silences the broker, which warns about each queue it creates without a dead-letter address, which our sources do
     * not need, and the JMS clients, which log every lost or failed connection with a stack trace, which sources and
     * targets report themselves. And the exporter of traces, whose failures the gateway counts, and Jetty's warnings, since
     * each invalid request of a client would be one.
     */
    private static void quieten(LoggerContext logs) {
        logs.getLogger("org.apache.activemq.artemis").setLevel(Level.ERROR);
        logs.getLogger("org.apache.activemq.artemis.core.client").setLevel(Level.OFF);
        logs.getLogger("org.apache.qpid.jms").setLevel(Level.OFF);
        logs.getLogger("io.opentelemetry.exporter").setLevel(Level.OFF);
        logs.getLogger("org.eclipse.jetty").setLevel(Level.ERROR);
    }

    /**
     * For a write to System.err on a virtual thread the JDK may start a thread. Where it cannot, this writes without: a log line
     * must not end what its caller does.
     */
    private static final class StandardError extends ConsoleAppender<ILoggingEvent> {
        @Override
        protected void writeOut(ILoggingEvent event) throws IOException {
            try {
                super.writeOut(event);
            } catch (OutOfMemoryError e) {
                if (!ThreadWatch.isNoThread(e)) {
                    throw e;
                }
                new FileOutputStream(FileDescriptor.err).write(encoder.encode(event));
            }
        }
    }

    static Encoder<ILoggingEvent> encoder(LoggerContext logs, Format format, boolean traces) {
        Encoder<ILoggingEvent> encoder = format == Format.JSON ? new EcsEncoder() : text(traces);
        encoder.setContext(logs);
        encoder.start();
        return encoder;
    }

    private static PatternLayoutEncoder text(boolean traces) {
        PatternLayoutEncoder text = new PatternLayoutEncoder();
        text.setPattern(traces ? WITH_TRACE : WITH_CAUSE);
        return text;
    }

    private static void bridge() {
        java.util.logging.Logger root = LogManager.getLogManager().getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        root.setLevel(java.util.logging.Level.WARNING);
        SLF4JBridgeHandler.install();
    }

    /** Writes a log line as a JSON object with the fields of the Elastic Common Schema (ECS). Logback's own encoder has fields of its own. */
    private static final class EcsEncoder extends EncoderBase<ILoggingEvent> {
        private static final JsonMapper JSON = JsonMapper.shared();
        private static final byte[] NOTHING = new byte[0];

        @Override
        public byte[] headerBytes() {
            return NOTHING;
        }

        @Override
        public byte[] footerBytes() {
            return NOTHING;
        }

        @Override
        public byte[] encode(ILoggingEvent event) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("@timestamp", Instant.ofEpochMilli(event.getTimeStamp()).toString());
            line.put("log.level", event.getLevel().toString());
            line.put("message", event.getFormattedMessage());
            line.put("ecs.version", "1.2.0");
            line.put("service.name", "penstock");
            line.put("process.thread.name", event.getThreadName());
            line.put("log.logger", event.getLoggerName());
            line.putAll(event.getMDCPropertyMap());
            IThrowableProxy failure = event.getThrowableProxy();
            if (failure != null) {
                line.put("error.type", failure.getClassName());
                line.put("error.message", failure.getMessage());
                line.put("error.stack_trace", ThrowableProxyUtil.asString(failure));
            }
            return (JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
        }
    }
}
