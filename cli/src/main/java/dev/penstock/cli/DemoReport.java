package dev.penstock.cli;

import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.ResultTable;
import dev.penstock.lab.simulate.SimulatorReport;
import dev.penstock.meter.Accounting;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of the payments of a demo, as the three who took part in it saw it: callers, flow, simulated gateway.
 *
 * @param load what the callers saw
 * @param account the accounting of the flow, after it was drained
 * @param bottleneck which of its stages bound, and what would move it
 * @param received what the simulated gateway received
 * @param connections the flow's connections to it, by state, before it was drained
 * @param from where the flow listened
 */
record DemoReport(
        LoadResult load,
        Accounting account,
        String bottleneck,
        SimulatorReport received,
        Map<String, Long> connections,
        String from) {

    /** The report for people: the table, what each saw, and the verdict in the last line. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append('\n').append(new ResultTable().add("callers", load).text()).append('\n');
        text.append("flow:     ").append(account.sentence()).append('\n');
        text.append("flow:     ").append(bottleneck).append('\n');
        text.append("flow:     opened ")
                .append(connections.getOrDefault("opened", 0L))
                .append(" connections to the gateway\n");
        received.lines().forEach(line -> text.append("gateway:  ").append(line).append('\n'));
        return text.append('\n').append(verdict()).append('\n').toString();
    }

    private String verdict() {
        String why = whyFailed();
        if (why != null) {
            return "FAILED: " + why;
        }
        String errors =
                load.counts().errors() == 0 ? "every one" : load.counts().right() + " of them";
        return String.format(
                Locale.ROOT,
                "OK: %,d payments offered, %s answered, none without an ending, none twice at the gateway. The law"
                        + " holds.",
                account.offered(),
                errors);
    }

    /** Why the demo failed, in one sentence with its numbers; null when it did not. */
    @Nullable
    String whyFailed() {
        if (!account.isSettled()) {
            return "the law is broken: " + account.sentence();
        }
        if (load.counts().lost() > 0) {
            return load.counts().lost() + " payments never ended for their callers";
        }
        if (account.offered() < load.counts().right()) {
            return "callers have %d answers to %d payments"
                    .formatted(load.counts().right(), account.offered());
        }
        if (received.ids().unique() < account.answered()) {
            return "the flow answered %d payments of which the gateway received %d"
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
