package dev.penstock.cli.probe;

import java.util.ArrayList;
import java.util.List;

/** Lines of properties, each preceded by a comment with its reason. Not thread-safe. */
final class CommentedProperties {
    private final String prefix;
    private final List<String> lines = new ArrayList<>();

    /**
     * Starts without lines.
     *
     * @param prefix the prefix of every key
     */
    CommentedProperties(String prefix) {
        this.prefix = prefix;
    }

    /** Adds a comment. */
    CommentedProperties comment(String remark) {
        lines.add("# " + remark);
        return this;
    }

    /** Adds a setting with its reason. */
    CommentedProperties set(String key, Object value, String why) {
        comment(why);
        lines.add(prefix + key + "=" + value);
        return this;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
