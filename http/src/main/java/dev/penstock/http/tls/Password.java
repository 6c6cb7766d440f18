package dev.penstock.http.tls;

import java.nio.file.Path;
import java.util.function.Supplier;

/** A password. It is requested each time a file is read, and never stored or printed. */
final class Password {
    private final Supplier<char[]> supplier;

    Password(Supplier<char[]> supplier) {
        this.supplier = supplier;
    }

    /**
     * Returns the password.
     *
     * @param file the file it opens
     * @throws FileProblem if it is not available; names only the class of the error, whose message may quote the password
     */
    char[] of(Path file) {
        char[] password;
        try {
            password = supplier.get();
        } catch (RuntimeException e) {
            throw new FileProblem(
                    file,
                    "cannot be opened: reading its password failed ("
                            + e.getClass().getSimpleName() + ")");
        }
        if (password == null) {
            throw new FileProblem(file, "cannot be opened: its password is missing");
        }
        return password;
    }

    @Override
    public String toString() {
        return "a password";
    }
}
