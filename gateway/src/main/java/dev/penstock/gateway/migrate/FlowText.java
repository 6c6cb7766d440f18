package dev.penstock.gateway.migrate;

import static dev.penstock.gateway.migrate.YamlText.quoted;
import static dev.penstock.gateway.migrate.YamlText.time;

import dev.penstock.gateway.config.Quoted;
import java.net.URI;
import java.time.Duration;

/** Writes the flow that does what the SDK did, a comment on every line that came from a property. For one thread. */
final class FlowText {
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);

    private final SdkSettings sdk;
    private final YamlText yaml = new YamlText();

    private FlowText(SdkSettings sdk) {
        this.sdk = sdk;
    }

    /**
     * The whole text.
     *
     * @param file the name of the old file, to be named in it
     * @param sdk what the SDK did
     * @param properties the old file, for what is left of it
     */
    static String of(String file, SdkSettings sdk, SdkProperties properties) {
        FlowText text = new FlowText(sdk);
        text.head(Quoted.plain(file));
        text.flow();
        PoolText.total(sdk, text.yaml);
        text.shutdown();
        DroppedText.write(properties, sdk, text.yaml);
        return text.yaml.toString();
    }

    private void head(String file) {
        yaml.comment(
                0,
                "Made from " + file
                        + ", a file of the payment SDK. Read it through, and look at it with: penstock check FILE");
        yaml.line(0, "#");
        yaml.comment(0, "The SDK goes on signing requests. Let it send them to this flow, which carries them on:");
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
        yaml.line(4, "# version: auto", "stays automatic; the SDK spoke HTTP/1.1");
        deadline();
        retry();
        yaml.line(2, "# limit: auto", "stays automatic: how many are at the gateway at once");
        yaml.line(2, "# breaker: auto", "stays automatic: when to stop asking a gateway that only fails");
        PoolText.write(sdk, yaml);
    }

    private void url() {
        URI url = sdk.url().value();
        if (url.getRawQuery() == null) {
            yaml.line(4, "url: " + quoted(url.toString()), sdk.url().from());
        } else {
            yaml.line(
                    4, "url: \"${SERVER_URL}\"", sdk.url().from() + ", not shown for its query; set SERVER_URL to it");
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
            if (proxy.password()) {
                yaml.line(5, "password: \"${PROXY_PASSWORD}\"", "proxyPassword, not shown; set PROXY_PASSWORD to it");
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
                2, "The SDK bounds no transaction as a whole. This is what its parts may take together; a caller that");
        yaml.comment(2, "has long gone by then is better served by less.");
        yaml.line(2, "deadline: " + time(all.compareTo(LONGEST) > 0 ? LONGEST : all));
    }

    private static Duration backoff(SdkSettings.Retries retries) {
        return retries.interval().compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : retries.interval();
    }

    private void retry() {
        SdkSettings.Retries retries = sdk.retries();
        if (retries == null) {
            yaml.comment(
                    2,
                    "No retry: the SDK has none without HttpClient. (The JDK's connection repeats a POST once by itself"
                            + " when a kept connection ends; Penstock never does.)");
        } else if (!retries.allowed().value()) {
            yaml.comment(
                    2,
                    "No retry: " + retries.allowed().from()
                            + ". (HttpClient still repeats what it did not send whole, up"
                            + " to 3 times. For what surely was not sent, Penstock does so with retry: { attempts: 4 }.)");
        } else {
            retry(retries);
        }
    }

    private void retry(SdkSettings.Retries retries) {
        yaml.line(2, "retry:", retries.allowed().from());
        yaml.line(
                3,
                "attempts: " + (retries.repeats() + 1),
                retries.from() + "; these are repeats, and attempts count the first as well");
        String interval = time(backoff(retries));
        String longest = backoff(retries).equals(retries.interval()) ? "" : "; 1m is the most";
        yaml.line(
                3,
                "backoff: " + interval,
                "retryInterval, as the longest wait: a random part of it is waited" + longest);
        yaml.line(3, "backoff_max: " + interval, "no longer before later attempts");
        OldValue<Boolean> sentToo = retries.sentToo();
        if (sentToo != null && sentToo.value()) {
            yaml.comment(
                    3,
                    "The SDK also repeats what was sent and then cut off (" + sentToo.from()
                            + "), and relies on the merchantTransactionIdentifier in the body, by which the gateway knows a"
                            + " request again. Penstock reads no bodies, and repeats only what surely was not sent, unless"
                            + " one of these is true:");
        } else {
            yaml.comment(
                    3,
                    "Only what surely was not sent is repeated. The SDK repeats what it did not send whole as well"
                            + (sentToo == null ? "" : ", but nothing beyond that (" + sentToo.from() + ")")
                            + ". More is repeated when one of these is true:");
        }
        yaml.line(
                3,
                "# key: Idempotency-Key",
                "a header of the caller, the same for each repeat, that the gateway obeys");
        yaml.line(
                2,
                "# idempotent: true",
                "every request of this flow takes effect once, however often the gateway gets it");
    }

    private void shutdown() {
        SdkSettings.Pool pool = sdk.pool();
        String was = pool == null ? "" : pool.shutdownHook().from() + "; ";
        yaml.line(0, "# shutdown: { drain: 30s }", was + "what is in flight ends before connections are closed");
    }
}
