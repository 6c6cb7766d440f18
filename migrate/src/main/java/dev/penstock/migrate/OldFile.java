package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Reads an old file, whose content tells its format, as a flat list of named values. */
final class OldFile {
    private static final Pattern DECLARED = Pattern.compile("\\A\\s*<\\?xml[^>]*encoding=[\"']([\\w.-]+)");
    /** A key of YAML: a colon before any equals sign, and a blank or the end of the line after it. */
    private static final Pattern YAML_LINE = Pattern.compile("---.*|\\s*(- )?[^=:#!]+:(\\s.*)?");

    private static final Pattern PROPERTIES_LINE = Pattern.compile("\\s*[^=:#!\\s]+\\s*=.*");

    private OldFile() {}

    /** All values in file order. Reports problems, and then may return fewer. */
    static List<PropertyLine> read(Path file, ConfigProblems problems) {
        byte[] bytes = FileText.bytes(file, "settings file", problems);
        return bytes == null ? List.of() : parse(bytes, problems);
    }

    static List<PropertyLine> parse(byte[] bytes, ConfigProblems problems) {
        String latin = new String(bytes, StandardCharsets.ISO_8859_1);
        String text = latin.startsWith("\u00ef\u00bb\u00bf") ? latin.substring(3) : latin;
        if (text.stripLeading().startsWith("<")) {
            boolean isLatin = DECLARED.matcher(text)
                    .results()
                    .anyMatch(found -> found.group(1).matches("(?i)iso-8859-1|windows-1252"));
            return XmlSettings.parse(isLatin ? text : utf8(text), problems);
        }
        long yaml =
                text.lines().filter(line -> YAML_LINE.matcher(line).matches()).count();
        long properties = text.lines()
                .filter(line -> PROPERTIES_LINE.matcher(line).matches())
                .count();
        // A file of "name: value" is valid in both formats, and the same in both.
        return yaml > properties ? YamlSettings.parse(utf8(text), problems) : PropertiesText.parse(text, problems);
    }

    private static String utf8(String latin) {
        return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
