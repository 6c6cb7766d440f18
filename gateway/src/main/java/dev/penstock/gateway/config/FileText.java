package dev.penstock.gateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a file of limited size. */
public final class FileText {
    /** The maximum file size: 1 MB. */
    static final int MAX_BYTES = 1024 * 1024;

    private FileText() {}

    /** The text of a flow file, which must be UTF-8. Reports an unreadable file and returns null. */
    static @Nullable String read(Path file, ConfigProblems problems) {
        byte[] bytes = bytes(file, "flow file", problems);
        return bytes == null ? null : decode(bytes, problems);
    }

    /**
     * The bytes of a file. Reports an unreadable file and returns null.
     *
     * @param kind the expected kind of file, for messages
     */
    public static byte @Nullable [] bytes(Path file, String kind, ConfigProblems problems) {
        if (Files.isDirectory(file)) {
            return refuse(problems, "this is a directory; give the " + kind + " itself");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException missing) {
            return refuse(problems, "file not found; check the path");
        } catch (IOException unreadable) {
            return refuse(problems, "cannot read the file; check its permissions (" + why(unreadable) + ")");
        }
        if (bytes.length > MAX_BYTES) {
            return refuse(problems, "the file is larger than the maximum of 1 MB; check that it is the " + kind);
        }
        return bytes;
    }

    private static byte @Nullable [] refuse(ConfigProblems problems, String text) {
        problems.add(text);
        return null;
    }

    private static String why(IOException unreadable) {
        return unreadable.getClass().getSimpleName();
    }

    private static @Nullable String decode(byte[] bytes, ConfigProblems problems) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            problems.add(endOf(text), "this is not UTF-8 text; save the file as UTF-8");
            return null;
        }
        if (text.isBlank()) {
            problems.add(FileLocation.START, "the file is empty; begin with flows:");
            return null;
        }
        return text;
    }

    /** The location of the next character after a text. */
    static FileLocation endOf(String text) {
        int lines = (int) text.chars().filter(c -> c == '\n').count();
        int lineStart = text.lastIndexOf('\n') + 1;
        return new FileLocation(lines + 1, text.codePointCount(lineStart, text.length()) + 1);
    }
}
