package dev.penstock;

import dev.penstock.state.PrivateFiles;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learned values that survive a restart: a text file with lines {@code name value}, sorted by name.
 *
 * <p>Losing the file only means that values are learned again: a missing, unreadable or corrupt file counts as empty, and a
 * write failure is logged once. Each write creates a temporary file in the same folder and renames it, so a reader never sees
 * a partial file. Only the user of this process can read it: the file has mode 0600, a folder created for it 0700. Two
 * processes should not share one file, because the last writer overwrites the values of the other.
 *
 * <p>Safe for many threads. Values change rarely, so each change is written at once.
 */
public final class StateFile {
    /** The maximum number of values; further names are not kept. */
    public static final int MOST = 10_000;

    /** The maximum length of a value, in characters. */
    public static final int LONGEST = 1_000;

    private static final String HEAD = "# Values that Penstock has learned. Safe to delete: they are learned again.";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/?@=,-]{0,199}");
    private static final long MOST_BYTES = 2L * MOST * LONGEST;
    private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);

    private final @Nullable Path path;
    private final Map<String, String> values = new TreeMap<>();
    private boolean warned;

    private StateFile(@Nullable Path path) {
        this.path = path;
    }

    /**
     * Reads the values of a file.
     *
     * @param path the file; it is created with its folder when the first value is kept
     * @return the values
     */
    public static StateFile at(Path path) {
        StateFile state = new StateFile(path);
        state.read(path);
        return state;
    }

    /**
     * Creates values that are not written to a file.
     *
     * @return the values
     */
    public static StateFile none() {
        return new StateFile(null);
    }

    /**
     * {@return the value of a name; null for none}
     *
     * @param name the name passed to {@link #keep}
     */
    public synchronized @Nullable String value(String name) {
        return values.get(name);
    }

    /**
     * Keeps a value, replacing the previous one.
     *
     * @param name a letter or digit, then letters, digits and {@code . _ : / ? @ = , -}; 200 at most
     * @param value one line of at most {@value #LONGEST} characters, without unpaired surrogates
     * @throws IllegalArgumentException when the name or the value has another form
     */
    public synchronized void keep(String name, String value) {
        if (!isName(name) || !isValue(value)) {
            throw new IllegalArgumentException("a state file cannot keep '" + name + "' = '" + value + "'");
        }
        if (values.size() == MOST && !values.containsKey(name)) {
            return;
        }
        if (!value.equals(values.put(name, value)) && path != null) {
            write(path);
        }
    }

    /**
     * Turns any text, such as a URL, into a valid name: invalid characters become {@code -}.
     *
     * @param text any text
     * @return the name
     */
    public static String name(String text) {
        String name = text.replaceAll("[^A-Za-z0-9._:/?@=,-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
        return name.isEmpty() ? "unnamed" : name.substring(0, Math.min(200, name.length()));
    }

    private static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    private static boolean isValue(String value) {
        return !value.isBlank()
                && value.length() <= LONGEST
                && value.equals(value.strip())
                // An unpaired surrogate cannot be encoded in UTF-8.
                && value.codePoints().noneMatch(c -> c < ' ' || Character.getType(c) == Character.SURROGATE);
    }

    private void read(Path file) {
        PrivateFiles.tighten(file);
        List<String> lines;
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                LOG.warn("{} is not a regular file and is ignored: give the path of a file", file);
                return;
            }
            if (Files.size(file) > MOST_BYTES) {
                LOG.warn("{} is too large for a state file and is ignored: delete it", file);
                return;
            }
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException e) {
            LOG.warn("cannot read the state file {} ({}): its values are learned again", file, e.toString());
            return;
        }
        for (String line : lines) {
            int space = line.indexOf(' ');
            if (values.size() < MOST
                    && space > 0
                    && isName(line.substring(0, space))
                    && isValue(line.substring(space + 1))) {
                values.put(line.substring(0, space), line.substring(space + 1));
            }
        }
    }

    private void write(Path file) {
        StringBuilder text = new StringBuilder(HEAD).append('\n');
        values.forEach(
                (name, value) -> text.append(name).append(' ').append(value).append('\n'));
        try {
            Path folder = file.toAbsolutePath().getParent();
            PrivateFiles.createFolderOf(file);
            // createTempFile makes the file readable by its owner only, and a move keeps the permissions.
            Path temporary = Files.createTempFile(folder, file.getFileName() + ".", ".new");
            try {
                Files.writeString(temporary, text);
                replace(temporary, file);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            if (!warned) {
                warned = true;
                LOG.warn(
                        "cannot write the state file {} ({}): learned values will be lost on exit", file, e.toString());
            }
        }
    }

    private static void replace(Path temporary, Path file) throws IOException {
        try {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
