package dev.penstock.cli;

import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.simulate.HttpSimulatorBuilder;
import dev.penstock.lab.simulate.SimulatorCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** TLS options of a simulator. */
final class SimulatorTlsOptions {
    @Option(
            names = "--tls",
            description = "Use TLS 1.3 and 1.2, with a public test certificate for localhost, 127.0.0.1 and ::1.")
    private boolean on;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "Write that certificate as PEM, for the trust store of clients (with --tls).")
    private @Nullable Path certificate;

    /** For picocli. */
    SimulatorTlsOptions() {}

    /**
     * Checks the options before anything starts.
     *
     * @throws ParameterException invalid options, with a one-line remedy
     */
    void check(CommandLine command) {
        if (certificate != null && !on) {
            throw new ParameterException(command, "--tls-certificate has no effect without --tls: add --tls");
        }
        MeasuringOptions.checkWritable(command, certificate);
    }

    /** Enables TLS if requested, and writes the certificate if requested. */
    void apply(HttpSimulatorBuilder plan) throws IOException {
        if (on) {
            plan.tls(SimulatorCertificate.serverContext());
        }
        if (certificate != null) {
            ResultFile.writeText(certificate, SimulatorCertificate.pem());
        }
    }

    /** A remark about the certificate for clients. */
    List<String> banner() {
        if (!on) {
            return List.of();
        }
        return List.of(
                certificate == null
                        ? "clients must trust its certificate: write it with --tls-certificate FILE"
                        : "clients must trust its certificate in " + certificate);
    }
}
