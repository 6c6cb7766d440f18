package dev.penstock.cli.probe;

import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The findings as Java code that builds an Apache HttpClient 5. Stateless. Its stale check before use detects a close
 * or a reset and costs up to 1 ms; it does not detect silently dropped connections, so they must be closed earlier.
 */
public final class HttpClientLines {
    private static final long DEFAULT_VALIDATE_AFTER = 2_000;

    private HttpClientLines() {}

    /** The lines of Java code, with reasons as comments. */
    public static List<String> of(ProbeFindings findings) {
        PoolFacts facts = new PoolFacts(findings);
        Duration kill = facts.kill();
        List<String> lines = new ArrayList<>();
        lines.add("ConnectionConfig connections = ConnectionConfig.custom()");
        add(lines, ".setConnectTimeout(Timeout.ofSeconds(2))", "the default is 3 min");
        add(
                lines,
                ".setSocketTimeout(Timeout.ofMilliseconds("
                        + facts.answerTimeout().toMillis() + "))",
                "default none; the slowest answer took " + Durations.format(facts.slowest()));
        add(
                lines,
                ".setValidateAfterInactivity(TimeValue.ofMilliseconds("
                        + (kill == null
                                ? DEFAULT_VALIDATE_AFTER
                                : Math.min(DEFAULT_VALIDATE_AFTER, PoolFacts.part(kill, 0.1)))
                        + "))",
                kill == null ? facts.whyKill() : "a close received while idle is detected before use");
        lines.add("        .build();");
        lines.add("PoolingHttpClientConnectionManager pool = PoolingHttpClientConnectionManagerBuilder.create()");
        lines.add("        .setDefaultConnectionConfig(connections)");
        facts.size()
                .ifPresentOrElse(
                        size -> {
                            add(lines, ".setMaxConnPerRoute(" + size + ")", facts.whySize());
                            add(lines, ".setMaxConnTotal(" + size + ")", "more if the client has other hosts too");
                        },
                        () -> lines.add("        // setMaxConnPerRoute stays at its default, 5: " + facts.whySize()));
        lines.add("        .build();");
        lines.add("CloseableHttpClient client = HttpClients.custom()");
        lines.add("        .setConnectionManager(pool)");
        if (kill != null) {
            add(
                    lines,
                    ".setKeepAliveStrategy((answer, context) -> TimeValue.ofMilliseconds(" + PoolFacts.part(kill, 0.8)
                            + "))",
                    facts.whyKill() + ": no connection is reused after 0.8 of that time");
            add(
                    lines,
                    ".evictIdleConnections(TimeValue.ofMilliseconds(" + PoolFacts.part(kill, 0.5) + "))",
                    "idle connections are closed after half of it");
        }
        lines.add("        .build();");
        return List.copyOf(lines);
    }

    private static void add(List<String> lines, String code, String why) {
        lines.add("        // " + why);
        lines.add("        " + code);
    }
}
