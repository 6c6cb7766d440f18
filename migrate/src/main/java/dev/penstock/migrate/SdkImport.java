package dev.penstock.migrate;

import dev.penstock.gateway.config.Quoted;
import dev.penstock.gateway.config.TargetUrl;
import dev.penstock.migrate.FlowText.Value;
import dev.penstock.migrate.Table.Row;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads properties as the payment SDK does: the last of equal names counts, and a name prefixed with the merchant id and a
 * dot overrides the plain one; which ones are effective depends on the configured HTTP client; times are in milliseconds,
 * except {@code timeout} in seconds; {@code numberOfRetries} does not include the first attempt. An invalid value is
 * reported and replaced by a valid one. Not thread-safe.
 */
final class SdkImport {
    static final Table TABLE = Table.of("sdk");
    private static final String POOLED = "useHttpClientWithConnectionPool";
    private static final URI PLACEHOLDER = URI.create("https://gateway.example/");

    private final List<PropertyLine> all;
    private final Report report;
    private final Map<String, PropertyLine> effective = new LinkedHashMap<>();
    private final Map<PropertyLine, Row> rows = new HashMap<>();
    private final Set<String> refused = new HashSet<>();
    private final List<Value> lines = new ArrayList<>();

    SdkImport(List<PropertyLine> all, Report report) {
        this.all = all;
        this.report = report;
        all.forEach(property -> effective.put(property.name(), property));
        String prefix = Objects.requireNonNullElse(raw("merchantID"), "") + ".";
        all.stream()
                .filter(property -> prefix.length() > 1 && property.name().startsWith(prefix))
                .forEach(property -> effective.put(property.name().substring(prefix.length()), property));
        effective.forEach((name, property) -> {
            Row row = TABLE.row(name);
            if (row != null) {
                rows.put(property, row);
            }
        });
    }

    /** Whether any of them is a property of the SDK. */
    boolean isSdk() {
        return !rows.isEmpty();
    }

    /** The lines for the template of the SDK. Complete only if no problem was reported. */
    List<Value> read() {
        for (Row row : TABLE.rows("checked")) {
            if (row.unit().equals("flag")) {
                flag(row.name());
            } else {
                parsed(row);
            }
        }
        boolean isPooled = flag(POOLED);
        boolean isPort80 = url();
        boolean isOfName = !proxy() && isPort80;
        if (isPooled) {
            pool(isOfName ? "maxConnectionsPerRoute" : "defaultMaxConnectionsPerRoute");
        }
        line("shutdown", "", isPooled ? from("enabledShutdownHook") + "; " : "");
        timeout("connect_timeout", "connectionTimeoutMs", isPooled);
        timeout("response_timeout", "socketTimeoutMs", isPooled);
        // The limits of one attempt.
        long whole = lines.stream()
                .filter(line -> line.key().matches("wait|connect_timeout|response_timeout"))
                .mapToLong(Value::number)
                .sum();
        if (isPooled || flag("useHttpClient")) {
            whole = retries(isPooled, whole);
        } else {
            line("no_client", "", "");
        }
        line("deadline", Notation.time(Math.min(whole, TABLE.key("deadline").max())), "");
        return lines;
    }

    private void line(String key, String yaml, String comment) {
        lines.add(new Value(key, yaml, comment));
    }

    /** Whether the pool's route is that of the host name: the SDK builds it as http on port 80 without a proxy. */
    private boolean url() {
        String given = value("serverURL");
        URI url = PLACEHOLDER;
        if (!effective.containsKey("targetAPIVersion") && !effective.containsKey("namespaceURI")) {
            refuse("targetAPIVersion", TABLE.note("no_version"));
        } else if (given != null) {
            String wrong = TargetUrl.wrong(given);
            url = wrong == null ? URI.create(given) : PLACEHOLDER;
            if (wrong != null) {
                refuse("serverURL", wrong);
            }
            String from = from("serverURL");
            if (url.getRawQuery() == null) {
                line("url", Notation.quoted(url.toString()), from);
            } else {
                line("url", "\"${SERVER_URL}\"", from + ", not shown because of its query; set SERVER_URL to it");
            }
        } else if (!effective.containsKey("targetAPIVersion")) {
            refuse("serverURL", TABLE.note("no_url"));
        } else {
            url = urlOfVersion();
            String from = from("targetAPIVersion") + ", " + from("sendToProduction") + ", " + from("sendToAkamai");
            line("url", Notation.quoted(url.toString()), from);
        }
        String path = URI.create(url.toASCIIString()).getRawPath();
        line("raw_path", path.isEmpty() ? "/" : path, "");
        line("path", Notation.quoted(path.isEmpty() ? "/" : path), "");
        return "http".equalsIgnoreCase(url.getScheme()) && (url.getPort() == 80 || url.getPort() < 0);
    }

