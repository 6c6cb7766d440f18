package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.FileText;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads an old file, whose content tells its format, as a flat list of named values. */
final class OldFile {
    private static final Pattern DECLARED =
            Pattern.compile("\\A\\s*<\\?xml[^>]*encoding=[\"'](?i:iso-8859-1|windows-1252)[\"']");
    /** A key of YAML: a colon before any equals sign, and a blank or the end of the line after it. */
    private static final Pattern YAML_LINE = Pattern.compile("---.*|\\s*(- )?[^=:#!]+:(\\s.*)?");

    private static final Pattern PROPERTIES_LINE = Pattern.compile("\\s*[^=:#!\\s]+\\s*=.*");

    private static final Pattern BREAK = Pattern.compile("\\r\\n|\\n|\\r");
    /** A line of properties with those that continue it, or a comment. */
    private static final Pattern LOGICAL_LINE = Pattern.compile(
            "[ \\t\\f]*+((?:([#!])[^\\r\\n]*+|(?s:[^\\\\\\r\\n]|\\\\(?:\\r\\n|.|\\z))*+))(?:\\r\\n|[\\r\\n]|\\z)");

    private static final Pattern SEPARATOR = Pattern.compile("[#!]---[ \\t\\f]*\\v*");
    private static final Pattern CONDITION = Pattern.compile(
            "spring\\.(?:config\\.activate\\.onprofile|config\\.activate\\.on(cloud)platform|profiles)");

    private OldFile() {}

    /** All values in file order. Reports problems, and then may return fewer. */
    static List<PropertyLine> read(Path file, ConfigProblems problems) {
        byte[] bytes = FileText.bytes(file, "settings file", problems);
        return bytes == null ? List.of() : parse(bytes, problems);
    }

    static List<PropertyLine> parse(byte[] bytes, ConfigProblems problems) {
        String latin = new String(bytes, StandardCharsets.ISO_8859_1);
        String text = latin.startsWith("\u00ef\u00bb\u00bf") ? latin.substring(3) : latin;
        String utf8 = new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        if (text.stripLeading().startsWith("<")) {
            return XmlSettings.parse(DECLARED.matcher(text).find() ? text : utf8, problems);
        }
        // A file of "name: value" is valid in both formats, and the same in both.
        return count(YAML_LINE, text) > count(PROPERTIES_LINE, text)
                ? YamlSettings.parse(utf8, problems)
                : properties(text, problems);
    }

    private static long count(Pattern form, String text) {
        return text.lines().filter(line -> form.matcher(line).matches()).count();
    }

    /**
     * Parses properties with their line numbers, which {@link Properties} does not report, but reads everything else. All
     * properties are returned in file order, including those overridden by a later one of the same name.
     *
     * <p>As Spring, takes {@code #---} for the beginning of a document, unless it is part of a longer comment: the line
     * before begins with the same character, or the next line with text is a comment.
     */
    static List<PropertyLine> properties(String text, ConfigProblems problems) {
        List<List<PropertyLine>> documents = new ArrayList<>(List.of(new ArrayList<>()));
        String lastMark = "";
        int number = 1;
        for (Matcher line = LOGICAL_LINE.matcher(text); line.find(); number += breaks(line.group())) {
            String mark = line.group(2);
            boolean isNew = documents.getLast().isEmpty();
            if (mark == null) {
                lastMark = "";
                FileLocation location = new FileLocation(number, line.start(1) - line.start() + 1);
                property(line.group(), location, problems).forEach(documents.getLast()::add);
            } else if (SEPARATOR.matcher(line.group()).matches() && !lastMark.equals(mark)) {
                if (!isNew) {
                    documents.add(new ArrayList<>());
                }
            } else {
                if (isNew && documents.size() > 1) {
                    documents.removeLast();
                }
                lastMark = mark;
            }
        }
        return documents.stream()
                .flatMap(document -> conditioned(document).stream())
                .toList();
    }

    private static int breaks(String text) {
        return (int) BREAK.matcher(text).results().count();
    }

    private static Stream<PropertyLine> property(String line, FileLocation location, ConfigProblems problems) {
        Properties one = new Properties();
        try {
            one.load(new StringReader(line));
        } catch (IllegalArgumentException malformed) {
            problems.add(location, "a \\u escape is not followed by four hex digits; write \\\\ for a plain backslash");
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return one.stringPropertyNames().stream().map(name -> new PropertyLine(name, one.getProperty(name), location));
    }

    /** The values of one document of Spring, each with the profile or the cloud platform that the document names. */
    static List<PropertyLine> conditioned(List<PropertyLine> document) {
        Map<String, String> conditions = new TreeMap<>();
        for (PropertyLine line : document) {
            Matcher condition = CONDITION.matcher(Table.plain(line.name()));
            if (condition.matches() && !line.value().isBlank()) {
                String kind = condition.group(1) == null ? "profile" : "cloud platform";
                conditions.merge(
                        kind,
                        kind + " " + line.value().strip(),
                        (all, one) -> all + ", " + line.value().strip());
            }
        }
        String all = String.join(" and ", conditions.values());
        return document.stream().map(line -> line.under(all)).toList();
    }
}
