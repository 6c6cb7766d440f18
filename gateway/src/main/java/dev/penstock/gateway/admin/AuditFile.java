package dev.penstock.gateway.admin;

import dev.penstock.state.PrivateFiles;
import dev.penstock.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Map;

/**
 * A file with a line of JSON for each change. It is opened for each line, so that it may be moved away at any time; nothing
 * else bounds its size. Thread-safe.
 */
final class AuditFile {
    private final Path file;
    private final InstantSource clock;

    /** @throws IOException the file cannot be written; the message says what to do */
    AuditFile(Path file, InstantSource clock) throws IOException {
        this.file = file;
        this.clock = clock;
        try {
            append("");
        } catch (IOException unwritable) {
            throw new IOException(
                    "cannot write " + file + " (" + unwritable + "): make it writable, or change admin.audit",
                    unwritable);
        }
    }

    /** @param of what is changed */
    synchronized void add(String by, String change, Map<String, Object> of, String from, String to) throws IOException {
        Map<String, Object> line = Json.object("at", clock.instant().toString(), "by", by, "change", change);
        line.putAll(of);
        line.putAll(Json.object("from", from, "to", to));
        append(Json.write(line) + "\n");
    }

    private void append(String line) throws IOException {
        if (!Files.exists(file)) { // afterwards the operator decides who may read it
            PrivateFiles.createFile(file);
        }
        Files.writeString(file, line, StandardOpenOption.APPEND, StandardOpenOption.DSYNC);
    }
}
