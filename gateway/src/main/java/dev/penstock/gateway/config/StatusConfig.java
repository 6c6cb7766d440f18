package dev.penstock.gateway.config;

import dev.penstock.Dedupe;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How long the outcomes of transactions are stored that are answered before they are processed. */
public final class StatusConfig {
    /** They are not stored. */
    public static final Duration OFF = Duration.ZERO;

    /** The key {@code status} of a flow: 1 s to 366 d after the ending, default 24 h, or {@link #OFF}. */
    public static final Key<Duration> KEY = Key.of(
                    "status",
                    KeyType.durationOr(Pattern.compile("off"), "1s..366d", StatusConfig::read)
                            .orWords("off", "false"),
                    "how long the outcome of a transaction that passes a queue is kept after its ending")
            .without(Durations.write(Dedupe.DEFAULT_KEEP));

    private StatusConfig() {}

    private static @Nullable Duration read(ConfigValue value) {
        if (value.is("off") || value.is("false")) {
            return OFF;
        }
        if (value.isMapping()) {
            value.refuse(
                    "must be a duration or off, but this is a mapping",
                    "write for instance status: 24h; the key store at the top of the file says where");
            return null;
        }
        return value.duration("1s", "366d");
    }
}
