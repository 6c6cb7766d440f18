package dev.penstock.migrate;

import dev.penstock.gateway.config.TargetUrl;
import dev.penstock.migrate.SdkSettings.Client;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads properties as the SDK does: which ones are effective depends on the configured HTTP client; times are in
 * milliseconds, except {@code timeout} in seconds; {@code numberOfRetries} does not include the first attempt.
 */
final class SdkReader {
    private static final URI PLACEHOLDER = URI.create("https://gateway.example/");

    private static final String[] FLAGS = {
        "sendToProduction",
        "sendToAkamai",
        "useSignAndEncrypted",
        "enableJdkCert",
        "enableCacert",
        "certificateCacheEnabled",
        "merchantConfigCacheEnabled",
        "customHttpClassEnabled",
        "enableLog",
        "logNonPCICompliantSignedData"
    };

    private final SdkProperties properties;

    SdkReader(SdkProperties properties) {
        this.properties = properties;
    }

    /** The settings of the SDK. Complete only if no problem was reported. */
    SdkSettings read() {
        checkAll();
        Client client = client();
        OldValue<URI> url = url();
        SdkSettings.Proxy proxy = proxy();
        SdkSettings.Pool pool = client == Client.POOLED ? pool(perRoute(url.value(), proxy)) : null;
        return new SdkSettings(
                client,
                url,
                proxy,
                pool,
                time("connectionTimeoutMs", 5_000, client),
                time("socketTimeoutMs", 130_000, client),
                client == Client.JDK ? null : retries(client));
    }

    /** Checks the properties that the SDK always validates, even those without effect. */
    private void checkAll() {
        for (String name : FLAGS) {
            properties.flag(name, false);
        }
        properties.whole("logMaximumSize", 10);
        properties.whole("timeout", 130);
        properties.whole("proxyPort", 8080);
        properties.release(FLAGS);
        properties.release("timeout", "proxyPort");
    }

    /** If both are true, the SDK uses the pool. */
    private Client client() {
        boolean single = properties.flag("useHttpClient", false).value();
        boolean pooled =
                properties.flag("useHttpClientWithConnectionPool", false).value();
        return pooled ? Client.POOLED : single ? Client.SINGLE : Client.JDK;
    }

    private OldValue<URI> url() {
        boolean hasVersion = properties.has("targetAPIVersion");
        if (!hasVersion && !properties.has("namespaceURI")) {
            properties.refuse(
                    "targetAPIVersion",
                    "is missing, but required by the SDK without namespaceURI; add for instance targetAPIVersion=1.164");
            return new OldValue<>(PLACEHOLDER, "");
        }
        OldValue<String> given = properties.hidden("serverURL");
        if (given != null) {
            String wrong = TargetUrl.wrong(given.value().strip());
            if (wrong == null) {
                return new OldValue<>(URI.create(given.value().strip()), given.from());
            }
            properties.refuse("serverURL", wrong);
            return new OldValue<>(PLACEHOLDER, "");
        }
        if (!hasVersion) {
            properties.refuse(
                    "serverURL",
                    "is missing, but required by the SDK without targetAPIVersion; add for instance serverURL=https://gateway.example/v1");
            return new OldValue<>(PLACEHOLDER, "");
        }
        return urlOfVersion();
    }

    private OldValue<URI> urlOfVersion() {
        OldValue<String> version = properties.text("targetAPIVersion");
        OldValue<Boolean> production = properties.flag("sendToProduction", false);
        OldValue<Boolean> akamai = properties.flag("sendToAkamai", false);
        if (version == null || !version.value().matches("\\d+(\\.\\d+)*")) {
            properties.refuse("targetAPIVersion", "is not a version; write for instance 1.164");
            return new OldValue<>(PLACEHOLDER, "");
        }
        String host = (production.value() ? "ics2ws" : "ics2wstest") + (akamai.value() ? "a" : "") + ".ic3.com";
        String major = version.value().split("\\.", 2)[0];
        return new OldValue<>(
                URI.create("https://" + host + "/commerce/" + major + ".x/transactionProcessor"),
                String.join(", ", version.from(), production.from(), akamai.from()));
    }

