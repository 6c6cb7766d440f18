package dev.penstock.lab.compare.check;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks whether a table of results can be correct. Pure.
 *
 * <p>Checks: percentiles are ascending and consistent with the mean; percentiles are not printed as 0 or derived from
 * too few samples; counts add up; a rate equals count / time; users are not busy for longer than the run (Little's
 * law); totals; and in our own files, medians and verdicts follow from their blocks.
 */
public final class TableCheck {
    private static final Pattern USERS = Pattern.compile("closed load, (\\d+) users\\b.*");

    private TableCheck() {}

    /** Checks the rows of one table. */
    public static List<Finding> of(List<ResultRow> rows) {
        Findings findings = new Findings();
        check(rows, findings);
        return findings.list();
    }

    /** Checks a result file: each block, the medians and the verdicts. */
    public static List<Finding> of(ResultFile file) {
        Findings findings = new Findings();
        rows(file).forEach(row -> check(List.of(row), findings));
        file.contestants().forEach(contestant -> totals(contestant, findings));
        VerdictChecks.check(file, findings);
        return findings.list();
    }

    /** The labels of each block add up to the block. */
    private static void totals(Contestant contestant, Findings findings) {
        for (int i = 0; i < contestant.blocks().size(); i++) {
            List<ResultRow> rows = new ArrayList<>();
            for (Contestant label : contestant.byLabel()) {
                if (i < label.blocks().size()) {
                    rows.add(ResultRow.of(label.name(), label.blocks().get(i)));
                }
            }
            rows.add(ResultRow.of("total", contestant.blocks().get(i)));
            TotalChecks.check(rows, findings);
        }
    }

    /** The rows of a result file, one per block, of each contestant and each of its labels. */
    public static List<ResultRow> rows(ResultFile file) {
        List<ResultRow> rows = new ArrayList<>();
        for (Contestant contestant : file.contestants()) {
            String name = (contestant.course() == null ? "" : contestant.course() + " / ") + contestant.name();
            for (int i = 0; i < contestant.blocks().size(); i++) {
                Map<String, Double> figures =
                        new LinkedHashMap<>(contestant.blocks().get(i));
                Matcher closed = USERS.matcher(contestant.settings().getOrDefault("load", ""));
                if (closed.matches()) {
                    figures.put("users_max", Double.valueOf(closed.group(1)));
                }
                rows.add(ResultRow.of(name + block(contestant, i), figures));
            }
            for (Contestant label : contestant.byLabel()) {
                for (int i = 0; i < label.blocks().size(); i++) {
                    rows.add(ResultRow.of(
                            name + ", " + label.name() + block(label, i),
                            label.blocks().get(i)));
                }
            }
        }
        return rows;
    }

    private static String block(Contestant contestant, int index) {
        return contestant.blocks().size() == 1 ? "" : ", block " + (index + 1);
    }

    private static void check(List<ResultRow> rows, Findings findings) {
        for (ResultRow row : rows) {
            TimeChecks.check(row, findings);
            CountChecks.check(row, findings);
            RateChecks.check(row, findings);
        }
        TotalChecks.check(rows, findings);
    }
}
