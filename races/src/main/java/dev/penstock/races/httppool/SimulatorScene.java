package dev.penstock.races.httppool;

import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.HttpSimulatorBuilder;
import dev.penstock.lab.simulate.SimulatorCertificate;
import dev.penstock.lab.simulate.SimulatorReport;
import java.io.IOException;
import java.io.OutputStream;
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
    static final String URL = "url";
    static final String TRUST = "trust_store";

    private final HttpSimulator gateway;
    private final @Nullable TrustStore trust;
    private final Duration lasting;

    private SimulatorScene(HttpSimulator gateway, @Nullable TrustStore trust, Duration lasting) {
        this.gateway = gateway;
        this.trust = trust;
        this.lasting = lasting;
    }

    /**
     * Starts a gateway.
     *
     * @param gateway its configuration
     * @param lasting duration of the load
     * @param tls whether to use TLS
     */
    static SimulatorScene open(HttpSimulatorBuilder gateway, Duration lasting, boolean tls) throws IOException {
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
     * deliberately cut off, counting each retry; {@code connections_opened}; over TLS {@code resumed}:
     * resumed sessions.
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
