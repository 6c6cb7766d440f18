package dev.penstock.http.tls;

import java.nio.file.Path;
import java.util.function.Supplier;

/** A password, asked for whenever a file is read anew, and never shown or kept. */
final class Password {
    private final Supplier<char[]> supplier;

    Password(Supplier<char[]> supplier) {
        this.supplier = supplier;
    }

    /**
     * The password.
     *
     * @param file what it opens
     * @throws FileProblem when it cannot be had; names the kind of error only, for its text may quote the password
     */
    char[] of(Path file) {
        char[] password;
        try {
            password = supplier.get();
        } catch (RuntimeException e) {
            throw new FileProblem(
                    file,
                    "cannot be opened: its password cannot be had ("
                            + e.getClass().getSimpleName() + ")");
        }
        if (password == null) {
            throw new FileProblem(file, "cannot be opened: there is no password for it");
        }
        return password;
    }

    @Override
    public String toString() {
        return "a password";
    }
}
