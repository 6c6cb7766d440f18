package dev.penstock.migrate;

import static dev.penstock.migrate.YamlText.quoted;
import static dev.penstock.migrate.YamlText.time;

import dev.penstock.gateway.config.Quoted;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a flow that replaces the SDK, with a comment on every line that comes from a property. Not thread-safe. */
final class FlowText {
    private static final Duration MAX_DEADLINE = Duration.ofHours(1);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(1);

    private final SdkSettings sdk;
    private final YamlText yaml = new YamlText();

    private FlowText(SdkSettings sdk) {
        this.sdk = sdk;
    }

    /**
     * The complete text.
     *
     * @param file the name of the old file
     * @param sdk the settings of the SDK
     * @param properties the old file, for its unused properties
     */
    static String of(String file, SdkSettings sdk, SdkProperties properties) {
        FlowText text = new FlowText(sdk);
        text.head(Quoted.plain(file));
        text.flow();
        PoolText.total(sdk, text.yaml);
        text.shutdown();
        text.dropped(properties);
        return text.yaml.toString();
    }

    private void head(String file) {
        yaml.comment(
                0,
                "Generated from " + file
                        + ", the settings of the payment SDK. Review it, and validate it with: penstock check FILE");
        yaml.line(0, "#");
        yaml.comment(0, "The SDK still signs the requests. Configure it to send them to this flow:");
        yaml.comment(0, "  serverURL=http://127.0.0.1:8080" + path());
        yaml.comment(0, "  allowRetry=false");
        if (sdk.proxy() != null) {
            yaml.comment(0, "  and no proxyHost");
        }
    }

    private String path() {
        String path = URI.create(sdk.url().value().toASCIIString()).getRawPath();
        return path.isEmpty() ? "/" : path;
    }

    private void flow() {
        yaml.line(0, "flows:").line(1, "payments:");
        yaml.line(2, "from: { http: { port: 8080, path: " + quoted(path()) + " } }");
        yaml.line(2, "to:").line(3, "http:");
        url();
        proxy();
        yaml.line(4, "# version: auto", "automatic; the SDK used HTTP/1.1");
        deadline();
        retry();
        yaml.line(2, "# limit: auto", "automatic: the maximum number of concurrent requests");
        yaml.line(2, "# breaker: auto", "automatic: when to stop calling a failing gateway");
        PoolText.write(sdk, yaml);
    }

    private void url() {
        URI url = sdk.url().value();
        if (url.getRawQuery() == null) {
            yaml.line(4, "url: " + quoted(url.toString()), sdk.url().from());
        } else {
            yaml.line(
                    4,
                    "url: \"${SERVER_URL}\"",
                    sdk.url().from() + ", not shown because of its query; set SERVER_URL to it");
        }
    }

    private void proxy() {
        SdkSettings.Proxy proxy = sdk.proxy();
        if (proxy == null) {
            return;
        }
        yaml.line(4, "proxy:");
        yaml.line(
                5,
                "url: " + quoted("http://" + proxy.hostAndPort().value()),
                proxy.hostAndPort().from());
        OldValue<String> user = proxy.user();
        if (user != null) {
            yaml.line(5, "user: " + quoted(user.value()), user.from());
            if (proxy.password() != null) {
                yaml.line(
                        5,
                        "password: \"${PROXY_PASSWORD}\"",
                        proxy.password() + ", not shown; set PROXY_PASSWORD to it");
            } else {
                yaml.line(5, "password: \"\"", "there is no proxyPassword");
            }
        }
    }

    private void deadline() {
        SdkSettings.Retries retries = sdk.retries();
        int repeats = retries == null ? 0 : retries.repeats();
        SdkSettings.Pool pool = sdk.pool();
        Duration attempt = PoolText.within(sdk.response().value())
                .plus(PoolText.within(sdk.connect().value()))
                .plus(
                        pool == null
                                ? Duration.ZERO
                                : PoolText.within(pool.waiting().value()));
        Duration all = attempt.multipliedBy(repeats + 1L);
        if (retries != null) {
            all = all.plus(backoff(retries).multipliedBy(repeats));
        }
        yaml.comment(
                2,
                "The SDK has no limit for a whole transaction. This is the sum of the limits of its parts; choose less if");
        yaml.comment(2, "callers give up earlier.");
        yaml.line(2, "deadline: " + time(all.compareTo(MAX_DEADLINE) > 0 ? MAX_DEADLINE : all));
    }

