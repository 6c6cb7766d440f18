package dev.penstock.races.httppool;

import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.HttpSimulatorBuilder;
import dev.penstock.lab.simulate.SimulatorCertificate;
import dev.penstock.lab.simulate.SimulatorReport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A simulated gateway with its counters, which include rehearsal and warm-up. */
final class SimulatorScene implements Scene {
    private static final String URL = "url";
    private static final String TRUST = "trust_store";

    private final HttpSimulator gateway;
    private final @Nullable TrustStore trust;
    private final Duration lasting;

    private SimulatorScene(HttpSimulator gateway, @Nullable TrustStore trust, Duration lasting) {
        this.gateway = gateway;
        this.trust = trust;
        this.lasting = lasting;
    }

    /**
     * Starts a gateway for the contestant of a block.
     *
     * @param gateway its configuration
     * @param block the block; the payment SDK needs a special answer
     * @param lasting duration of the load
     * @param tls whether to use TLS
     */
    static SimulatorScene open(HttpSimulatorBuilder gateway, Block block, Duration lasting, boolean tls)
            throws IOException {
        if (HttpPoolContestants.named(block.entry()) == HttpPoolContestants.PAYMENT_SDK) {
            gateway.answer(200, "text/xml", PaymentSdk.APPROVAL).idInBody(PaymentSdk.ID_MARK, "\n");
        }
        if (!tls) {
            return new SimulatorScene(gateway.start(), null, lasting);
        }
        HttpSimulator started =
                gateway.tls(SimulatorCertificate.serverContext()).start();
        try {
            return new SimulatorScene(started, TrustStore.create(), lasting);
        } catch (IOException e) {
            started.close();
            throw e;
        }
    }

    /**
     * A client of a scene's gateway. With TLS, this JVM trusts only that gateway from now on.
     *
     * @param block the contestant's block
     * @param parameters the scene's parameters
     */
    static Client client(Block block, Map<String, String> parameters) throws Exception {
        String url = parameters.get(URL);
        if (url == null) {
            throw new IllegalArgumentException("the scene has no parameter " + URL);
        }
        String trusted = parameters.get(TRUST);
        if (trusted != null) {
            TrustStore.use(trusted);
        }
        return HttpPoolContestants.named(block.entry()).client(URI.create(url));
    }

    @Override
    public Map<String, String> parameters() {
        String url = gateway.url() + "/v1/transactions";
        return trust == null
                ? Map.of(URL, url)
                : Map.of(URL, url, TRUST, trust.file().toString());
    }

    @Override
    public void begin() {
        gateway.begin();
    }

    /**
     * {@code duplicates}: requests whose payment had been received before; {@code cut}: requests received and
     * deliberately cut off, counting each retry; {@code connections_opened}; over TLS {@code resumed}: resumed
     * sessions.
     */
    @Override
    public Map<String, Double> metrics() {
        SimulatorReport report = gateway.report();
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("duplicates", (double) report.ids().duplicates());
        metrics.put("cut", (double) report.requests().cut());
        metrics.put("connections_opened", (double) report.connections().accepted());
        if (trust != null) {
            metrics.put("resumed", (double) report.tls().resumed());
        }
        return metrics;
    }

    /** The number of different payments received. */
    long ids() {
        return gateway.report().ids().unique();
    }

    @Override
    public List<TimeLine.Fault> faults() {
        return gateway.faults(lasting);
    }

    @Override
    public void close() throws IOException {
        gateway.close();
        if (trust != null) {
            trust.close();
        }
    }

    /**
     * The simulated gateway's certificate in a trust store file that replaces the JVM's default one. Deleted on close.
     *
     * <p>Every client finds it through the JVM's default mechanism, without special configuration: checking of certificates
     * and names, and session resumption, are each client's defaults.
     */
    static final class TrustStore implements AutoCloseable {
        /** Protects nothing: the certificate is public. */
        private static final String PASSWORD = "penstock";

        private final Path file;

        private TrustStore(Path file) {
            this.file = file;
        }

        /** Writes the file. */
        static TrustStore create() throws IOException {
            Path file = Files.createTempFile("penstock-trust", ".p12");
            try (OutputStream out = Files.newOutputStream(file)) {
                SimulatorCertificate.trust().store(out, PASSWORD.toCharArray());
                return new TrustStore(file);
            } catch (GeneralSecurityException e) {
                Files.delete(file);
                throw new IOException("the gateway's certificate cannot be written", e);
            }
        }

        Path file() {
            return file;
        }

        /** Makes this JVM trust only the certificates in the file; call before any use of TLS. */
        static void use(String file) {
            System.setProperty("javax.net.ssl.trustStore", file);
            System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
            System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
        }

        @Override
        public void close() throws IOException {
            Files.deleteIfExists(file);
        }
    }
}
