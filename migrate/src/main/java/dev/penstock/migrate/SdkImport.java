package dev.penstock.migrate;

import static dev.penstock.migrate.YamlText.quoted;

import dev.penstock.gateway.config.TargetUrl;
import dev.penstock.migrate.Table.Row;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads properties as the payment SDK does: which ones are effective depends on the configured HTTP client; times are in
 * milliseconds, except {@code timeout} in seconds; {@code numberOfRetries} does not include the first attempt.
 */
final class SdkImport {
    private static final URI PLACEHOLDER = URI.create("https://gateway.example/");
    private static final Duration MAX_TIME = Duration.ofHours(1);
    private static final int MAX_CONNECTIONS = 100_000;
    private static final int MAX_TOTAL = 1_000_000;

    private final SdkProperties properties;
    private final List<FlowLine> lines = new ArrayList<>();
    /** The sum of the limits of one attempt. */
    private Duration attempt = Duration.ZERO;

    SdkImport(SdkProperties properties) {
        this.properties = properties;
    }

    /** The lines for the template of the SDK. Complete only if no problem was reported. */
    List<FlowLine> read() {
        for (Row row : SdkProperties.TABLE.rows("checked")) {
            if (row.unit().equals("flag")) {
                properties.flag(row.name());
            } else {
                properties.whole(row.name());
            }
        }
        boolean isPooled = properties.flag("useHttpClientWithConnectionPool");
        URI url = url();
        boolean hasProxy = proxy();
        String shutdown = "";
        if (isPooled) {
            // The SDK builds a route from the host name only, which is http on port 80 without a proxy.
            boolean isOfName =
                    "http".equalsIgnoreCase(url.getScheme()) && (url.getPort() == 80 || url.getPort() < 0) && !hasProxy;
            pool(isOfName ? "maxConnectionsPerRoute" : "defaultMaxConnectionsPerRoute");
            properties.flag("enabledShutdownHook");
            shutdown = properties.from("enabledShutdownHook") + "; ";
        }
        line("shutdown", "", shutdown);
        timeout("connect_timeout", "connectionTimeoutMs", isPooled);
        timeout("response_timeout", "socketTimeoutMs", isPooled);
        boolean hasClient = isPooled || properties.flag("useHttpClient");
        if (!hasClient) {
            line("no_client", "", "");
        }
        line("deadline", YamlText.time(atMostMax(hasClient ? retries(isPooled) : attempt)), "");
        return lines;
    }

    private void line(String key, String yaml, String comment) {
        lines.add(new FlowLine(key, yaml, comment));
    }

    private static Duration atMostMax(Duration time) {
        return time.compareTo(MAX_TIME) > 0 ? MAX_TIME : time;
    }

    private URI url() {
        boolean hasVersion = properties.has("targetAPIVersion");
        String given = properties.value("serverURL");
        URI url = PLACEHOLDER;
        if (!hasVersion && !properties.has("namespaceURI")) {
            properties.refuse(
                    "targetAPIVersion",
                    "is missing, but required by the SDK without namespaceURI; add for instance targetAPIVersion=1.164");
        } else if (given != null) {
            String wrong = TargetUrl.wrong(given);
            url = wrong == null ? URI.create(given) : PLACEHOLDER;
            if (wrong != null) {
                properties.refuse("serverURL", wrong);
            }
            String from = properties.from("serverURL");
            if (url.getRawQuery() == null) {
                line("url", quoted(url.toString()), from);
            } else {
                line("url", "\"${SERVER_URL}\"", from + ", not shown because of its query; set SERVER_URL to it");
            }
        } else if (!hasVersion) {
            properties.refuse(
                    "serverURL",
                    "is missing, but required by the SDK without targetAPIVersion; add for instance serverURL=https://gateway.example/v1");
        } else {
            url = urlOfVersion();
            line(
                    "url",
                    quoted(url.toString()),
                    properties.from("targetAPIVersion", "sendToProduction", "sendToAkamai"));
        }
        String path = URI.create(url.toASCIIString()).getRawPath();
        String whole = path.isEmpty() ? "/" : path;
        line("raw_path", whole, "");
        line("path", quoted(whole), "");
        return url;
    }

    private URI urlOfVersion() {
        String version = String.valueOf(properties.value("targetAPIVersion"));
        if (!version.matches("\\d+(\\.\\d+)*")) {
            properties.refuse("targetAPIVersion", "is not a version; write for instance 1.164");
            return PLACEHOLDER;
        }
        String host = (properties.flag("sendToProduction") ? "ics2ws" : "ics2wstest")
                + (properties.flag("sendToAkamai") ? "a" : "") + ".ic3.com";
        String major = version.split("\\.", 2)[0];
        return URI.create("https://" + host + "/commerce/" + major + ".x/transactionProcessor");
    }

