package dev.penstock.gateway.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code status}: where the outcomes of transactions that pass a queue are stored. */
final class StatusReader {
    private static final String EXAMPLE = "status: { keep: 24h }";
    private static final Keys STATUS = Keys.of("status", "store", "keep", "max_answer")
            .aliases(Map.of(
                    "ttl",
                    "keep",
                    "time",
                    "keep",
                    "for",
                    "keep",
                    "max_body",
                    "max_answer",
                    "ledger",
                    "store",
                    "database",
                    "store",
                    "in",
                    "store"));
    private static final DurationRange KEEP = new DurationRange("1s", "366d");

    private StatusReader() {}

    static @Nullable StatusConfig read(@Nullable ConfigValue value) {
        if (value == null) {
            return null;
        }
        if (value.is("off") || value.is("false")) {
            return new StatusConfig.Off(value.location());
        }
        if (!value.isMapping()) {
            value.refuse("must be off or a mapping, but this is " + value.kind(), "write for instance " + EXAMPLE);
            return null;
        }
        ConfigMapping status = value.mapping(STATUS, EXAMPLE);
        if (status == null) {
            return null;
        }
        Configured<DedupeStore> store = status.ifGiven("store", DedupeReader::store);
        return new StatusConfig.Stored(
                value.location(),
                store == null ? Configured.byDefault(new DedupeStore.Embedded()) : store,
                status.duration("keep", StatusConfig.DEFAULT_KEEP, KEEP),
                status.size("max_answer", StatusConfig.DEFAULT_MAX_ANSWER, "0B", "16MB"));
    }
}
