package dev.penstock.lab.page;

import dev.penstock.lab.report.ProbeNote;
import java.util.List;

/** The findings of a probe: its sentences, throughput by concurrency, and recommended settings. */
final class ProbeSection {
    private ProbeSection() {}

    static void add(Html html, String id, ProbeNote probe) {
        list(html, probe.findings());
        ProbeNote.Knee knee = probe.knee();
        if (knee != null && !knee.points().isEmpty()) {
            html.open("div", "class", "plots");
            new KneePlot(id + "-knee", knee).draw(html);
            html.close().line();
        }
        settings(html, probe.settings());
    }

    private static void list(Html html, List<String> findings) {
        html.element("h3", "Findings");
        html.open("ul", "class", "goals");
        findings.forEach(line -> html.element("li", line));
        html.close().line();
    }

    private static void settings(Html html, List<ProbeNote.Setting> settings) {
        if (settings.isEmpty()) {
            return;
        }
        html.element("h3", "Recommended settings");
        html.open(
                "div",
                "class",
                "scroll settings",
                "tabindex",
                "0",
                "role",
                "region",
                "aria-label",
                "Recommended settings");
        html.open("table").open("thead").open("tr");
        html.element("th", "setting", "scope", "col").element("th", "value", "scope", "col");
        html.element("th", "why", "scope", "col").close(2).open("tbody");
        for (ProbeNote.Setting setting : settings) {
            html.open("tr").element("th", setting.name(), "scope", "row");
            html.open("td").element("code", setting.value()).close();
            html.element("td", setting.reason()).close();
        }
        html.close(3).line();
    }
}
