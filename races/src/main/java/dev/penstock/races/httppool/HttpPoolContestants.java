package dev.penstock.races.httppool;

import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.ContestantList;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The contestants of the race: how each client for one URL is created, without connecting. */
final class HttpPoolContestants {
    static final String NO_KEY = "penstock-no-key";

    static final ContestantList<Factory> ALL = ContestantList.<Factory>of("http-pool")
            .add(
                    "bare-loop",
                    Role.LIMIT,
                    settings(
                            "idle connections",
                            "newest first",
                            "validation",
                            "non-blocking read before use",
                            "retry",
                            "none"),
                    BareLoop::new)
            .add("hc4-stale-check", Role.BEFORE, hc4("before each use"), url -> hc4(url, true, 0))
            .add("hc4-validate-100", Role.AFTER, hc4("idle 100 ms"), url -> hc4(url, false, 100))
            .add("hc4-validate-2000", Role.AFTER, hc4("idle 2000 ms"), url -> hc4(url, false, 2000))
            .add("hc5-classic", Role.PEER, hc5("classic", "virtual"), Hc5Classic::new)
            .add("hc5-async", Role.PEER, hc5("async", "its event loops"), Hc5Async::new)
            .add("jetty", Role.PEER, watching("Jetty client 12.1.14"), JettyClient::new)
            .add(
                    "jdk",
                    Role.PEER,
                    watching("java.net.http of JDK " + Runtime.version().feature()),
                    JdkClient::new)
            .add(
                    "okhttp",
                    Role.PEER,
                    settings(
                            "library",
                            "OkHttp 5.5.1",
                            "threads",
                            "virtual",
                            "retry",
                            "on connection failure (its default)"),
                    OkClient::new)
            .add("penstock", Role.OURS, ours("by " + Client.KEY), url -> new PenstockClient(url, true))
            // Without retry, to show the target alone.
            .add(NO_KEY, Role.OURS, ours("none"), url -> new PenstockClient(url, false));

    /** Creates a client for one URL. */
    @FunctionalInterface
    interface Factory {
        Client create(URI url) throws Exception;
    }

    private HttpPoolContestants() {}

    /** The contestants of the TLS courses: one of each kind, because the full line-up would take another hour. */
    static List<Entry> overTls() {
        return ALL.only(List.of(
                "bare-loop",
                "hc4-stale-check",
                "hc5-classic",
                "hc5-async",
                "jetty",
                "jdk",
                "okhttp",
                "penstock",
                NO_KEY));
    }

    private static Client hc4(URI url, boolean staleCheck, int validateAfter) {
        return new OnPlatformThreads(new Hc4(url, staleCheck, validateAfter));
    }

    private static Map<String, String> hc4(String validation) {
        return settings(
                "library", "Apache HttpClient 4.5.14",
                "threads", "platform",
                "validation", validation,
                "retry", "only unsent requests");
    }

    private static Map<String, String> hc5(String api, String threads) {
        return settings(
                "library",
                "Apache HttpClient 5.6.5 " + api,
                "threads",
                threads,
                "validation",
                "idle 2 s (its default)");
    }

    private static Map<String, String> watching(String library) {
        return settings("library", library, "threads", "its own pool", "validation", "watches idle connections");
    }

    private static Map<String, String> ours(String retry) {
        return settings("deadline", "5 s", "retry", retry, "limit", "default", "threads", "virtual");
    }

    /** Alternating names and values, in their order. */
    private static Map<String, String> settings(String... namesAndValues) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            settings.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return settings;
    }
}
