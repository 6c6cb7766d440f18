package dev.penstock.cli.probe;

import java.util.ArrayList;
import java.util.List;

/** Properties in lines, each with a comment above it that says why. For one thread. */
final class CommentedProperties {
    private final String prefix;
    private final List<String> lines = new ArrayList<>();

    /**
     * No line yet.
     *
     * @param prefix of every key
     */
    CommentedProperties(String prefix) {
        this.prefix = prefix;
    }

    /** A remark of its own. */
    CommentedProperties say(String remark) {
        lines.add("# " + remark);
        return this;
    }

    /** A setting and why. */
    CommentedProperties set(String key, Object value, String why) {
        say(why);
        lines.add(prefix + key + "=" + value);
        return this;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
