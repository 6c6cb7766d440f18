package dev.penstock.gateway.config;

import dev.penstock.Dedupe;
import dev.penstock.gateway.config.DedupeConfig.DedupeStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether and where the outcomes of transactions are stored that are answered before they are processed. */
public sealed interface StatusConfig {
    /** The default: a file beside the state file. */
    Stored DEFAULT = new Stored(
            FileLocation.NOWHERE,
            Configured.byDefault(Stored.STORE.fallback()),
            Configured.byDefault(Stored.KEEP.fallback()),
            Configured.byDefault(Stored.MAX_ANSWER.fallback()));

    /** The key {@code status} of a flow. */
    Key<StatusConfig> KEY = Key.of(
                    "status",
                    KeyType.mapping(Stored.STATUS, StatusConfig::read).orWords("off", "false"),
                    "where the outcomes of transactions are kept that pass a queue")
            .without("beside the state file, for " + Stored.KEEP.whenAbsent());

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
            implements StatusConfig {
        private static final Schema STATUS = Schema.of("status", "status: { keep: 24h }");
        /** Declared here, shown in {@code /settings}. */
        public static final Key<DedupeStore> STORE =
                DedupeConfig.store(STATUS, "where outcomes are kept").alias("ledger database in");
        /** Declared here, shown in {@code /settings}. */
        public static final Key<Duration> KEEP = STATUS.key(
                        "keep", KeyType.duration("1s", "366d"), "how long an outcome is kept after the ending")
                .or(Dedupe.DEFAULT_KEEP)
                .alias("ttl time for");
        /** Declared here, shown in {@code /settings}. */
        public static final Key<Long> MAX_ANSWER = STATUS.key(
                        "max_answer", KeyType.size("0B", "16MB"), "the largest reply that is kept")
                .or((long) Dedupe.DEFAULT_MAX_ANSWER)
                .alias("max_body");
    }

    private static @Nullable StatusConfig read(ConfigValue value) {
        if (value.is("off") || value.is("false")) {
            return new Off(value.location());
        }
        ConfigMapping status = value.mapping(Stored.STATUS, "off");
        return status == null
                ? null
                : new Stored(
                        value.location(),
                        status.get(Stored.STORE),
                        status.get(Stored.KEEP),
                        status.get(Stored.MAX_ANSWER));
    }
}
