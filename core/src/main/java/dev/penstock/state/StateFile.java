package dev.penstock.state;

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
 * Learned values that outlive a restart: a text file of lines {@code name value}, in the order of the names.
 *
 * <p>Nothing depends on it but how soon a value is right: a file that is missing, unreadable or garbled counts as empty, and
 * one that cannot be written is told of once, in the log. It is written as a whole, beside the old one, and then moved
 * there, so a reader never sees half of it. Only the user of this process may read it: the file has mode 0600, a folder that
 * is made for it 0700. Two processes should not share one file: the later writer's values stay.
 *
 * <p>Safe for many threads. Values change seldom, so each change is written at once.
 */
public final class StateFile {
    /** How many values it keeps at most; further names are not kept. */
    public static final int MOST = 10_000;

    /** How many characters a value has at most. */
    public static final int LONGEST = 1_000;

    private static final String HEAD = "# What Penstock learned. Safe to delete: it is learned again.";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/?@=,-]{0,199}");
    private static final long MOST_BYTES = 2L * MOST * LONGEST;
    private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);

    private final @Nullable Path path;
    private final Map<String, String> values = new TreeMap<>();
    private boolean told;

    private StateFile(@Nullable Path path) {
        this.path = path;
    }

    /**
     * The values of a file, as it is now.
     *
     * @param path the file; it is made when the first value is kept, and so is its folder
     */
    public static StateFile at(Path path) {
        StateFile state = new StateFile(path);
        state.read(path);
        return state;
    }

    /** Values that no file keeps. */
    public static StateFile none() {
        return new StateFile(null);
    }

    /**
     * What is known under a name; null for nothing.
     *
     * @param name as it was kept
     */
    public synchronized @Nullable String value(String name) {
        return values.get(name);
    }

    /**
     * Keeps a value, in place of the one before.
     *
     * @param name a letter or digit, then letters, digits and {@code . _ : / ? @ = , -}; 200 at most
     * @param value one line of at most {@value #LONGEST} characters, without half of a surrogate pair
     * @throws IllegalArgumentException when either is not like that
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

    /** A name made of any text, for instance of a URL: what may not stand in a name becomes {@code -}. */
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
                // Half of a surrogate pair cannot be written in UTF-8.
                && value.codePoints().noneMatch(c -> c < ' ' || Character.getType(c) == Character.SURROGATE);
    }

    private void read(Path file) {
        PrivateFiles.tighten(file);
        List<String> lines;
        try {
            if (Files.size(file) > MOST_BYTES) {
                LOG.warn("{} is too large for a state file, and left unread: delete it", file);
                return;
            }
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException e) {
            LOG.warn("cannot read the state file {} ({}): what it kept is learned again", file, e.toString());
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
            // Java gives a temporary file to its owner alone, and it keeps that when it is moved.
            Path beside = Files.createTempFile(folder, file.getFileName() + ".", ".new");
            try {
                Files.writeString(beside, text);
                replace(beside, file);
            } finally {
                Files.deleteIfExists(beside);
            }
        } catch (IOException e) {
            if (!told) {
                told = true;
                LOG.warn("cannot write the state file {} ({}): what is learned is lost at the end", file, e.toString());
            }
        }
    }

    private static void replace(Path beside, Path file) throws IOException {
        try {
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
