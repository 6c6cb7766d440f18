package dev.penstock.cli.find;

import dev.penstock.observe.TransactionLog;
import dev.penstock.text.Uuid7;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Which transactions are wanted. Each part may be null for any.
 *
 * @param text the id of a transaction or trace, a key, or the hash of a key
 * @param hash the hash that a record has if the text is a key
 */
public record Wanted(
        @Nullable String text,
        @Nullable String hash,
        @Nullable String flow,
        @Nullable String ending,
        @Nullable Duration since) {
    /** As above; the {@code instance} of a problem document is an id. */
    public static Wanted of(
            @Nullable String given, @Nullable String flow, @Nullable String ending, @Nullable Duration since) {
        String text = given == null ? null : Uuid7.ofUrn(given);
        return new Wanted(text, text == null ? null : TransactionLog.hash(text), flow, ending, since);
    }

    /** Whether a line of a file may be a record of one; quick. */
    boolean mayBe(String line) {
        return text == null || hash == null || line.contains(text) || line.contains(hash);
    }

    boolean is(JsonNode record) {
        return (text == null || isNamed(record))
                && (flow == null || flow.equals(text(record, "flow")))
                && (ending == null || ending.equals(text(record, "ending")))
                && (since == null || !at(record).isBefore(Instant.now().minus(since)));
    }

    private boolean isNamed(JsonNode record) {
        String key = text(record, "key");
        return text(record, "id").equals(text)
                || text(record, "trace").equals(text)
                || key.equals(text)
                || key.equals(hash);
    }

    static Instant at(JsonNode record) {
        try {
            return Instant.parse(text(record, "at"));
        } catch (DateTimeParseException none) {
            return Instant.EPOCH;
        }
    }

    static String text(JsonNode of, String name) {
        return of.path(name).asString("");
    }

    /** The page of an admin server with them. */
    String page() {
        StringJoiner page = new StringJoiner("&", "transactions?", "");
        add(page, "q", text);
        add(page, "flow", flow);
        add(page, "ending", ending);
        add(page, "since", since == null ? null : since.toMillis() + "ms");
        return page.toString();
    }

    private static void add(StringJoiner page, String name, @Nullable String value) {
        if (value != null) {
            page.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
    }
}