    private boolean proxy() {
        String host = properties.value("proxyHost");
        if (host == null) {
            return false;
        }
        int port = properties.whole("proxyPort");
        String at = (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        if (port < 1 || port > 65_535) {
            properties.refuse("proxyPort", "is " + port + "; write a port from 1 to 65535");
        } else if (!SdkProperties.isHostAndPort(at)) {
            properties.refuse("proxyHost", "is not a host name; write for instance proxy.example");
        }
        String from = properties.from("proxyHost").replace("proxyHost", "proxyHost=" + host);
        line("proxy.url", quoted("http://" + at), from + ", " + properties.from("proxyPort"));
        String user = properties.rawValue("proxyUser");
        if (user != null) {
            if (!user.matches("[^:\\p{Cntrl}\\x80-\\x9f]+")) {
                properties.refuse("proxyUser", "is not a valid user name; write one line without a colon");
            }
            line("proxy.user", quoted(user), properties.from("proxyUser"));
            if (properties.has("proxyPassword")) {
                String password = properties.from("proxyPassword") + ", not shown; set PROXY_PASSWORD to it";
                line("proxy.password", "\"${PROXY_PASSWORD}\"", password);
            } else {
                line("proxy.password", "\"\"", "there is no proxyPassword");
            }
        }
        return true;
    }

    private void pool(String perRoute) {
        properties.required("defaultMaxConnectionsPerRoute");
        properties.required("maxConnectionsPerRoute");
        int total = properties.required("maxConnections");
        int route = properties.required(perRoute);
        int max = Math.min(route, total);
        line(
                "max",
                Integer.toString(Math.min(max, MAX_CONNECTIONS)),
                properties.from(perRoute)
                        + (route > total ? ", limited by maxConnections" : "")
                        + capped(max, MAX_CONNECTIONS));
        line(
                "total",
                Integer.toString(Math.min(total, MAX_TOTAL)),
                properties.from("maxConnections") + capped(total, MAX_TOTAL));
        attempt = attempt.plus(time("wait", "connectionRequestTimeoutMs"));
        properties.required("evictThreadSleepTimeMs");
        time("idle", "maxKeepAliveTimeMs");
        properties.flag("staleConnectionCheckEnabled");
        properties.whole("validateAfterInactivityMs");
    }

    private Duration time(String key, String name) {
        return time(key, Duration.ofMillis(properties.required(name)), properties.from(name));
    }

    private static String capped(int max, int allowed) {
        return max > allowed ? "; the maximum is " + allowed : "";
    }

    /** Writes a time, limited to the allowed maximum, which also replaces 0: no limit in the SDK. */
    private Duration time(String key, Duration time, String from) {
        Duration within = time.isZero() ? MAX_TIME : atMostMax(time);
        String max = time.isZero()
                ? "; 0 means no limit, the maximum here is 1h"
                : within.equals(time) ? "" : "; the maximum is 1h";
        line(key, YamlText.time(within), from + max);
        return within;
    }

    /** Without a pool, the fallback is {@code timeout}, in seconds. */
    private void timeout(String key, String name, boolean isPooled) {
        if (isPooled || properties.hasValue(name)) {
            attempt = attempt.plus(time(key, name));
            return;
        }
        int seconds = properties.whole("timeout");
        if (seconds < 0) {
            properties.refuse(
                    "timeout", "is " + seconds + " seconds, but must not be negative; write for instance 130");
        }
        String from = properties.from("timeout") + " (seconds)";
        attempt = attempt.plus(time(key, Duration.ofSeconds(seconds), from));
    }

    /** Writes the retries; the time of all attempts. */
    private Duration retries(boolean isPooled) {
        boolean isAllowed = properties.flag("allowRetry");
        boolean isSentToo = isPooled && properties.flag("retryIfMTIFieldExist");
        line(isAllowed ? "retry" : "no_retry", "", properties.from("allowRetry"));
        if (!isAllowed) {
            return attempt;
        }
        int repeats = properties.whole("numberOfRetries");
        int interval = properties.whole("retryInterval");
        if (repeats < 1 || repeats > 5) {
            properties.refuse(
                    "numberOfRetries",
                    "is " + repeats + ", but the SDK requires 1 to 5; correct it, or set allowRetry=false");
        }
        if (interval <= 1) {
            properties.refuse(
                    "retryInterval",
                    "is " + interval + " ms, but the SDK requires at least 2; write for instance 1000");
        }
        line("attempts", Integer.toString(repeats + 1), properties.from("numberOfRetries"));
        String sent = isPooled ? properties.from("retryIfMTIFieldExist") : "";
        if (isSentToo) {
            line("sent_too", "", sent);
        } else {
            line("not_sent", "", isPooled ? ", but no others (" + sent + ")" : "");
        }
        return attempt.multipliedBy(repeats + 1L)
                .plus(Duration.ofMillis(interval).multipliedBy(repeats));
    }
}
