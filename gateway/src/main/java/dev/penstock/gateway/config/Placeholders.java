package dev.penstock.gateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fills in {@code ${NAME}}, {@code ${NAME:default}} and {@code ${file:PATH}} inside one parsed scalar. A second dollar sign
 * in front keeps a placeholder as plain text, without that sign. A variable that is set but empty counts as not set. A
 * file's last line break is left out, as secret stores write one; its path goes from the folder of the flow file.
 */
final class Placeholders {
    /** A secret file larger than this is refused: 64 KB. */
    private static final int MOST_SECRET_BYTES = 64 * 1024;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Function<String, @Nullable String> variables;
    private final Path folder;

    /**
     * Placeholders of one flow file.
     *
     * @param variables gives a variable's value, or null when it is not set
     * @param folder where relative paths begin
     */
    Placeholders(Function<String, @Nullable String> variables, Path folder) {
        this.variables = variables;
        this.folder = folder;
    }

    /** Whether a scalar has anything to fill in. */
    static boolean in(String raw) {
        return raw.contains("${");
    }

    /**
     * The scalar with everything filled in, or null after telling what is missing.
     *
     * @param raw as it stands in the file
     * @param place where, for the problems
     */
    @Nullable
    String fill(String raw, FileLocation place, ConfigProblems problems) {
        StringBuilder filled = new StringBuilder();
        int before = problems.count();
        int at = 0;
        for (int open = raw.indexOf("${"); open >= 0; open = raw.indexOf("${", at)) {
            if (open > at && raw.charAt(open - 1) == '$') {
                filled.append(raw, at, open - 1).append("${");
                at = open + 2;
                continue;
            }
            int close = raw.indexOf('}', open);
            if (close < 0) {
                problems.add(
                        place,
                        "a placeholder begins with ${ and has no end; close it with }, or write $${ for a plain ${");
                return null;
            }
            filled.append(raw, at, open).append(one(raw.substring(open + 2, close), place, problems));
            at = close + 1;
        }
        filled.append(raw, at, raw.length());
        return problems.count() == before ? filled.toString() : null;
    }

    private String one(String inner, FileLocation place, ConfigProblems problems) {
        int colon = inner.indexOf(':');
        String name = colon < 0 ? inner : inner.substring(0, colon);
        if (colon >= 0 && name.equals("file")) {
            return file(inner.substring(colon + 1), place, problems);
        }
        if (!NAME.matcher(name).matches()) {
            problems.add(
                    place,
                    "${" + Quoted.plain(inner) + "} is no placeholder; write ${NAME}, ${NAME:default} or ${file:PATH}");
            return "";
        }
        String value = variables.apply(name);
        if (value != null && !value.isEmpty()) {
            return value;
        }
        if (colon < 0) {
            problems.add(place, "variable " + name + " is not set; set it, or give a default: ${" + name + ":...}");
            return "";
        }
        return inner.substring(colon + 1);
    }

    private String file(String written, FileLocation place, ConfigProblems problems) {
        String named = "the file " + Quoted.of(written) + " of a placeholder ";
        try (InputStream in = Files.newInputStream(folder.resolve(written))) {
            byte[] bytes = in.readNBytes(MOST_SECRET_BYTES + 1);
            if (bytes.length > MOST_SECRET_BYTES) {
                problems.add(place, named + "is larger than 64 KB, the most that is read; check its path");
                return "";
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.replaceFirst("\r?\n\\z", "");
        } catch (CharacterCodingException binary) {
            problems.add(place, named + "is not UTF-8 text; check its path");
        } catch (IOException | InvalidPathException unreadable) {
            problems.add(place, named + "cannot be read; check that it exists and that this user may read it");
        }
        return "";
    }
}
