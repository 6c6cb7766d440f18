package dev.penstock.gateway.config;

import java.time.Duration;

/** Whether, and where, it is kept what became of transactions that were answered before they were carried. */
public sealed interface StatusConfig {
    /** For how long, while the file does not say: {@value}. */
    String DEFAULT_KEEP = "24h";

    /** How many bytes of a reply, while the file does not say: {@value}. */
    String DEFAULT_MAX_ANSWER = "64KB";

    /** In the file beside the state, as by default. */
    Kept STANDARD = new Kept(
            FileLocation.NOWHERE,
            Configured.byDefault(new DedupeStore.Embedded()),
            Configured.byDefault(DurationRange.time(DEFAULT_KEEP)),
            Configured.byDefault(ConfigValue.bytes(DEFAULT_MAX_ANSWER)));

    /** Where the file says so. */
    FileLocation place();

    /**
     * Not at all.
     *
     * @param place where the file says so
     */
    record Off(FileLocation place) implements StatusConfig {}

    /**
     * In a ledger of keys.
     *
     * @param place where the file says so
     * @param store which one; a file in the state folder unless given
     * @param keep for how long after the ending; 1 s to 366 d, default 24 h
     * @param maxAnswer how many bytes of the target's reply; 0 to 16 MB, default 64 KB
     */
    record Kept(FileLocation place, Configured<DedupeStore> store, Configured<Duration> keep, Configured<Long> maxAnswer)
            implements StatusConfig {}
}
