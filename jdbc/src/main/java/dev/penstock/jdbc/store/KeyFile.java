package dev.penstock.jdbc.store;

import dev.penstock.Failed;
import dev.penstock.state.DiskSpace;
import dev.penstock.state.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Opens the SQLite file of {@link FileDatabase}: creates it durably and for the current user only.
 *
 * <p>{@code locking_mode = exclusive} holds the lock of the file until the process ends, however it ends. A process
 * that gets the lock therefore knows that the previous one is dead, and ends its leases.
 *
 * <p>For one thread; {@link #wasOpened} for any.
 */
final class KeyFile {
    private static final String EXTENSION = ".db";
    private static final String OLD_EXTENSION = ".mv.db";

    private final Path file;
    private final Path oldFile;
    private final KeyTable table;
    private volatile boolean leasesEnded;

    /**
     * Does not open the file yet.
     *
     * @param file its path without the extension {@code .db}
     */
    KeyFile(Path file, KeyTable table) {
        this.file = file.resolveSibling(file.getFileName() + EXTENSION);
        this.oldFile = file.resolveSibling(file.getFileName() + OLD_EXTENSION);
        this.table = table;
    }

    /** Its name, in one short line. */
    String where() {
        return "file " + file.getFileName();
    }

    /** What does not work, for an error: the path, and the free space of its disk. */
    String failure(String reason) {
        return "the key store " + file + " does not work (" + reason + "); "
                + DiskSpace.describe(file.toAbsolutePath().resolveSibling(""));
    }

    /** Whether it was opened successfully before. */
    boolean wasOpened() {
        return leasesEnded;
    }

    /**
     * Opens a connection that does not commit by itself.
     *
     * @throws Failed with cause {@code CONNECT}
     */
    Connection open() throws Failed {
        try {
            return connect();
        } catch (SQLException failed) {
            throw isInUse(failed)
                    ? new Failed(
                            Failed.Cause.CONNECT,
                            "no connection: the file is locked by another process; stop that process, or configure"
                                    + " another state file here",
                            failed)
                    : StoreDatabase.noConnection(failed);
        } catch (IOException failed) {
            throw new Failed(
                    Failed.Cause.CONNECT,
                    "no connection: cannot create the file " + file + ": " + failed.getMessage()
                            + "; check that the folder exists and is writable",
                    failed);
        }
    }

    private static boolean isInUse(SQLException failed) {
        return failed instanceof SQLiteException known
                && (known.getResultCode().code & 0xff) == SQLiteErrorCode.SQLITE_BUSY.code;
    }

    private Connection connect() throws SQLException, IOException, Failed {
        if (!Files.exists(file)) {
            rejectOldFile();
            PrivateFiles.createFile(file);
            syncFolders();
        }
        PrivateFiles.tighten(file);
        PrivateFiles.tighten(file.resolveSibling(file.getFileName() + "-wal"));
        Connection open = DriverManager.getConnection("jdbc:sqlite:" + file);
        try {
            prepare(open);
            return open;
        } catch (SQLException | RuntimeException broken) {
            open.close();
            throw broken;
        }
    }

    private void prepare(Connection open) throws SQLException {
        try (Statement statement = open.createStatement()) {
            // Set before the first access, so that SQLite needs no shared-memory file (-shm).
            statement.execute("pragma locking_mode = exclusive");
            statement.execute("pragma synchronous = full");
            statement.execute("pragma fullfsync = on");
            statement.execute("pragma checkpoint_fullfsync = on");
            try (ResultSet mode = statement.executeQuery("pragma journal_mode = wal")) {
                if (!mode.next() || !mode.getString(1).equals("wal")) {
                    throw new SQLException("the file system of " + file + " does not support a write-ahead log");
                }
            }
        }
        open.setAutoCommit(false);
        table.createIfMissing(open, StoreDialect.SQLITE);
        if (!leasesEnded) {
            table.endLeases(open);
        }
        open.commit();
        leasesEnded = true;
    }

    private void rejectOldFile() throws Failed {
        if (Files.exists(oldFile)) {
            throw new Failed(
                    Failed.Cause.CONNECT,
                    "no connection: " + oldFile.getFileName()
                            + " contains keys of an earlier version of Penstock, which this version cannot read;"
                            + " without them, retried requests are sent twice. Delete the file when its keys have expired");
        }
    }

    /** The directory entries of a new file and of new folders must also survive a power failure. */
    private void syncFolders() throws IOException {
        for (Path folder = file.getParent(); folder != null; folder = folder.getParent()) {
            try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
                entries.force(true);
            } catch (IOException unsupported) {
                // Windows cannot sync a folder. A folder that we may not read was not created by us.
                return;
            }
        }
    }
}
