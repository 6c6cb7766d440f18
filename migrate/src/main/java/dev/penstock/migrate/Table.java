package dev.penstock.migrate;

import dev.penstock.migrate.NameForm.Place;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The names of one product, and what becomes of each: a resource file, whose head explains its columns. */
final class Table {
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final Map<String, Row> plainRows = new HashMap<>();
    private final Map<String, String> notes = new HashMap<>();
    private final List<NameForm> forms = new ArrayList<>();
    private final List<Other> others = new ArrayList<>();
    final List<Rule> rules = new ArrayList<>();
    private List<String> sections = List.of();

    /** The sections whose defaults every group has, and not only one that is named in them. */
    List<String> everywhere = List.of();

    String title = "";
    private Pattern own = Pattern.compile(".*");

    private Table() {}

    /** Reads one table from several files. */
    static Table of(String... files) {
        Table table = new Table();
        for (String file : files) {
            StringBuilder line = new StringBuilder();
            for (String part : lines(file + ".txt")) {
                line.append(part);
                if (part.endsWith(",")) {
                    line.append(' ');
                } else {
                    table.add(line.toString());
                    line.setLength(0);
                }
            }
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
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        if (line.startsWith("[")) {
            sections = list(line.substring(1, line.length() - 1));
            return;
        }
        String[] cells = line.split("\\s\\|(?=\\s|$)", -1);
        String[] words = cells[0].split(" ", 2);
        switch (words[0]) {
            case "title" -> title = words[1];
            case "own" -> own = Pattern.compile(words[1], Pattern.DOTALL);
            case "everywhere" -> everywhere = list(words[1]);
            case "note" -> notes.put(words[1], cell(cells, 1));
            case "place" -> forms.add(NameForm.of(words[1], cell(cells, 1), list(cell(cells, 2))));
            case "other" ->
                others.add(new Other(
                        Pattern.compile(words[1].replaceFirst("^\\?", "")), !words[1].startsWith("?"), cell(cells, 1)));
            case "rule" -> rules.add(Rule.of(words[1], cell(cells, 1), cell(cells, 2), cell(cells, 3)));
            default -> {
                String key = cell(cells, 1).replace("-", "");
                boolean isShort = key.isEmpty() && cells.length == 3;
                List<String> names = list(cells[0]);
                for (String section : sections) {
                    for (String name : names) {
                        // A default is that of the first of several names.
                        String fallback = name.equals(names.getFirst()) ? cell(cells, 3) : "";
                        Row row = isShort
                                ? new Row(section, name, key, "", "", cell(cells, 2))
                                : new Row(section, name, key, cell(cells, 2), fallback, cell(cells, 4));
                        rows.put(row.full(), row);
                        plainRows.put(plain(row.full()), row);
                    }
                }
            }
        }
    }

    static List<String> list(String names) {
        return names.isBlank() ? List.of() : List.of(names.strip().split(",\\s*"));
    }

    private String cell(String[] cells, int at) {
        String cell = at < cells.length ? cells[at].strip() : "";
        return cell.startsWith("@") ? Objects.requireNonNull(notes.get(cell.substring(1)), cell) : cell;
    }

    /** A name without its notation: that of maxAttempts, max-attempts and MAX_ATTEMPTS[0] is maxattempts. */
    static String plain(String name) {
        return name.replaceAll("\\[.*", "").replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    boolean isIn(List<PropertyLine> lines) {
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

    /** The place of a name; null when it is of another product. */
    @Nullable
    Place place(String name) {
        return forms.stream()
                .map(form -> form.place(name))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The entry of a name; null when the product has none. */
    @Nullable
    Row row(Place place) {
        for (String section : place.sections()) {
            Row row = row(section + "." + place.rest(), place.isRelaxed());
            if (row != null) {
                return row;
            }
        }
        return null;
    }

    /** As {@link #row(Place)}, for a name with its prefix. */
    @Nullable
    Row row(String name) {
        Place place = place(name);
        return place == null ? null : row(place);
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
     * @param unit of its value
     * @param fallback the product's default
     * @param note added to the comment; why it is dropped
     */
    record Row(String section, String name, String key, String unit, String fallback, String note) {
        String full() {
            return section + "." + name;
        }
    }

    /** A rule: if the value of a name has a form, all names that begin with {@code prefix} are dropped. */
    record Rule(String name, String operator, String value, String prefix, String reason, String effect) {
        static Rule of(String condition, String prefix, String reason, String effect) {
            String[] words = condition.split(" ", 3);
            return new Rule(words[0], words[1], words[2], prefix, reason, effect);
        }
    }

    /** Names that no product has, and why they are dropped; {@code isNamed} unless a name may be part of a secret. */
    record Other(Pattern form, boolean isNamed, String reason) {}
}
