package dev.penstock.gateway.config;

import dev.penstock.gateway.config.DedupeConfig.DedupeStore;
import dev.penstock.text.Durations;
import java.time.Duration;

/** Whether and where the outcomes of transactions are stored that are answered before they are processed. */
public sealed interface StatusConfig {
    /** The default retention: {@value}. */
    String DEFAULT_KEEP = "24h";

    /** The default maximum size of a stored reply: {@value}. */
    String DEFAULT_MAX_ANSWER = "64KB";

    /** The default: a file beside the state file. */
    Stored DEFAULT = new Stored(
            FileLocation.NOWHERE,
            Configured.byDefault(new DedupeStore.Embedded()),
            Configured.byDefault(Durations.parse(DEFAULT_KEEP)),
            Configured.byDefault(ConfigValue.bytes(DEFAULT_MAX_ANSWER)));

    /** Location in the file. */
    FileLocation location();

    /**
     * Not stored.
     *
     * @param location where it is in the file
     */
    record Off(FileLocation location) implements StatusConfig {}

    /**
     * In an idempotency store.
     *
     * @param location where it is in the file
     * @param store the store; default a file beside the state file
     * @param keep the retention after the ending; 1 s to 366 d, default 24 h
     * @param maxAnswer the largest stored reply in bytes; 0 to 16 MB, default 64 KB
     */
    record Stored(
            FileLocation location, Configured<DedupeStore> store, Configured<Duration> keep, Configured<Long> maxAnswer)
            implements StatusConfig {}
}
