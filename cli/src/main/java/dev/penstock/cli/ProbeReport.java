package dev.penstock.cli;

import dev.penstock.cli.probe.Library;
import dev.penstock.lab.probe.Announced;
import dev.penstock.lab.probe.ProbeFile;
import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.lab.probe.ProbeSentences;
import dev.penstock.lab.probe.Recommendation;
import dev.penstock.lab.report.ResultTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What a probe found, for people and for files.
 *
 * @param kind of what was probed
 * @param peers what it was asked
 * @param libraries whose settings are printed too
 */
record ProbeReport(ProbeKind kind, PeerOptions peers, List<Library> libraries) {
    private static final String FROM = "{ http: { port: 8080, path: /v1 } }";

    /** Prints it, and writes the files that were asked for. */
    void show(ProbeFindings findings, CommandSpec spec, MeasuringOptions measuring, String target) throws IOException {
        Recommendation.To to = kind.to();
        Recommendation recommended = new Recommendation(findings, to == null ? Recommendation.To.HTTP : to);
        List<String> lines = sentences(findings);
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        if (to != null) {
            recommend(
                    out, "write into the flow file:", yaml(recommended).lines().toList());
        }
        for (Library library : libraries) {
            recommend(out, "for " + library.title() + ":", library.lines(findings));
        }
        out.flush();
        ResultTable table = new ResultTable().add("round trip", findings.roundTrip());
        lines.forEach(table::note);
        measuring.write(
                () -> ProbeFile.of(
                        Penstock.version(),
                        Penstock.commandLine(spec, peers.headers(), target, peers.batchUrl()),
                        measuring.seed(),
                        recommended),
                table);
    }

    private List<String> sentences(ProbeFindings findings) {
        List<String> lines = new ArrayList<>(new ProbeSentences(findings).lines());
        for (Announced one : findings.announced()) {
            String line = one.name() + " = " + one.value();
            if (lines.stream().noneMatch(said -> said.contains(one.name()))) {
                lines.add("announced: " + line + " (" + one.meaning() + ")");
            }
        }
        if (kind == ProbeKind.TCP && !peers.sends()) {
            lines.add(
                    "connections that are killed silently cannot be told without --send: only a close or a reset was seen");
        }
        if (kind == ProbeKind.JMS && peers.queue() == null) {
            lines.add("a round trip was to open a connection and a session: name a --queue to measure sending");
        }
        return List.copyOf(lines);
    }

    /** A flow file that leads to what was probed. */
    String yaml(Recommendation recommended) {
        return recommended.yaml("probed", FROM, to(recommended.findings().where()), peers.batchUrl());
    }

    private String to(String where) {
        return switch (kind) {
            case HTTP -> "{ http: { url: %s } }".formatted(quoted(where));
            case JDBC ->
                "{ jdbc: { url: %s, statement: %s } }"
                        .formatted(quoted(where.replaceFirst("[?;][*]*$", "")), quoted(peers.statement()));
            case JMS ->
                "{ jms: { url: %s, queue: %s } }"
                        .formatted(
                                quoted(where.substring(Subject.JMS.length())),
                                quoted(peers.queue() == null ? "payments" : peers.queue()));
            case TCP, UDP -> throw new IllegalStateException("no flow leads to " + where);
        };
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\s+", " ") + "\"";
    }

    /** Prints what to do, and where. Nothing when there is nothing. */
    static void recommend(PrintWriter out, String where, List<String> lines) {
        if (!lines.isEmpty()) {
            out.println(where);
            lines.forEach(line -> out.println("  " + line));
        }
    }
}