    private SdkSettings.@Nullable Proxy proxy() {
        OldValue<String> host = properties.hidden("proxyHost");
        if (host == null) {
            return null;
        }
        OldValue<Integer> port = properties.whole("proxyPort", 8080);
        String name = host.value().strip();
        String at = (name.contains(":") ? "[" + name + "]" : name) + ":" + port.value();
        if (port.value() < 1 || port.value() > 65_535) {
            properties.refuse("proxyPort", "is " + port.value() + "; write a port from 1 to 65535");
        } else if (!isHostAndPort(at)) {
            properties.refuse("proxyHost", "is not a host name; write for instance proxy.example");
        }
        OldValue<String> user = properties.hidden("proxyUser");
        if (user != null && (user.value().isEmpty() || !user.value().matches("[^:\\p{Cntrl}\\x80-\\x9f]+"))) {
            properties.refuse("proxyUser", "is not a valid user name; write one line without a colon");
        }
        OldValue<String> password = user == null ? null : properties.hidden("proxyPassword");
        return new SdkSettings.Proxy(
                new OldValue<>(at, host.from().replace("proxyHost", "proxyHost=" + name) + ", " + port.from()),
                user,
                password == null ? null : password.from());
    }

    private static boolean isHostAndPort(String text) {
        try {
            URI url = new URI("http://" + text);
            return url.getHost() != null && text.equals(url.getRawAuthority());
        } catch (URISyntaxException none) {
            return false;
        }
    }

    /**
     * The SDK builds a route from the host name only, which HttpClient treats as http on port 80 without a proxy; all
     * other routes use the default.
     */
    private static String perRoute(URI url, SdkSettings.@Nullable Proxy proxy) {
        boolean same =
                "http".equalsIgnoreCase(url.getScheme()) && (url.getPort() == 80 || url.getPort() < 0) && proxy == null;
        return same ? "maxConnectionsPerRoute" : "defaultMaxConnectionsPerRoute";
    }

    private SdkSettings.Pool pool(String perRoute) {
        OldValue<Integer> maxPerRoute = properties.required(perRoute, 1_000);
        for (String other : new String[] {"defaultMaxConnectionsPerRoute", "maxConnectionsPerRoute"}) {
            if (!other.equals(perRoute)) {
                properties.required(other, 1_000);
                properties.release(other);
            }
        }
        OldValue<Boolean> stale = properties.flag("staleConnectionCheckEnabled", true);
        OldValue<Integer> after = properties.whole("validateAfterInactivityMs", 0);
        if (stale.value()) {
            properties.release("validateAfterInactivityMs");
        }
        Duration validateAfter =
                stale.value() ? Duration.ZERO : after.value() <= 0 ? null : Duration.ofMillis(after.value());
        return new SdkSettings.Pool(
                properties.required("maxConnections", 1_000),
                maxPerRoute,
                SdkProperties.millis(properties.required("connectionRequestTimeoutMs", 1_000)),
                SdkProperties.millis(properties.required("evictThreadSleepTimeMs", 3_000)),
                SdkProperties.millis(properties.required("maxKeepAliveTimeMs", 300_000)),
                validateAfter,
                stale.value() ? stale.from() : stale.from() + ", " + after.from(),
                properties.flag("enabledShutdownHook", true));
    }

    /** Without a pool, the fallback is {@code timeout}, in seconds. */
    private OldValue<Duration> time(String name, int example, Client client) {
        if (client == Client.POOLED) {
            return SdkProperties.millis(properties.required(name, example));
        }
        if (properties.hasValue(name)) {
            return SdkProperties.millis(properties.positive(name, example));
        }
        OldValue<Integer> seconds = properties.whole("timeout", 130);
        if (seconds.value() < 0) {
            properties.refuse(
                    "timeout", "is " + seconds.value() + " seconds, but must not be negative; write for instance 130");
        }
        return new OldValue<>(Duration.ofSeconds(seconds.value()), seconds.from() + " (seconds)");
    }

    private SdkSettings.Retries retries(Client client) {
        OldValue<Boolean> sentToo = client == Client.POOLED ? properties.flag("retryIfMTIFieldExist", true) : null;
        OldValue<Boolean> allowed = properties.flag("allowRetry", true);
        if (!allowed.value()) {
            properties.release("retryIfMTIFieldExist");
            return new SdkSettings.Retries(allowed, 0, Duration.ZERO, "", null);
        }
        OldValue<Integer> repeats = properties.whole("numberOfRetries", 3);
        OldValue<Integer> interval = properties.whole("retryInterval", 1_000);
        if (repeats.value() < 1 || repeats.value() > 5) {
            properties.refuse(
                    "numberOfRetries",
                    "is " + repeats.value() + ", but the SDK requires 1 to 5; correct it, or set allowRetry=false");
        }
        if (interval.value() <= 1) {
            properties.refuse(
                    "retryInterval",
                    "is " + interval.value() + " ms, but the SDK requires at least 2; write for instance 1000");
        }
        return new SdkSettings.Retries(
                allowed,
                repeats.value(),
                Duration.ofMillis(interval.value()),
                String.join(", ", repeats.from(), interval.from()),
                sentToo);
    }
}
