package dev.penstock.gateway.file;

import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.file.EmbeddedFlows.Property;
import dev.penstock.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Properties as the text of a flow file, each in a line of its own, so that the line of a problem is that of its property.
 * The text is the JSON that YAML includes.
 */
final class PropertyText {
    /** In quotes it would be a text. */
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

    private static final Pattern INDEX = Pattern.compile("\\[\\d+]");

    private final String root;
    private final StringBuilder text = new StringBuilder();
    /** What each line is about. */
    private final List<String> lines = new ArrayList<>();

    /** A property, or those that begin with a name. The first of them is the one that counts. */
    private static final class Branch {
        final Property first;
        final Map<String, Branch> below = new LinkedHashMap<>();
        String key = "";

        Branch(Property first) {
            this.first = first;
        }

        boolean isList() {
            return below.values().stream()
                    .allMatch(one -> INDEX.matcher(one.key).matches());
        }
    }

    private PropertyText(String root) {
        this.root = root;
    }

    /**
     * Writes the text.
     *
     * @param root what the names of all properties begin with
     * @param properties those that count first
     * @param keys the keys that they may have
     */
    static PropertyText of(String root, List<Property> properties, Schema keys) {
        PropertyText text = new PropertyText(root);
        Branch tree = new Branch(new Property(List.of(), "", "", 0));
        properties.forEach(property -> add(property, tree));
        text.line("{", root);
        tree.below.values().forEach(branch -> text.write(branch, keys, root));
        text.line("}", root);
        return text;
    }

    private static void add(Property property, Branch tree) {
        Branch at = tree;
        for (String element : property.path()) {
            boolean isElement = INDEX.matcher(element).matches();
            boolean isValue = at.below.isEmpty() && !at.first.equals(property);
            if (!at.key.isEmpty() && (isValue || (isElement && isOther(at, property)))) {
                return; // a value, or a list, of a source that counts first
            }
            // Environment variables have no upper case and no dashes. The source that counts last has the usual form.
            Branch next = at.below.computeIfAbsent(Schema.plain(element), _ -> new Branch(property));
            next.key = element;
            at = next;
        }
    }

    /** Lists are not merged. */
    private static boolean isOther(Branch list, Property property) {
        return list.first.source() != property.source();
    }

    private void write(Branch branch, @Nullable Schema keys, String path) {
        boolean isElement = INDEX.matcher(branch.key).matches();
        String key = keys == null ? branch.key.replace('-', '_') : keys.relaxed(branch.key);
        String name = path + (isElement ? branch.key : "." + branch.key);
        String about = name + " (" + branch.first.origin() + ")";
        String start = isElement ? "" : Json.write(key) + ": ";
        if (branch.below.isEmpty()) {
            line(start + scalar(branch.first.value()) + ",", about);
            return;
        }
        boolean list = branch.isList();
        Schema inner = isElement || keys == null ? keys : keys.below(key);
        line(start + (list ? "[" : "{"), about);
        branch.below.values().forEach(one -> write(one, inner, name));
        line(list ? "]," : "},", about);
    }

    private static String scalar(String value) {
        return value.isEmpty() ? "null" : NUMBER.matcher(value).matches() ? value : Json.write(value);
    }

    private void line(String written, String about) {
        text.append(written).append('\n');
        lines.add(about);
    }

    String text() {
        return text.toString();
    }

    /** The property at a location of the text, with its origin. */
    String where(FileLocation at) {
        return at.line() < 1 || at.line() > lines.size() ? root : lines.get(at.line() - 1);
    }
}
