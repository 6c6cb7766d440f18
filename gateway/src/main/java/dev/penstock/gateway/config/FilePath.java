package dev.penstock.gateway.config;

import dev.penstock.state.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the path of an existing file. Relative paths are resolved against the folder of the flow file. */
public final class FilePath {
    /** Finds out whether the content of a file can be used. */
    public interface Check {
        /** Throws if it cannot; the message continues "the file ..." and says, after a semicolon, what to do. */
        void check(Path file) throws IOException;
    }

    private static final String REMEDY = "check the path, which is relative to the folder of the flow file";

    /** The path of a readable file. */
    public static final KeyType<Path> TYPE = of(REMEDY, file -> {});

    /** The path of a readable file that other users cannot read, such as a private key. */
    public static final KeyType<Path> PRIVATE = of(REMEDY, FilePath::requirePrivate);

    private FilePath() {}

    /**
     * Accepts a file that other users cannot read.
     *
     * @throws IOException they can; the message continues "the file ..." and says what to do
     */
    public static void requirePrivate(Path file) throws IOException {
        String exposure = PrivateFiles.exposure(file);
        if (exposure != null) {
            throw new IOException(exposure);
        }
    }

    /** The path of a readable file with content that can be used. */
    public static KeyType<Path> of(Check check) {
        return of(REMEDY, check);
    }

    /**
     * As above.
     *
     * @param remedy what to do when there is no such file
     */
    public static KeyType<Path> of(String remedy, Check check) {
        return KeyType.text("a file, relative to the flow file", value -> file(value, remedy, check));
    }

    private static @Nullable Path file(ConfigValue value, String remedy, Check check) {
        String written = value.text();
        if (written == null) {
            return null;
        }
        Path file;
        try {
            file = value.folder().resolve(written).normalize();
        } catch (InvalidPathException none) {
            value.refuseValue("which is not a path", "write for instance keys.txt");
            return null;
        }
        if (Files.isRegularFile(file) && Files.isReadable(file)) {
            return checked(file, value, check);
        }
        String what = Files.isRegularFile(file)
                ? "which is not readable for this user"
                : Files.exists(file) ? "which is not a file" : "which does not exist";
        value.refuseValue(what, remedy);
        return null;
    }

    private static @Nullable Path checked(Path file, ConfigValue value, Check check) {
        try {
            check.check(file);
            return file;
        } catch (IOException unusable) {
            String[] why = String.valueOf(unusable.getMessage()).split("; ", 2);
            if (why.length == 2) {
                value.refuseValue("which " + why[0], why[1]);
            } else {
                value.refuseValue("which cannot be read (" + unusable + ")", "write a text file in UTF-8");
            }
            return null;
        }
    }
}