    private URI urlOfVersion() {
        String version = String.valueOf(value("targetAPIVersion"));
        if (!version.matches("\\d+(\\.\\d+)*")) {
            refuse("targetAPIVersion", TABLE.note("not_a_version"));
            return PLACEHOLDER;
        }
        String host =
                (flag("sendToProduction") ? "ics2ws" : "ics2wstest") + (flag("sendToAkamai") ? "a" : "") + ".ic3.com";
        String major = version.split("\\.", 2)[0];
        return URI.create("https://" + host + "/commerce/" + major + ".x/transactionProcessor");
    }

    /** Writes the proxy; whether there is one. */
    private boolean proxy() {
        String host = value("proxyHost");
        if (host == null) {
            return false;
        }
        String url = "http://" + (host.contains(":") ? "[" + host + "]" : host);
        if (TargetUrl.wrong(url) != null
                || !url.substring(7).equals(URI.create(url).getRawAuthority())) {
            refuse("proxyHost", TABLE.note("not_a_host"));
        }
        String from = from("proxyHost").replace("proxyHost", "proxyHost=" + host);
        line("proxy.url", Notation.quoted(url + ":" + whole("proxyPort")), from + ", " + from("proxyPort"));
        String user = raw("proxyUser");
        if (user == null) {
            return true;
        }
        if (!user.matches("[^:\\p{Cntrl}\\x80-\\x9f]+")) {
            refuse("proxyUser", TABLE.note("not_a_user"));
        }
        line("proxy.user", Notation.quoted(user), from("proxyUser"));
        if (effective.containsKey("proxyPassword")) {
            String password = from("proxyPassword") + ", not shown; set PROXY_PASSWORD to it";
            line("proxy.password", "\"${PROXY_PASSWORD}\"", password);
        } else {
            line("proxy.password", "\"\"", "there is no proxyPassword");
        }
        return true;
    }

    private void pool(String perRoute) {
        required("defaultMaxConnectionsPerRoute");
        required("maxConnectionsPerRoute");
        int total = required("maxConnections");
        int route = required(perRoute);
        String limited = route > total ? ", limited by maxConnections" : "";
        lines.add(TABLE.key("max").line(Math.min(total, route), from(perRoute) + limited));
        lines.add(TABLE.key("total").line(total, from("maxConnections")));
        time("wait", "connectionRequestTimeoutMs");
        required("evictThreadSleepTimeMs");
        time("idle", "maxKeepAliveTimeMs");
        flag("staleConnectionCheckEnabled");
        parsed(row("validateAfterInactivityMs"));
        flag("enabledShutdownHook");
    }

    private void time(String key, String name) {
        lines.add(TABLE.key(key).line(required(name), from(name)));
    }

    /** Without a pool, the fallback is {@code timeout}, in seconds. */
    private void timeout(String key, String name, boolean isPooled) {
        String value = raw(name);
        if (isPooled || (value != null && !value.isEmpty())) {
            time(key, name);
        } else {
            lines.add(TABLE.key(key).line(whole("timeout") * 1_000L, from("timeout") + " (seconds)"));
        }
    }

    /** Writes the retries; the time of all attempts. */
    private long retries(boolean isPooled, long attempt) {
        boolean isAllowed = flag("allowRetry");
        boolean isSentToo = isPooled && flag("retryIfMTIFieldExist");
        line(isAllowed ? "retry" : "no_retry", "", from("allowRetry"));
        if (!isAllowed) {
            return attempt;
        }
        int repeats = whole("numberOfRetries");
        int interval = whole("retryInterval");
        line("attempts", Integer.toString(repeats + 1), from("numberOfRetries"));
        String sent = isPooled ? from("retryIfMTIFieldExist") : "";
        if (isSentToo) {
            line("sent_too", "", sent);
        } else {
            line("not_sent", "", isPooled ? ", but no others (" + sent + ")" : "");
        }
        return attempt * (repeats + 1L) + (long) interval * repeats;
    }

