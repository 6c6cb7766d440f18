package dev.penstock.lab.probe;

import dev.penstock.lab.probe.Recommendation.To;
import dev.penstock.lab.report.ProbeNote.Setting;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recommended settings as text, each with its reason as a comment above it: a flow file, or the properties of a HikariCP
 * pool. For one thread.
 *
 * <h2>Design note</h2>
 *
 * <p>HikariCP validates a connection before use, unless it was used in the last 500 ms. That protects callers from dead
 * connections, but each dead one costs the validation timeout, and a caller may find several in a row. Keepalive
 * prevents idle kills, but its minimum is 30 s. For a kill time between that and a minute a short lifetime helps; below,
 * only validation does.
 */
public final class SettingsText {
    private static final int WIDTH = 110;

    private static final Pattern TIME = Pattern.compile("(\\d{1,9})\\s*(ms|s|min|h|d)");
    private static final long MIN_KEEPALIVE = 30_000;
    private static final long MIN_LIFETIME = 30_000;
    private static final long MIN_IDLE = 10_000;
    private static final long MIN_VALIDATION = 250;
    private static final long MAX_KEEPALIVE = 600_000;
    private static final long CONNECT_MILLIS = 5_000;
    private static final long BYPASS = 500;
    private static final long MIN_SOCKET_TIMEOUT = 10_000;
    private static final int DEFAULT_SIZE = 10;

    private final Recommendation recommended;
    private final List<String> lines = new ArrayList<>();

    private SettingsText(Recommendation recommended) {
        this.recommended = recommended;
    }

    /**
     * A flow file with these settings.
     *
     * @param name of the flow
     * @param from the value of {@code from:}, on one line, for instance <code>{ http: { port: 8080, path: /v1
     *     } }</code>
     * @param target the value of {@code to:}, on one line
     * @param batchUrl the URL for batches, of targets that have one; empty for others: an HTTP flow without it does not
     *     collapse, and a comment says so
     * @return its lines
     */
    public static List<String> yaml(
            Recommendation recommended, String name, String from, String target, String batchUrl) {
        SettingsText text = new SettingsText(recommended);
        text.lines.addAll(List.of("flows:", "  " + name + ":", "    from: " + from, "    to: " + target));
        String group = "";
        for (Setting setting : recommended.advice()) {
            group = text.setting(setting, group, batchUrl);
        }
        return text.lines;
    }

    /** Adds a setting, and its group unless that is the last one; returns its group. */
    private String setting(Setting setting, String last, String batchUrl) {
        int dot = setting.name().indexOf('.');
        String group = setting.name().substring(0, Math.max(0, dot));
        boolean byUrl = recommended.to() == To.HTTP && group.equals("collapse");
        if (byUrl && batchUrl.isEmpty()) {
            comment("    ", "collapse: { url: ..., max: " + setting.value() + " } would pay: " + setting.reason());
            return last;
        }
        if (!group.isEmpty() && !group.equals(last)) {
            lines.add("    " + group + ":");
        }
        if (byUrl) {
            lines.add("      url: \"" + batchUrl + "\"");
        }
        String indent = group.isEmpty() ? "    " : "      ";
        comment(indent, setting.reason());
        lines.add(indent + setting.name().substring(dot + 1) + ": " + setting.value());
        return group;
    }

