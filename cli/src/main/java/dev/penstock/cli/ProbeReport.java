package dev.penstock.cli;

import dev.penstock.cli.probe.JmsPeer;
import dev.penstock.cli.probe.SettingsLibrary;
import dev.penstock.lab.probe.ProbeFile;
import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.lab.probe.ProbeSentences;
import dev.penstock.lab.probe.Recommendation;
import dev.penstock.lab.report.ResultTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What a probe found, for people and for files.
 *
 * @param kind of what was probed
 * @param target its URL as it was given
 * @param peers what it was asked
 * @param libraries whose settings are printed too
 */
record ProbeReport(ProbeKind kind, String target, PeerOptions peers, List<SettingsLibrary> libraries) {
    private static final String FROM = "{ http: { port: 8080, path: /v1 } }";

    /** Prints it, and writes the files that were asked for. */
    void show(ProbeFindings findings, CommandSpec spec, MeasuringOptions measuring) throws IOException {
        Recommendation recommended = recommended(findings);
        List<String> lines = sentences(findings);
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        if (recommended != null) {
            recommend(
                    out, "write into the flow file:", yaml(recommended).lines().toList());
        }
        for (SettingsLibrary library : libraries) {
            recommend(out, "for " + library.title() + ":", library.lines(findings));
        }
        out.flush();
        ResultTable table = new ResultTable().add("round trip", findings.roundTrip());
        lines.forEach(table::note);
        measuring.write(
                () -> ProbeFile.of(
                        Penstock.version(),
                        Penstock.commandLine(spec, target, peers.batchUrl()),
                        measuring.seed(),
                        findings,
                        recommended == null ? List.of() : recommended.advice()),
                table);
    }

    /** What to set in a flow; null where no flow leads, or something else was measured than what it would do. */
    @Nullable
    Recommendation recommended(ProbeFindings findings) {
        Recommendation.To to = kind.to();
        return to == null || !sends() ? null : new Recommendation(findings, to);
    }

    private boolean sends() {
        return kind != ProbeKind.JMS || peers.queue() != null;
    }

    List<String> sentences(ProbeFindings findings) {
        List<String> lines = new ArrayList<>(new ProbeSentences(findings).lines());
        if (kind == ProbeKind.TCP && !peers.sends()) {
            lines.add(
                    "connections that are killed silently cannot be told without --send: only a close or a reset was seen");
        }
        if (!sends()) {
            lines.add(
                    "a round trip was to open a connection and a session: name a --queue to measure sending, and to be"
                            + " told what to set");
        }
        if (kind == ProbeKind.JMS && JmsPeer.reconnects(findings.where().substring(LoadTarget.JMS.length()))) {
            lines.add(
                    "a client with several addresses connects again by itself, so connections that are killed cannot be"
                            + " told: name one address");
        }
        return List.copyOf(lines);
    }

    /** A flow file that leads to what was probed. */
    String yaml(Recommendation recommended) {
        return recommended.yaml("probed", FROM, to() + leftOut(), escaped(bare(peers.batchUrl())));
    }

    private String to() {
        return switch (kind) {
            case HTTP -> "{ http: { url: %s } }".formatted(quoted(bare(target)));
            case JDBC ->
                "{ jdbc: { url: %s, statement: %s } }".formatted(quoted(bare(target)), quoted(peers.statement()));
            case JMS ->
                "{ jms: { url: %s, queue: %s } }"
                        .formatted(
                                quoted(bare(target.substring(LoadTarget.JMS.length()))),
                                quoted(Objects.requireNonNull(peers.queue())));
            case TCP, UDP -> throw new IllegalStateException("no flow leads to datagrams and bare connections");
        };
    }

    /** A comment where something was cut off that may be secret. */
    private String leftOut() {
        return bare(target).equals(target) && bare(peers.batchUrl()).equals(peers.batchUrl())
                ? ""
                : " # add what is left out here: user and password, the query";
    }

    /** Without what may be secret, and without a sign that there was something. */
    private static String bare(String url) {
        return LoadTarget.withoutSecrets(url).replaceFirst("[?;][*]{3}$", "").replace("***@", "");
    }

    /** As flow files have it: on one line, and without placeholders. */
    private static String quoted(String text) {
        return "\"" + escaped(text) + "\"";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t")
                .replace("${", "$${");
    }

    /** Prints what to do, and where. Nothing when there is nothing. */
    static void recommend(PrintWriter out, String where, List<String> lines) {
        if (!lines.isEmpty()) {
            out.println(where);
            lines.forEach(line -> out.println("  " + line));
        }
    }
}
