package dev.penstock.gateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Substitutes {@code ${NAME}}, {@code ${NAME:default}} and {@code ${file:PATH}} inside one parsed scalar. An additional
 * dollar sign in front makes it literal text. An empty variable counts as not set. The trailing line break of a file is
 * dropped, because secret stores write one. A relative path is resolved against the folder of the flow file.
 */
final class Placeholders {
    /** The maximum size of a secret file: 64 KB. */
    private static final int MAX_SECRET_BYTES = 64 * 1024;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Names of properties, which have dots. */
    private static final Pattern PROPERTY = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

    private final Function<String, @Nullable String> variables;
    private final Path folder;
    private final Pattern names;

    /**
     * Placeholders of one flow file.
     *
     * @param variables returns the value of a variable, or null when it is not set
     * @param folder the base of relative paths
     */
    Placeholders(Function<String, @Nullable String> variables, Path folder) {
        this(variables, folder, NAME);
    }

    private Placeholders(Function<String, @Nullable String> variables, Path folder, Pattern names) {
        this.variables = variables;
        this.folder = folder;
        this.names = names;
    }

    /** Placeholders that name the properties of a program. */
    static Placeholders ofProperties(Function<String, @Nullable String> properties, Path folder) {
        return new Placeholders(properties, folder, PROPERTY);
    }

    /** Whether a scalar contains a placeholder. */
    static boolean in(String raw) {
        return raw.contains("${");
    }

    /**
     * The scalar with all placeholders substituted, now and after each change of a file that it names.
     *
     * @param fits what else is refused
     * @throws IOException a file cannot be used, as {@link WatchedFiles#watch}
     */
    Secret follow(String raw, Predicate<String> fits, WatchedFiles watched) throws IOException {
        List<Path> files = new ArrayList<>();
        String text = fill(raw, FileLocation.START, new ConfigProblems(), files::add);
        return files.isEmpty() && text != null
                ? new Secret(text)
                : new Secret(watched.watch(files, () -> again(raw, fits)));
    }

    private String again(String raw, Predicate<String> fits) throws IOException {
        ConfigProblems problems = new ConfigProblems();
        String text = fill(raw, FileLocation.START, problems);
        if (text == null) {
            throw new IOException(
                    "cannot be used: " + problems.sorted().getFirst().text());
        }
        if (!fits.test(text)) {
            throw new IOException("has a value that is not valid here; correct it");
        }
        return text;
    }

    /**
     * The scalar with all placeholders substituted. Reports a missing value and returns null.
     *
     * @param raw the scalar as written in the file
     * @param location its location, for messages
     */
    @Nullable
    String fill(String raw, FileLocation location, ConfigProblems problems) {
        return fill(raw, location, problems, file -> {});
    }

    private @Nullable String fill(String raw, FileLocation location, ConfigProblems problems, Consumer<Path> files) {
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
                        location,
                        "a placeholder begins with ${ and is not closed; close it with }, or write $${ for a literal ${");
                return null;
            }
            filled.append(raw, at, open).append(one(raw.substring(open + 2, close), location, problems, files));
            at = close + 1;
        }
        filled.append(raw, at, raw.length());
        return problems.count() == before ? filled.toString() : null;
    }

    private String one(String inner, FileLocation location, ConfigProblems problems, Consumer<Path> files) {
        int colon = inner.indexOf(':');
        String name = colon < 0 ? inner : inner.substring(0, colon);
        if (colon >= 0 && name.equals("file")) {
            return file(inner.substring(colon + 1), location, problems, files);
        }
        if (!names.matcher(name).matches()) {
            problems.add(
                    location,
                    "${" + Quoted.plain(inner)
                            + "} is not a valid placeholder; write ${NAME}, ${NAME:default} or ${file:PATH}");
            return "";
        }
        String value = variables.apply(name);
        if (value != null && !value.isEmpty()) {
            return value;
        }
        if (colon < 0) {
            problems.add(location, "variable " + name + " is not set; set it, or give a default: ${" + name + ":...}");
            return "";
        }
        return inner.substring(colon + 1);
    }

    private String file(String written, FileLocation location, ConfigProblems problems, Consumer<Path> files) {
        String named = "the file " + Quoted.of(written) + " of a placeholder ";
        try {
            Path file = folder.resolve(written);
            files.accept(file);
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                // A pipe or device would make the start wait, or never end.
                problems.add(location, named + "is not a regular file; check its path");
                return "";
            }
            byte[] bytes = bytes(file);
            if (bytes.length > MAX_SECRET_BYTES) {
                problems.add(location, named + "is larger than the maximum of 64 KB; check its path");
                return "";
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            String value = text.replaceFirst("\r?\n\\z", "");
            if (value.isEmpty()) {
                problems.add(location, named + "is empty; write the value into it");
            }
            return value;
        } catch (CharacterCodingException binary) {
            problems.add(location, named + "is not UTF-8 text; check its path");
        } catch (IOException | InvalidPathException unreadable) {
            problems.add(location, named + "cannot be read; check that it exists and is readable for this user");
        }
        return "";
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MAX_SECRET_BYTES + 1);
        }
    }
}
