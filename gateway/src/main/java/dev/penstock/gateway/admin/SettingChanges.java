package dev.penstock.gateway.admin;

import dev.penstock.Setting;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.WatchedFlow;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins and unpins settings, with a line in the log and in the audit file for each change. Thread-safe.
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
        if (audit != null) {
            try {
                audit.add(by, change, flow.name(), now.name(), before, now.value());
            } catch (IOException unwritable) {
                LOG.error("the line above is missing in the audit file", unwritable);
                throw new IOException(
                        "the setting was " + change + ", but the audit file cannot be written: " + unwritable,
                        unwritable);
            }
        }
        return now;
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
