package dev.penstock.races.httppool;

import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.Entry;
import dev.penstock.races.PlannedCourse;
import dev.penstock.races.httppool.Client.Reply;
import dev.penstock.races.httppool.SimulatorScene.TrustStore;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A course against the simulated gateway, plain or over TLS. */
abstract sealed class HttpCourse extends PlannedCourse permits ClosingsCourse, SpeedCourse {
    private static final int REHEARSED = 1000;
    /** Enough callers where connections are cheap. */
    private static final int REHEARSING = 16;

    private static final Duration REHEARSED_AT_MOST = Duration.ofSeconds(30);

    private final boolean tls;

    HttpCourse(String name, boolean tls, List<Entry> entries, String judged, String shown) {
        super(name, entries, judged, shown);
        this.tls = tls;
    }

    final boolean isTls() {
        return tls;
    }

    /** The simulator's code is compiled in the runner's JVM, once for all blocks. */
    @Override
    public final boolean rehearses() {
        return true;
    }

    /** A client of the scene's gateway. With TLS, this JVM trusts only that gateway from now on. */
    static Client client(Block block, Map<String, String> parameters) throws Exception {
        String trusted = parameters.get(SimulatorScene.TRUST);
        if (trusted != null) {
            TrustStore.use(trusted);
        }
        return HttpPoolContestants.ALL
                .named(block.entry())
                .create(URI.create(required(parameters, SimulatorScene.URL)));
    }

    /**
     * The warm-up of every contestant before the start: payments that are answered immediately and not counted. A cold
     * JVM takes many times as long per payment, and a client that needs 5 ms of CPU each would be overrun by the full
     * rate before it is warm. Over TLS there are as many callers as payments in flight later: each opens a connection,
     * and hundreds of handshakes by uncompiled code would overrun any client.
     *
     * @param seed of its payments, which differ from those of the load
     * @param inFlight payments in flight later
     */
    final void rehearse(Client client, long seed, int inFlight) throws InterruptedException {
        ClosedLoad load = ClosedLoad.of(tls ? inFlight : REHEARSING, Duration.ZERO)
                .count(REHEARSED)
                .lasting(REHEARSED_AT_MOST);
        rehearse(load, client, new PaymentXml(~seed), Reply::isApproved);
    }
}
