package dev.penstock.lab.probe;

import java.util.List;

/**
 * Writes recommended settings as a flow file, each with its reason as a comment above it.
 *
 * @param advice the settings
 * @param collapsesByUrl whether batches go to a separate URL
 * @param batchUrl that URL; empty when unknown
 */
record AdvisedFile(List<Advice> advice, boolean collapsesByUrl, String batchUrl) {
    private static final int WIDTH = 110;

    String text(String name, String from, String target) {
        StringBuilder text = new StringBuilder("flows:\n");
        text.append("  ").append(name).append(":\n");
        text.append("    from: ").append(from).append('\n');
        text.append("    to: ").append(target).append('\n');
        String group = "";
        for (Advice one : advice) {
            int dot = one.setting().indexOf('.');
            String parent = dot < 0 ? "" : one.setting().substring(0, dot);
            String key = one.setting().substring(dot + 1);
            if (parent.equals("collapse") && collapsesByUrl && batchUrl.isEmpty()) {
                comment(text, "    ", "collapse: { url: ..., max: " + one.value() + " } would pay: " + one.reason());
                continue;
            }
            if (!parent.isEmpty() && !parent.equals(group)) {
                text.append("    ").append(parent).append(":\n");
                if (parent.equals("collapse") && collapsesByUrl) {
                    text.append("      url: \"").append(batchUrl).append("\"\n");
                }
            }
            group = parent;
            String indent = parent.isEmpty() ? "    " : "      ";
            comment(text, indent, one.reason());
            text.append(indent).append(key).append(": ").append(one.value()).append('\n');
        }
        return text.toString();
    }

    /** Writes a comment, wrapped to {@link #WIDTH}. */
    private static void comment(StringBuilder text, String indent, String reason) {
        StringBuilder line = new StringBuilder();
        for (String word : reason.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + word.length() > WIDTH) {
                text.append(indent).append("# ").append(line).append('\n');
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        text.append(indent).append("# ").append(line).append('\n');
    }
}
