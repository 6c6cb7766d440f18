package dev.penstock.races.httppool;

import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The contestants, by name. */
@SuppressWarnings("ImmutableEnumChecker") // entries are copies, factories are stateless
enum HttpPoolContestants {
    BARE_LOOP("bare-loop", Role.LIMIT, BareLoop.SETTINGS, BareLoop::new),
    HC4_STALE_CHECK("hc4-stale-check", Role.BEFORE, true, 0),
    HC4_VALIDATE_0("hc4-validate-0", Role.AFTER, false, 0),
    HC4_VALIDATE_100("hc4-validate-100", Role.AFTER, false, 100),
    HC4_VALIDATE_2000("hc4-validate-2000", Role.AFTER, false, 2000),
    PAYMENT_SDK("payment-sdk", Role.AFTER, PaymentSdk.SETTINGS, url -> new OnPlatformThreads(new PaymentSdk(url))),
    HC5_CLASSIC("hc5-classic", Role.PEER, Hc5Classic.SETTINGS, Hc5Classic::new),
    HC5_ASYNC("hc5-async", Role.PEER, Hc5Async.SETTINGS, Hc5Async::new),
    JETTY("jetty", Role.PEER, JettyClient.SETTINGS, JettyClient::new),
    JDK("jdk", Role.PEER, JdkClient.SETTINGS, JdkClient::new),
    OKHTTP("okhttp", Role.PEER, OkClient.SETTINGS, OkClient::new),
    PENSTOCK("penstock", Role.OURS, PenstockClient.SETTINGS, url -> new PenstockClient(url, true)),
    /** Without retry, to show the target alone. */
    PENSTOCK_NO_KEY(
            "penstock-no-key", Role.OURS, PenstockClient.SETTINGS_WITHOUT_RETRY, url -> new PenstockClient(url, false));

    /** Creates a client for one URL. */
    @FunctionalInterface
    private interface Factory {
        Client create(URI url) throws Exception;
    }

    private final Entry entry;
    private final Factory factory;

    HttpPoolContestants(String name, Role role, Map<String, String> settings, Factory factory) {
        this.entry = Entry.of(name, role, settings);
        this.factory = factory;
    }

    /** HttpClient 4.5, see {@link Hc4}. */
    HttpPoolContestants(String name, Role role, boolean staleCheck, int validateAfter) {
        this(
                name,
                role,
                Hc4.settings(staleCheck, validateAfter),
                url -> new OnPlatformThreads(new Hc4(url, staleCheck, validateAfter)));
    }

    /** The contestant with this name. */
    static HttpPoolContestants named(String name) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("http-pool has no contestant " + name));
    }

    static List<Entry> entries() {
        return Arrays.stream(values()).map(HttpPoolContestants::entry).toList();
    }

    /**
     * The contestants of the TLS courses: one of each kind, because the full line-up would take another hour. Omitted
     * are the other settings of HttpClient 4.5, and the payment SDK, whose pool is that of {@link #HC4_STALE_CHECK} and
     * whose signing would dominate the measurement.
     */
    static List<Entry> entriesOverTls() {
        return Stream.of(
                        BARE_LOOP,
                        HC4_STALE_CHECK,
                        HC5_CLASSIC,
                        HC5_ASYNC,
                        JETTY,
                        JDK,
                        OKHTTP,
                        PENSTOCK,
                        PENSTOCK_NO_KEY)
                .map(HttpPoolContestants::entry)
                .toList();
    }

    Entry entry() {
        return entry;
    }

    /** Creates its client, without connecting. */
    Client client(URI url) throws Exception {
        return factory.create(url);
    }
}
