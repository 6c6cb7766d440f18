package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.check.Finding.Severity;
import java.util.ArrayList;
import java.util.List;

/** Collects findings. For one thread. */
final class Findings {
    private final List<Finding> list = new ArrayList<>();

    void impossible(ResultRow row, String text) {
        list.add(new Finding(Severity.IMPOSSIBLE, row.name(), text));
    }

    void suspicious(ResultRow row, String text) {
        list.add(new Finding(Severity.SUSPICIOUS, row.name(), text));
    }

    List<Finding> list() {
        return List.copyOf(list);
    }
}
