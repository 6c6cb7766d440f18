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
 * Whether a table of results can be true at all. Pure.
 *
 * <p>It looks at: percentiles that do not rise, or that the mean contradicts; percentiles printed as 0, or told of too few
 * samples; counts that do not add up; a rate that is not count / time; users who would have been busy for longer than the run
 * (Little's law); totals; and, in our own files, medians and verdicts that do not follow from their blocks.
 */
public final class TableCheck {
    private static final Pattern USERS = Pattern.compile("closed load, (\\d+) users\\b.*");

    private TableCheck() {}

    /** Checks the rows of one table. */
    public static List<Finding> of(List<ResultRow> rows) {
        Findings findings = new Findings();
        look(rows, findings);
        return findings.list();
    }

    /** Checks a result file: each block of it, and what is said of all. */
    public static List<Finding> of(ResultFile file) {
        Findings findings = new Findings();
        rows(file).forEach(row -> look(List.of(row), findings));
        VerdictChecks.look(file, findings);
        return findings.list();
    }

    /** The rows of a result file, one for each block. */
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
                rows.add(ResultRow.of(contestant.blocks().size() == 1 ? name : name + ", block " + (i + 1), figures));
            }
        }
        return rows;
    }

    private static void look(List<ResultRow> rows, Findings findings) {
        for (ResultRow row : rows) {
            TimeChecks.look(row, findings);
            CountChecks.look(row, findings);
            RateChecks.look(row, findings);
        }
        TotalChecks.look(rows, findings);
    }
}
