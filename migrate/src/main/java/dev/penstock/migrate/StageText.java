package dev.penstock.migrate;

import dev.penstock.migrate.StageValue.FlowLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Writes the flows of a product: the lines of each in the order of {@link FlowKey}, nested. */
final class StageText {
    private StageText() {}

    /** Writes one flow; {@code port} is where it listens, unless a line says so. */
    static void write(String name, List<FlowLine> lines, int port, YamlText yaml) {
        yaml.line(1, name + ":");
        List<FlowLine> all = new ArrayList<>(lines);
        if (StageDefaults.find(FlowKey.PORT, lines) == null) {
            all.add(new FlowLine(FlowKey.PORT, Integer.toString(port), ""));
        }
        String path = StageDefaults.find(FlowKey.HOST, lines) == null ? "/" + name : "/";
        all.add(new FlowLine(FlowKey.PATH, path, ""));
        all.add(new FlowLine(
                FlowKey.URL, "\"https://target.example\"", "not in the old file: where the requests of this flow go"));
        all.sort(Comparator.comparing(FlowLine::key));
        String before = "";
        for (FlowLine line : all) {
            before = write(line, before, yaml);
        }
    }

    /** Writes a line below its parents, those that are new included; returns its path. */
    private static String write(FlowLine line, String before, YamlText yaml) {
        String[] path = line.key().path.split("\\.", -1);
        String[] last = before.split("\\.", -1);
        boolean same = true;
        for (int depth = 0; depth < path.length - 1; depth++) {
            same = same && depth < last.length - 1 && path[depth].equals(last[depth]);
            if (!same) {
                yaml.line(2 + depth, path[depth] + ":");
            }
        }
        String key = path[path.length - 1] + ": " + line.yaml();
        if (line.comment().isEmpty()) {
            yaml.line(1 + path.length, key);
        } else {
            yaml.line(1 + path.length, key, line.comment());
        }
        return line.key().path;
    }

    /** A valid name of a flow that is not in {@code taken}, which it is added to. */
    static String name(String old, Set<String> taken) {
        String plain = old.replaceAll("[^A-Za-z0-9_-]+", "-").replaceAll("^-+|-+$", "");
        String letter = plain.matches("[A-Za-z].*") ? plain : "flow-" + plain;
        String name = letter.length() > 50 ? letter.substring(0, 50) : letter;
        String free = name;
        for (int number = 2; !taken.add(free); number++) {
            free = name + "-" + number;
        }
        return free;
    }
}
