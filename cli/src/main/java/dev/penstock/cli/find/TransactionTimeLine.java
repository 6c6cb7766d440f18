package dev.penstock.cli.find;

import static dev.penstock.cli.find.Wanted.text;

import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;

/** The life of one transaction as a time line. Stateless. */
final class TransactionTimeLine {
    private static final String MS = "_ms";
    private static final Map<String, String> WAITS = Map.of(
            "queue_ms", "waited for a permit",
            "store_ms", "asked the key store",
            "retry_ms", "paused before the next attempt",
            "key_ms", "waited for another request with the same key",
            "status_ms", "asked for the status of the attempt before");
    private static final Map<String, String> PARTS = Map.of(
            "pool", "for a connection",
            "tls", "TLS",
            "wait", "until the first byte",
            "inside", "in Penstock");

    private TransactionTimeLine() {}

    static void of(JsonNode record, StringBuilder to) {
        to.append("%s  flow %s: %s after %s\n"
                .formatted(Wanted.at(record), text(record, "flow"), outcome(record), ms(record.path("ms"))));
        StringJoiner names = new StringJoiner(", ", "  ", "\n");
        for (String name : new String[] {"id", "trace", "caller", "key"}) {
            if (record.has(name)) {
                names.add((name.equals("key") ? "hash of the key" : name) + " " + printable(text(record, name)));
            }
        }
        to.append(names);
        attempts(record, to);
        for (JsonNode batch : record.path("batches")) {
            at(batch, to).append("sent in batch ").append(text(batch, "id")).append(" of ");
            to.append(batch.path("size").asInt()).append(" requests\n");
            attempts(batch, to);
        }
        waits(record, record.path("ms").asDouble(), to);
        at(record.path("ms").asDouble(), to).append("ended: ").append(outcome(record));
        String reason = printable(text(record, "reason"));
        to.append(reason.isEmpty() ? "" : ": " + reason).append("\n\n");
    }

    private static void attempts(JsonNode of, StringBuilder to) {
        int number = 0;
        for (JsonNode attempt : of.path("attempts")) {
            waits(attempt, attempt.path("at_ms").asDouble(), to);
            at(attempt, to).append("attempt ").append(++number).append(": ");
            to.append(attempt.has("ms") ? outcome(attempt) + " after " + ms(attempt.path("ms")) : "had not ended");
            to.append('\n');
            attempt.path("exchanges").forEach(exchange -> exchange(exchange, to));
        }
    }

    /** Waits end where something else begins. */
    private static void waits(JsonNode of, double end, StringBuilder to) {
        of.properties().forEach(each -> {
            String words = WAITS.get(each.getKey());
            if (words != null) {
                at(end - each.getValue().asDouble(), to).append("%s %s\n".formatted(words, ms(each.getValue())));
            }
        });
    }

    private static void exchange(JsonNode exchange, StringBuilder to) {
        StringJoiner parts = new StringJoiner(", ");
        exchange.properties().forEach(each -> {
            if (each.getKey().endsWith(MS)) {
                String part = each.getKey().substring(0, each.getKey().length() - MS.length());
                parts.add(PARTS.getOrDefault(part, part) + " " + ms(each.getValue()));
            } else if (each.getValue().isNumber()) {
                parts.add(each.getValue().asLong() + " bytes " + each.getKey());
            }
        });
        to.append(" ".repeat(14)).append("%s: %s\n".formatted(printable(text(exchange, "address")), parts));
    }

    private static String outcome(JsonNode of) {
        int status = of.path("status").asInt(0);
        String cause = text(of, "cause");
        String ending = of.has("exception") ? "exception " + text(of, "exception") : text(of, "ending");
        return (ending.isEmpty() ? "answered" : printable(ending))
                + (cause.isEmpty() ? "" : " (" + printable(cause) + ")")
                + (status > 0 ? " with status " + status : "");
    }

    private static StringBuilder at(JsonNode of, StringBuilder to) {
        return at(of.path("at_ms").asDouble(), to);
    }

    private static StringBuilder at(double millis, StringBuilder to) {
        return to.append(String.format(Locale.ROOT, "%,10.1f ms  ", Math.max(0, millis)));
    }

    private static String ms(JsonNode millis) {
        return String.format(Locale.ROOT, "%,.1f ms", millis.asDouble());
    }

    /** Removes control characters, so that data from the network cannot control the terminal. */
    static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