    /** A comment, wrapped to {@link #WIDTH}. */
    private void comment(String indent, String reason) {
        StringBuilder line = new StringBuilder();
        for (String word : reason.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + word.length() > WIDTH) {
                lines.add(indent + "# " + line);
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(indent + "# " + line);
    }

    /** The properties of a HikariCP pool, for {@code new HikariConfig(properties)}. It makes single calls, no batches. */
    public static List<String> hikari(ProbeFindings findings) {
        SettingsText text = new SettingsText(new Recommendation(findings.withoutBatches(), To.JDBC));
        int size = text.size();
        text.alive();
        long slowest = findings.roundTrip().service().max().orElse(0) / 1_000_000;
        long validation = Math.max(MIN_VALIDATION, 2 * slowest);
        text.set(
                "validationTimeout",
                validation,
                "the validation of a dead connection takes this time; the minimum is 250 ms, the slowest answer took "
                        + slowest + " ms");
        text.set(
                "connectionTimeout",
                size * validation + CONNECT_MILLIS,
                "a caller may find all " + size
                        + " connections dead, one after another, and then needs time to connect");
        if (findings.where().startsWith("jdbc:postgresql:")) {
            text.set(
                    "dataSource.socketTimeout",
                    Math.ceilDiv(Math.max(MIN_SOCKET_TIMEOUT, 20 * slowest), 1000),
                    "seconds; without it a call on a connection that died in use waits for about 15 min. Must be above your"
                            + " slowest statement");
            text.set("dataSource.tcpKeepAlive", true, "a dead peer is detected while nothing is sent");
        }
        return text.lines;
    }

    private void set(String key, Object value, String why) {
        comment("", why);
        lines.add(key + "=" + value);
    }

    /** As recommended where concurrency was measured, otherwise the default, or what the peer has left if that is less. */
    private int size() {
        ProbeFindings findings = recommended.findings();
        int size = Math.min(DEFAULT_SIZE, AnnouncedLimit.connections(findings.announced()));
        Optional<Setting> limit = recommended.advice().stream()
                .filter(setting -> setting.name().equals("limit"))
                .findFirst();
        if (limit.isPresent()) {
            size = Integer.parseInt(limit.get().value().replaceAll(".*max: (\\d+) }", "$1"));
            set("maximumPoolSize", size, limit.get().reason());
        } else if (size < DEFAULT_SIZE) {
            set("maximumPoolSize", size, "the connections that the peer has left; the default, 10, is more than that");
        } else {
            comment("", "maximumPoolSize stays at its default, 10: concurrency was not measured");
        }
        return size;
    }

    private void alive() {
        IdleFinding idle = recommended.findings().idle();
        Duration kill = idle == null || idle.killAfter() == null ? announcedKill() : idle.before();
        String why = idle != null && idle.killAfter() != null
                ? "idle connections are " + ProbeSentences.killed(idle)
                : "the server ends sessions that are idle for " + Durations.format(kill);
        long half = kill.toMillis() / 2;
        long maxAge = kill.toMillis() * 9 / 10;
        String tooShort = why + ", and the minimum of keepaliveTime is 30 s";
        if (kill.isZero()) {
            comment("", "no idle kill is known: keepaliveTime, maxLifetime and idleTimeout stay at their defaults");
        } else if (half >= MIN_KEEPALIVE) {
            set("keepaliveTime", Math.min(half, MAX_KEEPALIVE), why + ": each is used within half of that time");
        } else if (maxAge >= MIN_LIFETIME) {
            set("keepaliveTime", 0, tooShort + ": so connections must be younger than that");
            set("maxLifetime", maxAge, "a connection closed at 0.9 of that time is never killed");
        } else {
            set("minimumIdle", 0, tooShort + ": so no unneeded connections are kept");
            set("idleTimeout", MIN_IDLE, "the minimum: fewer idle connections are fewer dead ones");
        }
        if (!kill.isZero() && kill.toMillis() <= 2 * BYPASS) {
            comment(
                    "",
                    "start the JVM with -Dcom.zaxxer.hikari.aliveBypassWindowMs=0: by default a connection used in the last"
                            + " 500 ms is not validated");
        }
    }

    /** The idle time that PostgreSQL allows a session; zero when it does not announce one. */
    private Duration announcedKill() {
        for (AnnouncedLimit one : recommended.findings().announced()) {
            Matcher time = TIME.matcher(one.value());
            if (one.name().equals("idle_session_timeout") && time.matches()) {
                return Durations.parse(time.group(1) + (time.group(2).equals("min") ? "m" : time.group(2)));
            }
        }
        return Duration.ZERO;
    }
}
