package dev.penstock.cli;

import dev.penstock.lab.probe.Recommendation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Kinds of targets of loads and probes, and the options of each. */
@SuppressWarnings("ImmutableEnumChecker") // the sets are copies
enum TargetKind {
    HTTP(
            "https?://.*",
            "http://127.0.0.1:8080/v1",
            Recommendation.To.HTTP,
            Set.of("--method", "--body", "--header", "--request", "--batch-url", "--batch-format")),
    JDBC(
            "jdbc:.*",
            "jdbc:postgresql://localhost/test",
            Recommendation.To.JDBC,
            Set.of("--statement", "--batch", "--for-hikari", "--lib")),
    JMS(
            "jms:.*",
            "jms:tcp://127.0.0.1:61616",
            Recommendation.To.BROKER,
            Set.of("--queue", "--body", "--batch", "--lib")),
    KAFKA("kafka:.*", "kafka:127.0.0.1:9092", Recommendation.To.BROKER, Set.of("--topic", "--body")),
    TCP("tcp://.*", "tcp://127.0.0.1:5432", null, Set.of("--send")),
    UDP("udp:.*", "udp://127.0.0.1:9000", null, Set.of("--size", "--find", "--with", "--check", "--max-burst"));

    private final String pattern;
    private final String example;
    private final Recommendation.@Nullable To to;
    private final Set<String> options;

    TargetKind(String pattern, String example, Recommendation.@Nullable To to, Set<String> options) {
        this.pattern = "(?is)" + pattern;
        this.example = example;
        this.to = to;
        this.options = options;
    }

    /**
     * The kind of a target.
     *
     * @throws IllegalArgumentException unknown kind, with a one-line remedy
     */
    static TargetKind of(String target) {
        return Arrays.stream(values())
                .filter(kind -> target.matches(kind.pattern))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + LoadTarget.withoutSecrets(target)
                        + "\" is not a target: use http(s)://..., jdbc:..., jms:tcp://HOST:PORT, kafka:HOST:PORT, tcp://HOST:PORT or"
                        + " udp://HOST:PORT"));
    }

    /** The kind of {@code to:} in a flow file; null where flows have no such target. */
    Recommendation.@Nullable To to() {
        return to;
    }

    /**
     * Rejects options of other kinds.
     *
     * @throws IllegalArgumentException an option is for other kinds, with a one-line remedy
     */
    void check(ParseResult given) {
        for (OptionSpec option : given.matchedOptions()) {
            List<TargetKind> kinds = Arrays.stream(values())
                    .filter(kind -> kind.options.contains(option.longestName()))
                    .toList();
            if (!kinds.isEmpty() && !kinds.contains(this)) {
                String names = kinds.stream()
                        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(" or "));
                throw new IllegalArgumentException("%s is for %s %s target: remove it, or give for instance %s"
                        .formatted(
                                option.longestName(),
                                kinds.contains(HTTP) ? "an" : "a",
                                names,
                                kinds.getFirst().example));
            }
        }
    }
}
