package dev.penstock.gateway.admin;

import dev.penstock.Setting;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.text.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins and unpins settings, and sets the levels of loggers, with a line in the log and in the audit file for each change. Thread-safe.
 *
 * @param audit null for none
 */
public record SettingChanges(@Nullable AuditFile audit) {
    private static final Logger LOG = LoggerFactory.getLogger(SettingChanges.class);

    /** Changes that are logged only. */
    public static SettingChanges logged() {
        return new SettingChanges(null);
    }

    /**
     * Pins a setting, or unpins it.
     *
     * @param value the new value; null to unpin
     * @param by who asks
     * @throws IllegalArgumentException the setting cannot have this value; the message says what to do
     * @throws IOException the setting was changed, but the audit file cannot be written
     */
    Setting change(WatchedFlow flow, String name, @Nullable String value, String by) throws IOException {
        String before = flow.snapshot().setting(name).map(Setting::value).orElse("");
        Setting now = value == null ? flow.unpin(name) : flow.pin(name, value, by);
        String change = value == null ? "unpinned" : "pinned";
        LOG.info("flow {}: {} {} by {}, from {} to {}", flow.name(), now.name(), change, by, before, now.value());
        Map<String, Object> of = Json.object("flow", flow.name(), "setting", now.name());
        audit("setting", by, change, of, before, now.value());
        return now;
    }

    /**
     * Sets the level of a logger, and returns it.
     *
     * @param level null for that at the start
     * @param by who asks
     * @throws IllegalArgumentException there is no such level; the message says what to do
     * @throws IOException the level was set, but the audit file cannot be written
     */
    String change(LogLevels levels, String logger, @Nullable String level, String by) throws IOException {
        String before = levels.of(logger);
        levels.set(logger, level);
        String now = levels.of(logger);
        String change = level == null ? "reset" : "set";
        LOG.info("logger {}: level {} by {}, from {} to {}", logger, change, by, before, now);
        audit("level", by, change, Json.object("logger", logger), before, now);
        return now;
    }

    /**
     * Notes that the flow file was read again.
     *
     * @throws IOException the audit file cannot be written
     */
    public void reloaded(String by, int before, int now, List<String> changes) throws IOException {
        audit(
                "flow file",
                by,
                "reloaded",
                Json.object("changes", changes),
                "generation " + before,
                "generation " + now);
    }

    private void audit(String what, String by, String change, Map<String, Object> of, String from, String to)
            throws IOException {
        if (audit != null) {
            try {
                audit.add(by, change, of, from, to);
            } catch (IOException unwritable) {
                LOG.error("the line above is missing in the audit file", unwritable);
                throw new IOException(
                        "the " + what + " was " + change + ", but the audit file cannot be written: " + unwritable,
                        unwritable);
            }
        }
    }

    /** The flow, whose changes by JMX go through this. */
    public WatchedFlow byJmx(WatchedFlow flow) {
        return new WatchedFlow() {
            @Override
            public String name() {
                return flow.name();
            }

            @Override
            public FlowSnapshot snapshot() {
                return flow.snapshot();
            }

            @Override
            public Setting pin(String setting, String value, String by) {
                return jmx(flow, setting, value);
            }

            @Override
            public Setting unpin(String setting) {
                return jmx(flow, setting, null);
            }
        };
    }

    private Setting jmx(WatchedFlow flow, String setting, @Nullable String value) {
        try {
            return change(flow, setting, value, "JMX");
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
