package dev.penstock.migrate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where names of one form are: a line {@code place} of a {@link Table}. */
record NameForm(List<String> sections, boolean isRelaxed, String group, Pattern form, List<String> hints) {
    static NameForm of(String where, String form, List<String> hints) {
        String[] parts = where.replace("~", "").split("/", 2);
        String group = parts.length > 1 ? parts[1] : "";
        return new NameForm(
                Table.list(parts[0]), where.startsWith("~"), group, Pattern.compile(form, Pattern.DOTALL), hints);
    }

    @Nullable
    Place place(String name) {
        Matcher matcher = form.matcher(name);
        if (!matcher.matches()) {
            return null;
        }
        List<String> among = sections.equals(List.of("*")) ? List.of(Table.plain(part("section", matcher))) : sections;
        String named = part("group", matcher);
        String whole = group.isEmpty() || named.isEmpty() ? group + named : group + "-" + named;
        String rest = part("rest", matcher);
        String before = name.substring(0, name.length() - rest.length());
        Map<String, String> prefixes = new LinkedHashMap<>();
        for (String hint : hints) {
            String[] words = hint.split(" ", 2);
            prefixes.put(words[0], words.length > 1 ? words[1] : before);
        }
        return new Place(among, isRelaxed, whole, !part("template", matcher).isEmpty(), rest, prefixes);
    }

    private String part(String name, Matcher matcher) {
        return form.namedGroups().containsKey(name) && matcher.group(name) != null ? matcher.group(name) : "";
    }

    /**
     * Where a name is in an old file.
     *
     * @param sections where it is looked up
     * @param group the instance, command or connector; empty when it is for the product as a whole
     * @param isTemplate whether the group is one of defaults for others
     * @param rest the name without its prefix; empty for an instance without settings
     * @param hints sections of names that may be meant, with their prefixes
     */
    record Place(
            List<String> sections,
            boolean isRelaxed,
            String group,
            boolean isTemplate,
            String rest,
            Map<String, String> hints) {
        String section() {
            return sections.getFirst();
        }
    }
}
