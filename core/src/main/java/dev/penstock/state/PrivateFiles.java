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
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates files and folders that only the user of this process can read: files with mode 0600, folders with 0700, regardless of
 * the umask. On file systems without POSIX permissions, as on Windows, they get the default permissions. Safe for many threads.
 */
public final class PrivateFiles {
    private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final String ROOT = "root";
    private static final FileAttribute<?>[] NO_ATTRIBUTES = {};

    private PrivateFiles() {}

    /**
     * Creates a folder and its missing parents. An existing folder keeps its permissions.
     *
     * @throws IOException the folder cannot be created
     */
    public static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder, attributes(folder, FOLDER));
    }

    /**
     * Creates the folder of a file, as {@link #createFolder} does.
     *
     * @throws IOException the folder cannot be created
     */
    public static void createFolderOf(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            createFolder(folder);
        }
    }

    /**
     * Creates an empty file and its missing parent folders. An existing file keeps its content and is made private.
     *
     * @throws IOException the file cannot be created
     */
    public static void createFile(Path file) throws IOException {
        createFolderOf(file);
        try {
            Files.createFile(file, attributes(file, FILE));
        } catch (FileAlreadyExistsException there) {
            tighten(file);
        }
    }

    /**
     * Removes the permissions of other users from a file, or from a folder and everything in it. Does nothing when the path
     * does not exist. Does not follow links. A failure is logged.
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
                    // Removed meanwhile, or not readable by this user; in that case its folder protects it.
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

    /**
     * Finds out whether others than the user of this process can read a file or a folder. A folder on the way that is closed to
     * others protects it. So does root as its owner, if only its group can read it: platforms give secrets to a process in this way.
     *
     * @return a text that continues "the file ..." and says what to do; null if they cannot, or nothing is there
     */
    public static @Nullable String exposure(Path path) {
        return exposure(path, System.getProperty("user.name", ""));
    }

    static @Nullable String exposure(Path path, String user) {
        try {
            Path real = path.toRealPath();
            if (!Files.getFileStore(real).supportsFileAttributeView("posix")
                    || !isOpen(real, user)
                    || Stream.iterate(real.getParent(), Objects::nonNull, Path::getParent)
                            .anyMatch(PrivateFiles::isClosed)) {
                return null;
            }
            return "other users can read; chmod " + (Files.isDirectory(real) ? "700 " : "600 ") + path.toAbsolutePath();
        } catch (IOException gone) {
            return null;
        }
    }

    private static boolean isOpen(Path real, String user) throws IOException {
        Set<PosixFilePermission> now = Files.getPosixFilePermissions(real);
        boolean folder = Files.isDirectory(real);
        boolean group = now.contains(PosixFilePermission.GROUP_READ)
                || (folder && now.contains(PosixFilePermission.GROUP_EXECUTE));
        boolean others = now.contains(PosixFilePermission.OTHERS_READ)
                || (folder && now.contains(PosixFilePermission.OTHERS_EXECUTE));
        boolean ofPlatform =
                !user.equals(ROOT) && Files.getOwner(real).getName().equals(ROOT);
        return others || (group && !ofPlatform);
    }

    private static boolean isClosed(Path folder) {
        try {
            Set<PosixFilePermission> now = Files.getPosixFilePermissions(folder);
            return !now.contains(PosixFilePermission.GROUP_EXECUTE)
                    && !now.contains(PosixFilePermission.OTHERS_EXECUTE);
        } catch (IOException unknown) {
            return false;
        }
    }

    private static void set(Path path, Set<PosixFilePermission> wanted) throws IOException {
        Set<PosixFilePermission> now = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        if (!wanted.containsAll(now)) {
            Files.setPosixFilePermissions(path, wanted);
        }
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> wanted) {
        return hasPermissions(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(wanted)}
                : NO_ATTRIBUTES;
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
