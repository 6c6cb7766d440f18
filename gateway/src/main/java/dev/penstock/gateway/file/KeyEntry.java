package dev.penstock.gateway.file;

import dev.penstock.gateway.config.Key;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A key and its place.
 *
 * @param path for instance {@code flows.NAME.collapse.url}
 * @param target the only target that has the key; null for any
 */
record KeyEntry(String path, Key<?> key, @Nullable String target) {
    /** The beginning of the paths of the keys of a flow. */
    static final String FLOW = "flows.NAME.";

    String name() {
        return target == null ? path : path + ", with " + target;
    }

    /** Whether this is the key if its alias or its former name is the last word of a path. */
    boolean isAlias(String other) {
        String parent = path.substring(0, path.lastIndexOf('.') + 1);
        return Stream.concat(key.aliases().stream(), Stream.ofNullable(key.former()))
                .map(parent::concat)
                .anyMatch(alias -> ("." + alias).endsWith("." + other));
    }

    String mapping() {
        String parent = path.contains(".") ? path.substring(0, path.lastIndexOf('.')) : "The file";
        return (parent.equals("The file") ? parent : "`" + parent + "`")
                + (target == null ? "" : " with `" + target + "`");
    }

    private String absent() {
        return key.isRequired() ? "required" : key.whenAbsent().isEmpty() ? "none" : key.whenAbsent();
    }

    /** The name of its setting, if it is a key of a flow that can be pinned. */
    String setting() {
        return path.startsWith(FLOW) ? path.substring(FLOW.length()) : path;
    }

    private String marks() {
        String where = key.pinnable();
        return (key.type().isSecret() ? ". *Secret*" : "")
                + (where == null ? "" : ". *Pinnable*" + (where.isEmpty() ? "" : " " + where));
    }

    String row() {
        return "| `" + key.name() + "` | " + key.type().range() + " | " + absent() + " | "
                + key.help().replace("|", "\\|") + marks() + " |\n";
    }

    String explain() {
        StringBuilder text =
                new StringBuilder(name()).append("\n  ").append(key.help()).append("\n  value:    ");
        text.append(key.type().range())
                .append("\n  default:  ")
                .append(absent())
                .append('\n');
        if (key.isRequired()) {
            text.append("  example:  ").append(key.example()).append('\n');
        }
        if (!key.aliases().isEmpty()) {
            text.append("  aliases:  ")
                    .append(String.join(", ", key.aliases()))
                    .append(" (only understood in hints of errors)\n");
        }
        String where = key.pinnable();
        if (where != null) {
            text.append("  pin:      POST /settings/FLOW/")
                    .append(setting())
                    .append(where.isEmpty() ? "" : ", ")
                    .append(where)
                    .append('\n');
        }
        if (key.type().isSecret()) {
            text.append("  secret:   no output shows it\n");
        }
        List<Key<?>> inner = key.type().mappings().stream()
                .flatMap(mapping -> mapping.keys().stream())
                .toList();
        if (!inner.isEmpty()) {
            text.append("  keys:     ")
                    .append(String.join(", ", inner.stream().map(Key::name).toList()))
                    .append('\n');
        }
        return text.toString();
    }
}
