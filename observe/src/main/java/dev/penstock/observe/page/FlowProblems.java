package dev.penstock.observe.page;

import dev.penstock.Accounting;
import dev.penstock.StageReport;
import dev.penstock.meter.RisingShare;
import dev.penstock.observe.FlowSnapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * What is wrong with a flow now, from consecutive snapshots: a line each, for the page. Without traffic the last
 * result stands.
 *
 * <p>No I/O. Not thread-safe.
 */
final class FlowProblems {
    private final RisingShare unanswered;
    private Accounting before;

    FlowProblems(FlowSnapshot first, long now) {
        this.before = first.account();
        this.unanswered = new RisingShare(now);
    }

    /**
     * The problems; empty when there is none.
     *
     * @param unreachable what is unreachable, a line each
     * @param nanos the ticker reading of the snapshot
     */
    List<String> next(FlowSnapshot now, List<String> unreachable, long nanos) {
        Accounting account = now.account();
        long lost = unanswered(account) - unanswered(before);
        unanswered.add(lost, lost + account.answered() - before.answered(), nanos);
        before = account;
        List<String> problems = new ArrayList<>(unreachable);
        now.stage("breaker")
                .map(StageReport::note)
                .filter(note -> !note.startsWith("closed"))
                .ifPresent(note -> problems.add("the breaker is " + note));
        problems.addAll(now.errors().values());
        now.servers().stream()
                .filter(server -> server.ejected())
                .forEach(server -> problems.add("server " + server.where() + " is ejected: it only failed"));
        if (unanswered.isRisen()) {
            String last = now.lastReason(reason -> true)
                    .map(known -> "; the last one: " + known.reason().format())
                    .orElse("");
            problems.add("%.0f %% of transactions are not answered%s".formatted(100 * unanswered.share(), last));
        }
        return problems;
    }

    private static long unanswered(Accounting account) {
        return account.rejected() + account.failed() + account.unknown();
    }
}
