package dev.penstock.cli;

import dev.penstock.cli.probe.JmsPeer;
import dev.penstock.lab.probe.ProbeFile;
import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.lab.probe.ProbeSentences;
import dev.penstock.lab.probe.Recommendation;
import dev.penstock.lab.probe.SettingsText;
import dev.penstock.lab.report.ResultTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The report of a probe, as text and as files.
 *
 * @param kind the kind of target
 * @param target the URL as given
 * @param peers the request options
 * @param hikari whether to print the settings of a HikariCP pool too
 */
record ProbeReport(TargetKind kind, String target, PeerOptions peers, boolean hikari) {
    private static final String FROM = "{ http: { port: 8080, path: /v1 } }";

    /**
     * Prints the report and writes the requested files.
     *
     * @return the exit code
     */
    int show(ProbeFindings findings, CommandSpec spec, MeasuringOptions measuring) throws IOException {
        Recommendation recommended = recommended(findings);
        List<String> lines = sentences(findings);
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        if (recommended != null) {
            recommend(out, "add to the flow file:", yaml(recommended));
        }
        if (hikari) {
            recommend(out, "for HikariCP (hikari.properties):", SettingsText.hikari(findings));
        }
        ResultTable table = new ResultTable().add("round trip", findings.roundTrip());
        lines.forEach(table::note);
        measuring.write(
                () -> ProbeFile.of(
                        Penstock.version(),
                        Penstock.commandLine(spec, target, peers.batchUrl()),
                        measuring.seed(),
                        findings,
                        recommended == null ? List.of() : recommended.advice()),
                table.markdown());
        return findings.validity().valid() ? CommandLineExit.DONE : CommandLineExit.FAILED;
    }

    /** The settings for a flow; null if flows have no such target, or if something else was measured. */
    @Nullable
    Recommendation recommended(ProbeFindings findings) {
        Recommendation.To to = kind.to();
        return to == null || !sends() ? null : new Recommendation(findings, to);
    }

    private boolean sends() {
        return kind != TargetKind.JMS || peers.queue() != null;
    }

    List<String> sentences(ProbeFindings findings) {
        List<String> lines = new ArrayList<>(new ProbeSentences(findings).lines());
        if (kind == TargetKind.TCP && !peers.sends()) {
            lines.add("without --send, silently dropped connections are not detected, only a close or a reset");
        }
        if (!sends()) {
            lines.add("the round trip was opening a connection and a session: add --queue to measure sending and to get"
                    + " recommended settings");
        }
        if (kind == TargetKind.JMS && JmsPeer.reconnects(findings.where().substring(LoadTarget.JMS.length()))) {
            lines.add("a client with several addresses reconnects by itself, so killed connections are not detected:"
                    + " use one address");
        }
        if (kind == TargetKind.KAFKA) {
            lines.add("Kafka's client reconnects by itself, so killed connections are not detected");
        }
        return List.copyOf(lines);
    }

    /** A flow file with the probed target. */
    List<String> yaml(Recommendation recommended) {
        return SettingsText.yaml(recommended, "probed", FROM, to() + omitted(), escaped(bare(peers.batchUrl())));
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
            case KAFKA ->
                "{ kafka: { url: %s, topic: %s } }"
                        .formatted(
                                quoted(LoadTarget.cluster(target).servers()),
                                quoted(Objects.requireNonNull(peers.topic())));
            case TCP, UDP -> throw new IllegalStateException("flows have no such target");
        };
    }

    /** A comment where a possible secret was removed. */
    private String omitted() {
        return bare(target).equals(target) && bare(peers.batchUrl()).equals(peers.batchUrl())
                ? ""
                : " # add the omitted parts: user and password, the query";
    }

    /** Removes possible secrets without a trace. */
    private static String bare(String url) {
        return LoadTarget.withoutSecrets(url).replaceFirst("[?;][*]{3}$", "").replace("***@", "");
    }

    /** Quoted for a flow file: on one line, without placeholders. */
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

    /** Prints a title and lines, if there are lines. */
    static void recommend(PrintWriter out, String where, List<String> lines) {
        if (!lines.isEmpty()) {
            out.println(where);
            lines.forEach(line -> out.println("  " + line));
        }
    }
}
