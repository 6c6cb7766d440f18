package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.YamlTree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Parses the YAML of Spring to named values: {@code a.b[0]=c}, whether keys are nested or have dots. Values of a
 * document that only applies with a profile have that profile. Not thread-safe.
 */
final class YamlSettings {
    /** Aliases can multiply values without limit. */
    private static final int MAX_VALUES = 10_000;

    private final List<PropertyLine> found = new ArrayList<>();

    private YamlSettings() {}

    static List<PropertyLine> parse(String text, ConfigProblems problems) {
        YamlSettings settings = new YamlSettings();
        List<PropertyLine> all = new ArrayList<>();
        for (Node document : YamlTree.documents(text, problems)) {
            settings.add("", document, YamlTree.location(document));
            String profile = profile(settings.found);
            settings.found.stream()
                    .map(line -> new PropertyLine(line.name(), line.value(), line.location(), profile))
                    .forEach(all::add);
            settings.found.clear();
        }
        if (all.size() > MAX_VALUES) {
            problems.add("the file has more than " + MAX_VALUES + " values; give one file of settings");
            return List.of();
        }
        return all;
    }

    private static String profile(List<PropertyLine> document) {
        return document.stream()
                .filter(line -> line.name().matches("spring\\.config\\.activate\\.on-?[pP]rofile|spring\\.profiles"))
                .map(line -> line.value().strip())
                .findFirst()
                .orElse("");
    }

    private void add(String name, @Nullable Node node, FileLocation location) {
        if (found.size() > MAX_VALUES) {
            return;
        }
        switch (node) {
            case MappingNode mapping -> mapping.getValue().forEach(entry -> add(name, entry));
            case SequenceNode sequence -> {
                for (int at = 0; at < sequence.getValue().size(); at++) {
                    Node item = sequence.getValue().get(at);
                    add(name + "[" + at + "]", item, YamlTree.location(item));
                }
            }
            case ScalarNode scalar -> {
                boolean isNull = scalar.isPlain() && scalar.getValue().matches("null|~");
                found.add(new PropertyLine(name, isNull ? "" : scalar.getValue(), location));
            }
            case null, default -> {}
        }
    }

    private void add(String before, NodeTuple entry) {
        if (!(entry.getKeyNode() instanceof ScalarNode key)) {
            return;
        }
        String name = key.getValue();
        // A merge key adds the entries of another mapping; Spring writes [a.b] for a name with dots.
        String path = name.equals("<<")
                ? before
                : before.isEmpty() || name.startsWith("[") ? before + name : before + "." + name;
        add(path, entry.getValueNode(), YamlTree.location(key));
    }
}