    private static Duration backoff(SdkSettings.Retries retries) {
        return retries.interval().compareTo(MAX_BACKOFF) > 0 ? MAX_BACKOFF : retries.interval();
    }

    private void retry() {
        SdkSettings.Retries retries = sdk.retries();
        if (retries == null) {
            yaml.comment(
                    2,
                    "No retry: the SDK has none without HttpClient. (The JDK's HTTP client itself repeats a POST once when a"
                            + " kept-alive connection ends; Penstock never does.)");
        } else if (!retries.allowed().value()) {
            yaml.comment(
                    2,
                    "No retry: " + retries.allowed().from()
                            + ". (HttpClient still retries requests that it did not send completely, up"
                            + " to 3 times. With retry: { attempts: 4 } Penstock retries requests that were certainly not sent.)");
        } else {
            retry(retries);
        }
    }

    private void retry(SdkSettings.Retries retries) {
        yaml.line(2, "retry:", retries.allowed().from());
        yaml.line(
                3,
                "attempts: " + (retries.repeats() + 1),
                retries.from() + "; retries, while attempts include the first");
        String interval = time(backoff(retries));
        String longest = backoff(retries).equals(retries.interval()) ? "" : "; the maximum is 1m";
        yaml.line(
                3,
                "backoff: " + interval,
                "retryInterval, as the longest wait: the actual wait is a random part of it" + longest);
        yaml.line(3, "backoff_max: " + interval, "the same for later attempts");
        OldValue<Boolean> sentToo = retries.sentToo();
        if (sentToo != null && sentToo.value()) {
            yaml.comment(
                    3,
                    "The SDK also retries requests that were sent and then cut off (" + sentToo.from()
                            + "), and relies on the merchantTransactionIdentifier in the body, by which the gateway detects"
                            + " duplicates. Penstock does not read bodies, and only retries requests that were certainly not sent,"
                            + " unless one of these is set:");
        } else {
            yaml.comment(
                    3,
                    "Only requests that were certainly not sent are retried. The SDK also retries requests that it did not send"
                            + " completely"
                            + (sentToo == null ? "" : ", but no others (" + sentToo.from() + ")")
                            + ". Penstock retries more requests when one of these is set:");
        }
        yaml.line(
                3,
                "# key: Idempotency-Key",
                "a header of the caller, equal in each retry, by which the gateway deduplicates");
        yaml.line(
                2,
                "# idempotent: true",
                "the gateway executes every request of this flow once, however often it is sent");
    }

    private void shutdown() {
        SdkSettings.Pool pool = sdk.pool();
        String was = pool == null ? "" : pool.shutdownHook().from() + "; ";
        yaml.line(0, "# shutdown: { drain: 30s }", was + "transactions in flight finish before connections are closed");
    }

    /**
     * Lists the dropped properties with reasons. For a name unknown to the SDK only its line is shown: in a damaged file
     * it may be part of a secret.
     */
    private void dropped(SdkProperties properties) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (PropertyLine property : properties.unused()) {
            String name = properties.effectiveName(property);
            String shown = name == null ? property.namedIfPlain() : property.named(name);
            String why = name == null ? reason(property) : SdkNames.reason(name, sdk);
            byReason.computeIfAbsent(why, key -> new ArrayList<>()).add(shown);
        }
        yaml.dropped(byReason);
    }

    private static String reason(PropertyLine property) {
        if (SdkNames.knows(property.name())) {
            return "another line takes precedence, a later one or the merchant's own";
        }
        String last = property.name().substring(property.name().lastIndexOf('.') + 1);
        return SdkNames.knows(last)
                ? "for another merchant; define a separate flow for it"
                : "unknown to SDK 6.2.15, which ignores it too";
    }
}
