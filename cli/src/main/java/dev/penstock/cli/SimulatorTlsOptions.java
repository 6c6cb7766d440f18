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

/** The options that make a simulator speak TLS. */
final class SimulatorTlsOptions {
    @Option(
            names = "--tls",
            description = "Speak TLS 1.3 and 1.2, with a public certificate for localhost, 127.0.0.1 and ::1.")
    private boolean on;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "Write that certificate as PEM, for clients to trust (with --tls).")
    private @Nullable Path certificate;

    /** Options not given yet; picocli fills them in. */
    SimulatorTlsOptions() {}

    /**
     * Looks whether the options make sense, before anything starts.
     *
     * @throws ParameterException when not, in one line that says what to do
     */
    void check(CommandLine command) {
        if (certificate != null && !on) {
            throw new ParameterException(command, "--tls-certificate does nothing without --tls: give both");
        }
        ResultPath.check(command, certificate);
    }

    /** Makes the simulator speak TLS if it is to, and writes the certificate where it is wanted. */
    void apply(HttpSimulatorBuilder plan) throws IOException {
        if (on) {
            plan.tls(SimulatorCertificate.serverContext());
        }
        if (certificate != null) {
            ResultFile.writeText(certificate, SimulatorCertificate.pem());
        }
    }

    /** Where clients find the certificate, for people. */
    List<String> hello() {
        if (!on) {
            return List.of();
        }
        return List.of(
                certificate == null
                        ? "clients need its certificate: --tls-certificate FILE writes it"
                        : "clients find its certificate in " + certificate);
    }
}
