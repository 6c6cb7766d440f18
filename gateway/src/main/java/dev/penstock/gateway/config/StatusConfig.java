package dev.penstock.gateway.config;

import dev.penstock.Dedupe;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether and how long the outcomes of transactions are stored that are answered before they are processed. */
public sealed interface StatusConfig {
    /** The default: {@link Dedupe#DEFAULT_KEEP}. */
    Stored DEFAULT = new Stored(Configured.byDefault(Dedupe.DEFAULT_KEEP));

    /** The key {@code status} of a flow. */
    Key<StatusConfig> KEY = Key.of(
                    "status",
                    KeyType.durationOr(Pattern.compile("off"), "1s..366d", StatusConfig::read)
                            .orWords("off", "false"),
                    "how long the outcome of a transaction that passes a queue is kept after its ending")
            .without(Durations.write(Dedupe.DEFAULT_KEEP));

    /** Location in the file. */
    FileLocation location();

    /**
     * Not stored.
     *
     * @param location where it is in the file
     */
    record Off(FileLocation location) implements StatusConfig {}

    /**
     * In the store of the gateway.
     *
     * @param keep the retention after the ending; 1 s to 366 d, default 24 h
     */
    record Stored(Configured<Duration> keep) implements StatusConfig {
        @Override
        public FileLocation location() {
            return keep.location();
        }
    }

    private static @Nullable StatusConfig read(ConfigValue value) {
        if (value.is("off") || value.is("false")) {
            return new Off(value.location());
        }
        if (value.isMapping()) {
            value.refuse(
                    "must be a duration or off, but this is a mapping",
                    "write for instance status: 24h; the key store at the top of the file says where");
            return null;
        }
        Duration keep = value.duration("1s", "366d");
        return keep == null ? null : new Stored(Configured.fromFile(keep, value.location()));
    }
}
