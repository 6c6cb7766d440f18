package dev.penstock.lab.probe;

import dev.penstock.lab.report.ResultFile;
import java.util.Map;

/** What a {@link Probe} found as a result file, experiment {@code probe}; {@code HtmlReport} draws its curves. */
public final class ProbeFile {
    private ProbeFile() {}

    /**
     * The file.
     *
     * @param version of Penstock
     * @param command that made it
     * @param seed where its chance began
     * @param recommended what was found, and what to set
     */
    public static ResultFile of(String version, String command, long seed, Recommendation recommended) {
        ProbeFindings findings = recommended.findings();
        return ResultFile.ofLoad(
                "probe",
                version,
                command,
                seed,
                findings.where(),
                Map.of(),
                findings.roundTrip(),
                findings.roundTrip().metrics());
    }
}
