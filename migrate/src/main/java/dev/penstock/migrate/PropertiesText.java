package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileLocation;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Parses properties with their line numbers, which {@link Properties} does not report. Continuation lines are joined
 * here; everything else, including escapes, is left to {@link Properties#load(java.io.Reader)}.
 */
final class PropertiesText {
    private PropertiesText() {}

    /** All properties in file order, including those overridden by a later one of the same name. */
    static List<PropertyLine> parse(String text, ConfigProblems problems) {
        List<PropertyLine> found = new ArrayList<>();
        String[] lines = text.split("\r\n|\n|\r", -1);
        for (int at = 0; at < lines.length; at++) {
            FileLocation location = new FileLocation(at + 1, indent(lines[at]) + 1);
            if (isBlankOrComment(lines[at])) {
                continue;
            }
            StringBuilder whole = new StringBuilder(lines[at]);
            while (isContinued(lines[at]) && at + 1 < lines.length) {
                whole.append('\n').append(lines[++at]);
            }
            read(whole + "\n", location, problems).forEach(found::add);
        }
        return found;
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

    private static boolean isBlankOrComment(String line) {
        int first = indent(line);
        return first == line.length() || line.charAt(first) == '#' || line.charAt(first) == '!';
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
