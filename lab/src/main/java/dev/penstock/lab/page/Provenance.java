package dev.penstock.lab.page;

import dev.penstock.lab.report.Machine;
import dev.penstock.lab.report.ResultFile;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The end of the page: the machine, and the command that repeats the measurement. */
final class Provenance {
    private Provenance() {}

    static void add(Html html, ResultFile file) {
        Machine machine = file.machine();
        html.open("section", "class", "origin")
                .element("h2", "How it was measured")
                .open("dl", "class", "facts");
        fact(html, "Cores", String.valueOf(machine.cores()));
        fact(html, "Memory", memory(machine.memoryMb()));
        fact(html, "Kernel", machine.kernel());
        fact(html, "JDK", machine.jdk());
        fact(html, "Penstock", file.version());
        fact(html, "Seed", String.valueOf(file.seed()));
        Double noise = file.aaNoisePercent();
        fact(html, "A/A noise", noise == null ? PageNumbers.NOT_KNOWN : "±" + PageNumbers.number(noise) + " %");
        html.close();
        html.element("h3", "Command to repeat it").open("pre", "class", "command", "tabindex", "0");
        html.element("code", file.command(), "id", "command").close(2).line();
    }

    private static void fact(Html html, String name, @Nullable String value) {
        html.open("div")
                .element("dt", name)
                .element("dd", value == null ? PageNumbers.NOT_KNOWN : value)
                .close();
    }

    private static String memory(long mb) {
        if (mb <= 0) {
            return PageNumbers.NOT_KNOWN;
        }
        return mb >= 1024 ? String.format(Locale.ROOT, "%.1f GB", mb / 1024.0) : mb + " MB";
    }
}
