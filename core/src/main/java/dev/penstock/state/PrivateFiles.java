package dev.penstock.state;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files and folders that only the user of this process may read: files 0600, folders 0700, whatever the umask is. Where the file
 * system has no such permissions, as on Windows, they are made with the usual ones. Safe for many threads.
 */
public final class PrivateFiles {
    private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<?>[] USUAL = {};

    private PrivateFiles() {}

    /**
     * Makes a folder, and those above it that are missing. One that exists keeps its permissions.
     *
     * @throws IOException it cannot be made
     */
    public static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder, as(folder, FOLDER));
    }

    /**
     * Makes the folder of a file, as {@link #createFolder} does.
     *
     * @throws IOException it cannot be made
     */
    public static void createFolderOf(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            createFolder(folder);
        }
    }

    /**
     * Makes an empty file, and the folders above it that are missing. One that exists keeps its bytes, and is made private.
     *
     * @throws IOException it cannot be made
     */
    public static void createFile(Path file) throws IOException {
        createFolderOf(file);
        try {
            Files.createFile(file, as(file, FILE));
        } catch (FileAlreadyExistsException there) {
            tighten(file);
        }
    }

    /**
     * Takes from all others what they may do with a file, or with a folder and all in it. Does nothing when it is not there. Links
     * are not followed; what cannot be changed is told in the log.
     */
    public static void tighten(Path path) {
        if (!hasPermissions(path) || !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes known) throws IOException {
                    set(folder, FOLDER);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes known) throws IOException {
                    if (known.isRegularFile()) {
                        set(file, FILE);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path gone, IOException why) {
                    // Removed meanwhile, or not ours to look into; then its folder protects it.
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            LOG.warn(
                    "other users may read {} ({}); as its owner: chmod -R go-rwx {}",
                    path,
                    e.toString(),
                    path.toAbsolutePath());
        }
    }

    private static void set(Path path, Set<PosixFilePermission> wanted) throws IOException {
        Set<PosixFilePermission> now = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        if (!wanted.containsAll(now)) {
            Files.setPosixFilePermissions(path, wanted);
        }
    }

    private static FileAttribute<?>[] as(Path path, Set<PosixFilePermission> wanted) {
        return hasPermissions(path) ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(wanted)} : USUAL;
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
