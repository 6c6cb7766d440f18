package dev.penstock.cli.probe;

import dev.penstock.Durations;
import dev.penstock.lab.probe.ProbeFindings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The findings as Java code that makes an Apache HttpClient 5. Pure. Its look before use sees a close or a reset, and costs up to
 * 1 ms; what died silently it does not see, so a connection has to go before that.
 */
public final class HttpClientLines {
    private static final int USUAL_SIZE = 25;
    private static final long LOOK_AFTER = 2_000;

    private HttpClientLines() {}

    /** Java lines, each with a comment why. */
    public static List<String> of(ProbeFindings findings) {
        PoolFacts facts = new PoolFacts(findings);
        int size = facts.size().orElse(USUAL_SIZE);
        Duration kill = facts.kill();
        List<String> lines = new ArrayList<>();
        lines.add("ConnectionConfig connections = ConnectionConfig.custom()");
        add(lines, ".setConnectTimeout(Timeout.ofSeconds(2))", "the default is 3 min");
        add(
                lines,
                ".setSocketTimeout(Timeout.ofMilliseconds(" + facts.patience().toMillis() + "))",
                "by default none; the slowest answer took " + Durations.words(facts.slowest()));
        add(
                lines,
                ".setValidateAfterInactivity(TimeValue.ofMilliseconds("
                        + (kill == null ? LOOK_AFTER : Math.min(LOOK_AFTER, PoolFacts.part(kill, 0.1))) + "))",
                kill == null ? facts.whyKill() : "a close that came meanwhile is seen before use");
        lines.add("        .build();");
        lines.add("PoolingHttpClientConnectionManager pool = PoolingHttpClientConnectionManagerBuilder.create()");
        lines.add("        .setDefaultConnectionConfig(connections)");
        add(lines, ".setMaxConnPerRoute(" + size + ")", facts.whySize());
        add(lines, ".setMaxConnTotal(" + size + ")", "more when the client has other hosts too");
        lines.add("        .build();");
        lines.add("CloseableHttpClient client = HttpClients.custom()");
        lines.add("        .setConnectionManager(pool)");
        if (kill != null) {
            add(
                    lines,
                    ".setKeepAliveStrategy((answer, context) -> TimeValue.ofMilliseconds(" + PoolFacts.part(kill, 0.8)
                            + "))",
                    facts.whyKill() + ": no connection is used again after 0.8 of that");
            add(
                    lines,
                    ".evictIdleConnections(TimeValue.ofMilliseconds(" + PoolFacts.part(kill, 0.5) + "))",
                    "idle ones are closed at half of it");
        }
        lines.add("        .build();");
        return List.copyOf(lines);
    }

    private static void add(List<String> lines, String code, String why) {
        lines.add("        // " + why);
        lines.add("        " + code);
    }
}
