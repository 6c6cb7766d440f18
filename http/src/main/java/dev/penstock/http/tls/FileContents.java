package dev.penstock.http.tls;

import dev.penstock.text.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The contents of some files at one time.
 *
 * <h2>Design note</h2>
 *
 * <p>Changes are detected by content, not by modification time and size: rotation tools may preserve times, a renewed
 * certificate often has the same size, and file system clocks are coarse. Reading a few kilobytes every 10 s costs less than
 * one handshake, and the compared content is exactly what is parsed.
 */
final class FileContents {
    /** Maximum size of a file: 4 MiB, 20 times the largest bundle of public authorities. */
    static final int MAX_BYTES = 4 << 20;

    private final Map<Path, byte[]> files;

    private FileContents(Map<Path, byte[]> files) {
        this.files = files;
    }

    /**
     * Reads files.
     *
     * @throws FileProblem if one cannot be read
     */
    static FileContents read(Collection<Path> paths) {
        Map<Path, byte[]> files = new LinkedHashMap<>();
        paths.forEach(path -> files.put(path, bytes(path)));
        return new FileContents(files);
    }

    byte[] of(Path file) {
        byte[] bytes = files.get(file);
        if (bytes == null) {
            throw new IllegalStateException(file + " was not read");
        }
        return bytes;
    }

    /** Returns a digest of each file, for comparison, so that keys are not kept in memory. */
    Map<Path, String> digests() {
        Map<Path, String> digests = new LinkedHashMap<>();
        files.forEach((path, bytes) -> digests.put(path, digest(bytes)));
        return digests;
    }

    private static byte[] bytes(Path path) {
        try {
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                throw new FileProblem(path, "is not a regular file: name a PEM, PKCS12 or JKS file");
            }
            try (InputStream in = Files.newInputStream(path)) {
                return bounded(path, in.readNBytes(MAX_BYTES + 1));
            }
        } catch (NoSuchFileException e) {
            throw new FileProblem(
                    path, "does not exist: check the path, and whether the program that writes it has run", e);
        } catch (AccessDeniedException e) {
            throw new FileProblem(
                    path, "cannot be read, permission denied: allow the user of this process to read it", e);
        } catch (IOException e) {
            throw new FileProblem(path, "cannot be read (" + FileProblem.line(e) + "): check the disk it is on", e);
        }
    }

    private static byte[] bounded(Path path, byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new FileProblem(path, "is larger than 4 MiB, more than certificates need: name another file");
        }
        return bytes;
    }

    private static String digest(byte[] bytes) {
        return HexFormat.of().formatHex(Sha256.of(bytes));
    }
}
