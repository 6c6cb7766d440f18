package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileLocation;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Parses properties with their line numbers, which {@link Properties} does not report. Continuation lines are joined
 * here; everything else, including escapes, is left to {@link Properties#load(java.io.Reader)}. A file of Spring may have
 * several documents. Not thread-safe.
 */
final class PropertiesText {
    private static final Pattern SEPARATOR = Pattern.compile("[#!]---[ \t\f]*");
    private static final char NO_COMMENT = 0;

    private final List<List<PropertyLine>> documents = new ArrayList<>(List.of(new ArrayList<>()));
    /** How the last line begins, if it is a comment. */
    private char comment = NO_COMMENT;

    private PropertiesText() {}

    /** All properties in file order, including those overridden by a later one of the same name. */
    static List<PropertyLine> parse(String text, ConfigProblems problems) {
        PropertiesText parsed = new PropertiesText();
        String[] lines = text.split("\r\n|\n|\r", -1);
        for (int at = 0; at < lines.length; at++) {
            FileLocation location = new FileLocation(at + 1, indent(lines[at]) + 1);
            if (parsed.isBlankOrComment(lines[at])) {
                continue;
            }
            StringBuilder whole = new StringBuilder(lines[at]);
            while (isContinued(lines[at]) && at + 1 < lines.length) {
                whole.append('\n').append(lines[++at]);
            }
            read(whole + "\n", location, problems).forEach(parsed.documents.getLast()::add);
        }
        return parsed.documents.stream()
                .flatMap(document -> SpringDocument.conditioned(document).stream())
                .toList();
    }

    private boolean isBlankOrComment(String line) {
        int first = indent(line);
        boolean isBlank = first == line.length();
        if (!isBlank && (line.charAt(first) == '#' || line.charAt(first) == '!')) {
            comment(line, line.charAt(first));
            return true;
        }
        comment = NO_COMMENT;
        return isBlank;
    }

    /**
     * As Spring, takes {@code #---} for the beginning of a document, unless it is part of a longer comment: the line before
     * begins with the same character, or the next line with text is a comment.
     */
    private void comment(String line, char first) {
        boolean isLast = documents.getLast().isEmpty();
        if (SEPARATOR.matcher(line).matches() && comment != first) {
            if (!isLast) {
                documents.add(new ArrayList<>());
            }
            return;
        }
        if (isLast && documents.size() > 1) {
            documents.removeLast();
        }
        comment = first;
    }

    private static Stream<PropertyLine> read(String line, FileLocation location, ConfigProblems problems) {
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

    private static int indent(String line) {
        int at = 0;
        while (at < line.length() && " \t\f".indexOf(line.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    /** Whether it ends with an unescaped backslash. */
    private static boolean isContinued(String line) {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == '\\') {
            end--;
        }
        return (line.length() - end) % 2 == 1;
    }
}
