package dev.penstock.migrate;

import dev.penstock.migrate.FlowKey.Unit;
import dev.penstock.text.SpellingHint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The names of one product, and what becomes of each: resource files, whose heads explain their columns. */
final class Table {
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final Map<String, Row> plainRows = new HashMap<>();
    private final Map<String, String> notes = new HashMap<>();
    private final Map<String, String> head = new HashMap<>();
    private final List<Form> forms = new ArrayList<>();
    private final List<Other> others = new ArrayList<>();
    private List<String> sections = List.of();
    final List<Rule> rules = new ArrayList<>();
    final Map<String, FlowKey> keys = new LinkedHashMap<>();

    private Table() {}

    /** Reads one table from several files. */
    static Table of(String... files) {
        Table table = new Table();
        for (String file : files) {
            // A line that ends with a comma goes on in the next one.
            String text = String.join("\n", lines(file + ".txt")).replace(",\n", ", ");
            text.lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .forEach(table::add);
        }
        return table;
    }

    static List<String> lines(String resource) {
        InputStream in = Objects.requireNonNull(Table.class.getResourceAsStream(resource), resource);
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private void add(String line) {
        if (line.startsWith("[")) {
            sections = list(line.substring(1, line.length() - 1));
            return;
        }
        String[] cells = line.split("\\s\\|(?=\\s|$)", -1);
        String[] words = cells[0].split(" ", 2);
        switch (words[0]) {
            case "title", "own", "everywhere" -> head.put(words[0], words[1]);
            case "note" -> notes.put(words[1], cell(cells, 1));
            case "key" -> keys(list(words[1]), cells);
            case "place" -> forms.add(Form.of(words[1], cell(cells, 1), list(cell(cells, 2))));
            case "other" -> {
                Pattern form = Pattern.compile(words[1].replaceFirst("^\\?", ""));
                others.add(new Other(form, !words[1].startsWith("?"), cell(cells, 1)));
            }
            case "rule" ->
                rules.add(new Rule(
                        words[1], cell(cells, 1), cell(cells, 2), cell(cells, 3), cell(cells, 4), cell(cells, 5)));
            default -> rows(cells);
        }
    }

    private void keys(List<String> names, String[] cells) {
        Unit unit = Unit.valueOf(cell(cells, 1).toUpperCase(Locale.ROOT));
        boolean isNumber = cells.length > 2;
        long min = isNumber ? Long.parseLong(cell(cells, 2)) : 0;
        long max = isNumber ? Long.parseLong(cell(cells, 3)) : 0;
        names.forEach(name -> keys.put(name, new FlowKey(name, unit, min, max, cell(cells, 4))));
    }

    private void rows(String[] cells) {
        List<String> names = list(cells[0]);
        for (String section : sections) {
            for (String name : names) {
                // A default is that of the first of several names.
                String fallback = name.equals(names.getFirst()) ? cell(cells, 4) : "";
                String key = cell(cells, 1).replace("-", "");
                Row row = new Row(section, name, key, cell(cells, 2), cell(cells, 3), fallback);
                rows.put(row.full(), row);
                plainRows.put(plain(row.full()), row);
            }
        }
    }

    private static List<String> list(String names) {
        return names.isBlank() ? List.of() : List.of(names.strip().split(",\\s*"));
    }

    private String cell(String[] cells, int at) {
        String cell = at < cells.length ? cells[at].strip() : "";
        return cell.startsWith("@") ? note(cell.substring(1)) : cell;
    }

    String note(String name) {
        return Objects.requireNonNull(notes.get(name), name);
    }

    /** A name without its notation: that of maxAttempts, max-attempts and MAX_ATTEMPTS[0] is maxattempts. */
    static String plain(String name) {
        return name.replaceAll("\\[.*", "").replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    String title() {
        return head.getOrDefault("title", "");
    }

    /** Whether the defaults of a section are those of every group, and not only of one that is named in it. */
    boolean isEverywhere(String section) {
        return list(head.getOrDefault("everywhere", "")).contains(section);
    }

    boolean isIn(List<PropertyLine> lines) {
        Pattern own = Pattern.compile(head.getOrDefault("own", ".*"), Pattern.DOTALL);
        return lines.stream().anyMatch(line -> own.matcher(line.name()).matches());
    }

    /** In file order. */
    Collection<Row> rows() {
        return rows.values();
    }

    List<Row> rows(String section) {
        return rows.values().stream()
                .filter(row -> row.section().equals(section))
                .toList();
    }

    FlowKey key(String path) {
        return Objects.requireNonNull(keys.get(path), path);
    }

    /** The place of a name; null when it is of another product. */
    @Nullable
    Place place(String name) {
        for (Form form : forms) {
            Matcher matcher = form.pattern().matcher(name);
            if (matcher.matches()) {
                return form.place(name, matcher, this);
            }
        }
        return null;
    }

    /** The entry of a name; null when the product has none. */
    @Nullable
    Row row(String name) {
        Place place = place(name);
        return place == null ? null : place.row();
    }

    private @Nullable Row row(String written, boolean relaxed) {
        Map<String, Row> among = relaxed ? plainRows : rows;
        String name = relaxed ? plain(written) : written;
        Row found = among.getOrDefault(name, relaxed ? among.get(name + ".*") : null);
        for (int dot = name.lastIndexOf('.'); found == null && dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
            found = among.get(name.substring(0, dot) + ".*");
        }
        return found;
    }

    /** The name that is probably meant, of these sections, with their prefixes. */
    Optional<String> near(String written, Map<String, String> prefixes) {
        Map<String, String> known = new LinkedHashMap<>();
        prefixes.forEach((section, before) ->
                rows(section).forEach(row -> known.putIfAbsent(row.name(), before + row.name())));
        return SpellingHint.of(written, known.keySet()).map(known::get);
    }

    /** What is known of a name that no product has. */
    Optional<Other> other(String name) {
        return others.stream()
                .filter(other -> other.form().matcher(name).matches())
                .findFirst();
    }

    /**
     * A name of the product.
     *
     * @param name without its section; {@code *} at the end for all below
     * @param key what it is written as; empty when it is dropped
     * @param note added to the comment; why it is dropped
     * @param unit of its value
     * @param fallback the product's default
     */
    record Row(String section, String name, String key, String note, String unit, String fallback) {
        String full() {
            return section + "." + name;
        }
    }

    /** A rule: if the value of a name has a form, all names that begin with {@code prefix} are dropped. */
    record Rule(String name, String operator, String value, String prefix, String reason, String effect) {}

    /** Names that no product has, and why they are dropped; {@code isNamed} unless a name may be part of a secret. */
    record Other(Pattern form, boolean isNamed, String reason) {}

    /**
     * Where a name is in an old file.
     *
     * @param section where it is looked up first
     * @param group the instance, command or connector; empty when it is for the product as a whole
     * @param isTemplate whether the group is one of defaults for others
     * @param rest the name without its prefix; empty for an instance without settings
     * @param hints sections of names that may be meant, with their prefixes
     * @param row its entry; null when there is none
     */
    record Place(
            String section,
            String group,
            boolean isTemplate,
            String rest,
            Map<String, String> hints,
            @Nullable Row row) {}

    /** Where names of one form are: a line {@code place}. */
    private record Form(List<String> sections, boolean isRelaxed, String group, Pattern pattern, List<String> hints) {
        static Form of(String where, String pattern, List<String> hints) {
            String[] parts = (where.replace("~", "") + "/").split("/", -1);
            Pattern compiled = Pattern.compile(pattern, Pattern.DOTALL);
            return new Form(list(parts[0]), where.startsWith("~"), parts[1], compiled, hints);
        }

        Place place(String name, Matcher matcher, Table table) {
            List<String> among = sections.equals(List.of("*")) ? List.of(plain(part("section", matcher))) : sections;
            String named = part("group", matcher);
            String whole = group.isEmpty() || named.isEmpty() ? group + named : group + "-" + named;
            String rest = part("rest", matcher);
            String before = name.substring(0, name.length() - rest.length());
            Map<String, String> prefixes = new LinkedHashMap<>();
            for (String hint : hints) {
                String[] words = hint.split(" ", 2);
                prefixes.put(words[0], words.length > 1 ? words[1] : before);
            }
            Row row = among.stream()
                    .map(section -> table.row(section + "." + rest, isRelaxed))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            boolean isTemplate = !part("template", matcher).isEmpty();
            return new Place(among.getFirst(), whole, isTemplate, rest, prefixes, row);
        }

        private String part(String name, Matcher matcher) {
            return matcher.namedGroups().containsKey(name) && matcher.group(name) != null ? matcher.group(name) : "";
        }
    }
}
