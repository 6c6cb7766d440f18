package dev.penstock.cli;

import dev.penstock.Accounting;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.ResultTable;
import dev.penstock.lab.simulate.SimulatorReport;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a demo, from the view of callers, flow and simulated gateway.
 *
 * @param load the result of the callers
 * @param account the accounting of the drained flow
 * @param bottleneck the bottleneck stage, and how to relieve it
 * @param received the report of the simulated gateway
 * @param connections the connections of the flow by state, before the drain
 * @param from the source of the flow
 */
record DemoReport(
        LoadResult load,
        Accounting account,
        String bottleneck,
        SimulatorReport received,
        Map<String, Long> connections,
        String from) {

    /** The text report: the table, the three views, and the verdict in the last line. */
    String text() {
        StringBuilder text = new StringBuilder("\n%s\nflow:     %s\nflow:     %s\n"
                .formatted(new ResultTable().add("callers", load).text(), account.sentence(), bottleneck));
        text.append(
                "flow:     opened %d connections to the gateway\n".formatted(connections.getOrDefault("opened", 0L)));
        received.lines().forEach(line -> text.append("gateway:  ").append(line).append('\n'));
        return text + "\n" + verdict() + "\n";
    }

    private String verdict() {
        String why = failure();
        if (why != null) {
            return "FAILED: " + why;
        }
        String errors = load.counts().errors() == 0
                ? "all"
                : String.valueOf(load.counts().right());
        return String.format(
                Locale.ROOT,
                "OK: %,d payments offered, %s answered, none without an ending, none received twice by the gateway."
                        + " Accounting balanced.",
                account.offered(),
                errors);
    }

    /** Why the demo failed, in one sentence; null when it succeeded. */
    @Nullable
    String failure() {
        if (!account.isSettled()) {
            return "accounting not balanced: " + account.sentence();
        }
        if (load.counts().lost() > 0) {
            return load.counts().lost() + " payments never ended for their callers";
        }
        if (account.offered() < load.counts().right()) {
            return "callers received %d answers to %d payments"
                    .formatted(load.counts().right(), account.offered());
        }
        if (received.ids().unique() < account.answered()) {
            return "the flow answered %d payments, but the gateway received only %d"
                    .formatted(account.answered(), received.ids().unique());
        }
        if (received.ids().duplicates() > 0) {
            return "the gateway received " + received.ids().duplicates() + " payments twice";
        }
        String invalid = load.validity().whyInvalid();
        return invalid == null ? null : "the measurement is INVALID: " + invalid;
    }

    /** The report as a result file. */
    ResultFile file(String command, long seed) {
        return ResultFile.ofLoad(Penstock.version(), command, seed, "penstock", Map.of("target", from), load);
    }
}
