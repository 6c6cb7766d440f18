package dev.penstock.races.httppool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.Failed;
import dev.penstock.Ticker;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.FaultSchedule;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.SimulatorCertificate;
import dev.penstock.races.httppool.Client.Reply;
import dev.penstock.races.httppool.SimulatorScene.TrustStore;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Real sockets: each contestant of the TLS courses checks the server's certificate and resumes sessions. */
@Timeout(60)
class ContestantsOverTlsRealClockTest {
    private static final List<String> TRUST = List.of("trustStore", "trustStoreType", "trustStorePassword");

    private final Map<String, String> before = new HashMap<>();

    static Stream<String> contestants() {
        return HttpPoolContestants.overTls().stream().map(Entry::name);
    }

    @BeforeEach
    void remember() {
        TRUST.forEach(name -> before.put(name, System.getProperty("javax.net.ssl." + name)));
    }

    @AfterEach
    void trustAsBefore() throws Exception {
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty("javax.net.ssl." + name);
            } else {
                System.setProperty("javax.net.ssl." + name, value);
            }
        });
        lookAnew();
    }

    @ParameterizedTest
    @MethodSource("contestants")
    void sendsEachPaymentOnceAndResumesSessions(String contestant) throws Exception {
        Block block = new Block(contestant, Effort.QUICK, 1, 1);
        try (Scene scene = SpeedCourse.overTls().open(block)) {
            trust(Objects.requireNonNull(scene.parameters().get("trust_store")));
            try (Client client = HttpCourse.client(block, scene.parameters())) {
                assertThat(HttpPoolContestantsRealClockTest.carry(client)).allMatch(Reply::isApproved);
            }
            assertThat(scene.metrics()).containsEntry("duplicates", 0.0);
            assertThat(scene.metrics().get("connections_opened")).isGreaterThan(1);
            assertThat(scene.metrics().get("resumed")).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("contestants")
    void sendsNothingToAnotherHostName(String contestant) throws Exception {
        try (TrustStore store = TrustStore.create()) {
            trust(store.file().toString());
            // All addresses of 127/8 are this machine, and the certificate is not valid for this one.
            assertRefused(contestant, "127.0.0.2");
        }
    }

    @ParameterizedTest
    @MethodSource("contestants")
    void sendsNothingToAnUntrustedServer(String contestant) throws Exception {
        lookAnew();
        assertRefused(contestant, "127.0.0.1");
    }

    @ParameterizedTest
    @EnumSource(names = {"FIN", "RST"})
    void bareLoopSendsNothingOverAClosedConnection(Closing how) throws Exception {
        FaultSchedule once = new FaultSchedule(Duration.ofMillis(300), Duration.ofMillis(10));
        try (TrustStore store = TrustStore.create();
                HttpSimulator gateway = HttpSimulator.builder()
                        .tls(SimulatorCertificate.serverContext())
                        .close(how, once)
                        .plainUntilBegun(true)
                        .start()) {
            trust(store.file().toString());
            try (BareLoop loop = new BareLoop(URI.create(gateway.url() + "/v1/transactions"))) {
                assertThat(loop.call(new PaymentXml(1).apply(0)).isApproved()).isTrue();
                gateway.begin();
                while (gateway.report().connections().closedByFaults() == 0) {
                    LockSupport.parkNanos(1_000_000);
                }
                untilItsEndHasArrived();
                assertThat(loop.call(new PaymentXml(1).apply(1)).isApproved()).isTrue();
            }
            assertThat(gateway.report().requests().received()).isEqualTo(2);
            assertThat(gateway.report().tls().sessions()).isEqualTo(2);
        }
    }

    /** Closing takes a moment: over TLS, a last record has to be sent. */
    private static void untilItsEndHasArrived() {
        long until = Ticker.SYSTEM.nanos() + 100_000_000L;
        while (Ticker.SYSTEM.nanos() - until < 0) {
            Ticker.SYSTEM.parkUntil(until);
        }
    }

    private static void assertRefused(String contestant, String address) throws Exception {
        try (HttpSimulator gateway = HttpSimulator.builder()
                        .address(InetAddress.getByName(address))
                        .tls(SimulatorCertificate.serverContext())
                        .start();
                Client client = HttpPoolContestants.ALL
                        .named(contestant)
                        .create(URI.create(gateway.url() + "/v1/transactions"))) {
            assertThatExceptionOfType(Failed.class)
                    .isThrownBy(() -> client.call(new PaymentXml(1).apply(0)))
                    .extracting(Failed::why)
                    .isEqualTo(Failed.Cause.CONNECT);
            assertThat(gateway.report().requests().received()).isZero();
        }
    }

    private static void trust(String file) throws Exception {
        TrustStore.use(file);
        lookAnew();
    }

    /** A contestant's JVM reads its trust store on first use; this JVM has done so already and caches it. */
    private static void lookAnew() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLContext.setDefault(context);
    }
}
