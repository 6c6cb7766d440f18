package dev.penstock.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Writes a log line as a JSON object with the fields of the Elastic Common Schema (ECS). Logback's own encoder has fields of its own. */
final class EcsEncoder extends EncoderBase<ILoggingEvent> {
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