    private static Row row(String name) {
        return Objects.requireNonNull(TABLE.row(name), name);
    }

    private @Nullable String raw(String name) {
        PropertyLine property = effective.get(name);
        return property == null ? null : property.value();
    }

    private @Nullable String value(String name) {
        String value = raw(name);
        return value == null ? null : value.strip();
    }

    /** True or false in the notation of the SDK, which includes 1 and 0. */
    private boolean flag(String name) {
        String value = value(name);
        if (value == null) {
            return Boolean.parseBoolean(row(name).fallback());
        }
        if (!value.matches("0|1|(?i:true|false)")) {
            refuse(name, "is " + Quoted.of(value) + ", which is neither true nor false; write one of them");
        }
        return value.matches("1|(?i:true)");
    }

    /** A whole number of 32 bits. */
    private int parsed(Row row) {
        String value = value(row.name());
        if (value != null) {
            try {
                return Integer.parseInt(value);
            } catch (NumberFormatException none) {
                String is = value.isEmpty()
                        ? "is empty"
                        : "is " + Quoted.of(value) + ", which is not a whole number up to 2147483647";
                refuse(row.name(), is + "; write for instance " + row.fallback());
            }
        }
        return Integer.parseInt(row.fallback());
    }

    /** A whole number within the range of the table. */
    private int whole(String name) {
        int number = parsed(row(name));
        FlowKey range = TABLE.key(name);
        if (number < range.min() || number > range.max()) {
            refuse(name, range.noLimit().formatted(number, row(name).fallback()));
        }
        return number;
    }

    /** A number that the SDK requires. */
    private int required(String name) {
        if (!effective.containsKey(name)) {
            missing(name);
        }
        return whole(name);
    }

    private void missing(String name) {
        Map<String, String> sections = Map.of("sdk", "", "checked", "", "pool", "");
        for (PropertyLine property : all) {
            if (TABLE.row(property.name()) == null
                    && TABLE.near(property.name(), sections)
                            .filter(name::equals)
                            .isPresent()) {
                report.problems.add(
                        property.location(),
                        "'" + Quoted.plain(property.name()) + "' is not a property of the SDK; did you mean '" + name
                                + "', which is missing?");
                return;
            }
        }
        String missing = "is missing, but required by the SDK with " + POOLED + "=true; add for instance ";
        refuse(name, missing + name + "=" + row(name).fallback());
    }

    /** Reports the first problem of a property, with its remedy. */
    private void refuse(String name, String text) {
        PropertyLine property = effective.get(name);
        if (!refused.add(name)) {
            return;
        }
        if (property == null) {
            report.problems.add("'" + name + "' " + text);
        } else {
            report.problems.add(property.location(), "'" + name + "' " + text);
        }
    }

    /** The origin of a value that is written, for comments. */
    private String from(String name) {
        PropertyLine property = effective.get(name);
        if (property == null) {
            return name + "=" + row(name).fallback() + ", the SDK's default";
        }
        report.use(property);
        boolean isHidden = row(name).unit().equals("hidden");
        return property.named(isHidden ? name : name + "=" + property.value().strip());
    }

    /** Reports why properties that are not used are dropped; an unknown name may be part of a secret. */
    void drop() {
        for (PropertyLine property : all) {
            Row row = rows.get(property);
            if (row == null) {
                report.dropUnknown(property, unknown(property.name()));
            } else if (row.section().equals("pool") && !flag(POOLED)) {
                report.drop(property, "not effective: " + POOLED + " is not true");
            } else {
                report.drop(property, row.note());
            }
        }
    }

    private static String unknown(String name) {
        if (TABLE.row(name) != null) {
            return "another line takes precedence, a later one or the merchant's own";
        }
        return TABLE.row(name.substring(name.lastIndexOf('.') + 1)) != null
                ? "for another merchant; define a separate flow for it"
                : "unknown to SDK 6.2.15, which ignores it too";
    }
}
