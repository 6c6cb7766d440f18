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
 * The result of a demo of a fleet, from the view of callers, balancer and simulated target.
 *
 * @param load the result of the callers; right is accepted
 * @param account the accounting of the drained balancer
 * @param received the report of the target
 * @param kills how many gateways were killed and started again
 * @param broken why one did not start again; null if all did
 * @param from the source of the balancer
 */
record FleetReport(
        LoadResult load,
        Accounting account,
        SimulatorReport received,
        int kills,
        @Nullable String broken,
        String from) {
    /** The text report, with the verdict in the last line. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append('\n').append(new ResultTable().add("accepted", load).text()).append('\n');
        text.append("balancer: ").append(account.sentence()).append('\n');
        received.lines().forEach(line -> text.append("target:   ").append(line).append('\n'));
        String why = failure();
        return text.append('\n')
                .append(why == null ? success() : "FAILED: " + why)
                .append('\n')
                .toString();
    }

    private String success() {
        return String.format(
                Locale.ROOT,
                "OK: %,d payments offered, %,d accepted, none lost, none with two effects (%,d repeats recognised), never more than"
                        + " %d calls at the target at once, while gateways were killed %d times.",
                load.counts().offered(),
                load.counts().right(),
                received.ids().duplicates(),
                FleetDemo.CAP,
                kills);
    }

    /** Why the demo failed, in one sentence; null when it succeeded. */
    @Nullable
    String failure() {
        if (broken != null) {
            return broken;
        }
        if (!account.isSettled()) {
            return "accounting not balanced: " + account.sentence();
        }
        if (load.counts().lost() > 0) {
            return load.counts().lost() + " payments never ended for their callers";
        }
        if (received.ids().applied() < load.counts().right()) {
            return "%d payments were accepted, but the target received only %d"
                    .formatted(load.counts().right(), received.ids().applied());
        }
        if (received.requests().errors() > 0) {
            return "the target refused %d calls beyond %d at once"
                    .formatted(received.requests().errors(), FleetDemo.CAP);
        }
        return received.ids().without() == 0
                ? null
                : received.ids().without() + " payments reached the target without their key";
    }

    /** The report as a result file. */
    ResultFile file(String command, long seed) {
        return ResultFile.ofLoad(
                "fleet", Penstock.version(), command, seed, "gateways", Map.of("target", from), load, load.metrics());
    }
}
