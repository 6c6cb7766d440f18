package dev.penstock.gateway.callers;

import dev.penstock.gateway.config.FilePath;
import dev.penstock.text.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The callers of a key file: one in a line, with its name, the SHA-256 of its key, and limits of its own. Empty lines and those
 * that begin with {@code #} are comments. Immutable.
 */
final class ApiKeyFile {
    private static final long MAX_BYTES = 64 << 20;

    /** The hash of an unknown name: to compare it takes as long as that of a known one. */
    private static final byte[] NONE = new byte[32];

    private final Map<String, byte[]> hashes = new HashMap<>();
    private final Map<String, Caller> callers = new HashMap<>();

    private ApiKeyFile() {}

    /**
     * Reads a key file.
     *
     * @param others a caller with the limits that apply where a line has none
     * @throws IOException it cannot be used; the message continues "the file ..." and says what to do
     */
    static ApiKeyFile read(Path file, Caller others) throws IOException {
        FilePath.requirePrivate(file);
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("is larger than 64 MB; check its path");
        }
        ApiKeyFile keys = new ApiKeyFile();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            try {
                keys.add(line.strip(), others);
            } catch (IllegalArgumentException wrong) {
                throw new IOException("in line " + number + " " + wrong.getMessage(), wrong);
            }
        }
        return keys;
    }

    private void add(String line, Caller others) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        List<String> words = Arrays.asList(line.split("\\s+"));
        String name = words.getFirst();
        if (words.size() < 2 || !ApiKey.isName(name) || !words.get(1).matches("[0-9a-fA-F]{64}")) {
            throw new IllegalArgumentException("has no caller; write NAME HASH as penstock key new NAME prints them");
        }
        callers.put(name, others.named(name).with(words.subList(2, words.size())));
        if (hashes.put(name, HexFormat.of().parseHex(words.get(1))) != null) {
            throw new IllegalArgumentException("has the caller " + name + " a second time; remove one of the lines");
        }
    }

    /** The caller with this key; null when there is none. */
    @Nullable
    Caller caller(String key) {
        String name = ApiKey.nameIn(key);
        boolean same = MessageDigest.isEqual(Sha256.of(key), hashes.getOrDefault(name, NONE));
        return same ? callers.get(name) : null;
    }

    /** The caller of a name that was proved by other means, with the limits of its line if there is one. */
    Caller named(String name, Caller others) {
        Caller known = callers.get(name);
        return known == null ? others.named(name) : known;
    }
}
