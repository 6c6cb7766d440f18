package dev.penstock.gateway.config;

import dev.penstock.observe.Sampling;
import org.jspecify.annotations.Nullable;

/**
 * The records of transactions.
 *
 * @param to where they are written
 * @param sample which transactions get one
 */
public record TransactionsConfig(Configured<To> to, Configured<Sampling> sample) {
    /** Where records are written. */
    public enum To {
        /** Into a file beside the state file. */
        FILE,
        /** To the standard output of the gateway. */
        STDOUT
    }

    private static final Schema KEYS =
            Schema.of("transactions", "transactions: { to: file, sample: \"errors+slow+1%\" }");
    private static final Key<To> TO = KEYS.key(
                    "to",
                    KeyType.oneOf(To.class),
                    "where records are written: transactions.jsonl beside the state file, or the standard output")
            .or(To.FILE);
    private static final Key<Sampling> SAMPLE = KEYS.key(
                    "sample",
                    KeyType.matching(
                            "all, none, or errors, slow and a percentage with + between",
                            Sampling.WRITTEN,
                            TransactionsConfig::sampling),
                    "which transactions get a record: those without an answer or with status 5xx; those slower than 99 % of"
                            + " the last ones; a share")
            .or(Sampling.parse("errors+slow+1%"));

    /** The key {@code transactions} of the file. */
    public static final Key<TransactionsConfig> KEY = Key.of(
                    "transactions",
                    KeyType.keys(KEYS, given -> new TransactionsConfig(given.get(TO), given.get(SAMPLE))),
                    "a record of each sampled transaction, for penstock find")
            .without("none")
            .alias("records trace");

    private static @Nullable Sampling sampling(ConfigValue value) {
        String text = value.text();
        try {
            return text == null ? null : Sampling.parse(text);
        } catch (IllegalArgumentException wrong) {
            value.refuseValue("which does not say which transactions get a record", String.valueOf(wrong.getMessage()));
            return null;
        }
    }
}
