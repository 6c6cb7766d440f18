package dev.penstock.jdbc.ledger;

import dev.penstock.state.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** The file of an embedded database, made private before the database opens it. Safe for many threads. */
final class PrivateDatabase implements Supplier<DataSource> {
    private final Path file;
    private final DataSource database;
    private boolean made;

    PrivateDatabase(Path file, DataSource database) {
        this.file = file;
        this.database = database;
    }

    /** The database; the file is there from now on. */
    @Override
    public synchronized DataSource get() {
        if (!made) {
            try {
                // The database takes an empty file for a new one.
                PrivateFiles.createFile(file);
            } catch (IOException cannot) {
                throw new UncheckedIOException(
                        "the file of keys " + file + " cannot be made: " + cannot.getMessage()
                                + "; check the folder and its owner",
                        cannot);
            }
            made = true;
        }
        return database;
    }
}
