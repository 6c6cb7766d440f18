package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.YamlTree;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.CollectionNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Parses the YAML of Spring to named values: {@code a.b[0]=c}, whether keys are nested or have dots. An empty list or
 * mapping is an empty value. Not thread-safe.
 */
final class YamlSettings {
    /** Aliases can multiply values without limit. */
    private static final int MAX_VALUES = 10_000;

    /** {@code @name@}, which Maven replaces before an application reads the file. */
    private static final Pattern MAVEN =
            Pattern.compile("(?m)^([^#'\"\\r\\n]*?(?::|-)[ \\t]+)(@[^#'\\r\\n]*?)(?=[ \\t]*(?:[ \\t]#.*)?\\r?$)");

    private final List<PropertyLine> found = new ArrayList<>();

    private YamlSettings() {}

    static List<PropertyLine> parse(String text, ConfigProblems problems) {
        List<PropertyLine> all = new ArrayList<>();
        for (Node document : YamlTree.documents(MAVEN.matcher(text).replaceAll("$1'$2'"), problems)) {
            YamlSettings settings = new YamlSettings();
            settings.add("", document, YamlTree.location(document));
            all.addAll(OldFile.conditioned(settings.found));
        }
        if (all.size() > MAX_VALUES) {
            problems.add("the file has more than " + MAX_VALUES + " values; give one file of settings");
            return List.of();
        }
        return all;
    }

    private void add(String name, @Nullable Node node, FileLocation location) {
        if (found.size() > MAX_VALUES) {
            return;
        }
        switch (node) {
            case CollectionNode<?> empty when empty.getValue().isEmpty() -> add(name, "", location);
            case MappingNode mapping -> mapping.getValue().forEach(entry -> add(name, entry));
            case SequenceNode sequence -> {
                int at = 0;
                for (Node item : sequence.getValue()) {
                    add(name + "[" + at++ + "]", item, YamlTree.location(item));
                }
            }
            case ScalarNode scalar ->
                add(name, scalar.isPlain() ? plain(scalar.getValue()) : scalar.getValue(), location);
            case null, default -> {}
        }
    }

    private void add(String name, String value, FileLocation location) {
        if (!name.isEmpty()) {
            found.add(new PropertyLine(name, value, location));
        }
    }

    private void add(String before, NodeTuple entry) {
        if (entry.getKeyNode() instanceof ScalarNode key) {
            String name = key.getValue();
            // A merge key adds the entries of another mapping; Spring writes [a.b] for a name with dots.
            String dotted = before.isEmpty() || name.startsWith("[") ? before + name : before + "." + name;
            add(name.equals("<<") ? before : dotted, entry.getValueNode(), YamlTree.location(key));
        }
    }

    /** The value of a scalar without quotes: Spring reads YAML 1.1, which has more notations than 1.2. */
    private static String plain(String value) {
        return switch (value) {
            case "null", "Null", "NULL", "~" -> "";
            case "yes", "Yes", "YES", "on", "On", "ON" -> "true";
            case "no", "No", "NO", "off", "Off", "OFF" -> "false";
            default -> value.matches("[+-]?\\d[\\d_]*") ? value.replace("_", "") : value;
        };
    }
}
