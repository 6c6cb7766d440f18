package dev.penstock.races.httppool;

import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Who runs, by name. */
@SuppressWarnings("ImmutableEnumChecker") // an entry holds copies, a maker holds nothing
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
    /** Not repeated, so that what the target alone does can be seen. */
    PENSTOCK_NO_KEY(
            "penstock-no-key", Role.OURS, PenstockClient.SETTINGS_WITHOUT_RETRY, url -> new PenstockClient(url, false));

    /** Makes a client of one URL. */
    @FunctionalInterface
    private interface Maker {
        Client make(URI url) throws Exception;
    }

    private final Entry entry;
    private final Maker maker;

    HttpPoolContestants(String name, Role role, Map<String, String> settings, Maker maker) {
        this.entry = Entry.of(name, role, settings);
        this.maker = maker;
    }

    /** HttpClient 4.5, see {@link Hc4}. */
    HttpPoolContestants(String name, Role role, boolean staleCheck, int validateAfter) {
        this(
                name,
                role,
                Hc4.settings(staleCheck, validateAfter),
                url -> new OnPlatformThreads(new Hc4(url, staleCheck, validateAfter)));
    }

    /** The one of that name. */
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
     * Those that race over TLS too: one of each kind, for another full line-up would take another hour. Left out are the
     * other settings of HttpClient 4.5, and the payment SDK, whose pool is that of {@link #HC4_STALE_CHECK} and whose
     * signing would be most of what is measured.
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

    /** Makes its client; nothing is connected yet. */
    Client client(URI url) throws Exception {
        return maker.make(url);
    }
}
