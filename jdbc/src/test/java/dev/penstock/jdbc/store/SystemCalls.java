package dev.penstock.jdbc.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a process did to the files of one folder, and the lines it printed, in order, recorded by strace.
 *
 * <p>A line counts from the beginning of its write, any other operation from its end, so no operation counts too early.
 */
final class SystemCalls {
    /** The system calls that can change a file; {@link #read} fails on one that it cannot replay. */
    static final String TRACED =
            "openat,pwrite64,write,writev,pwritev,pwritev2,fallocate,fsync,fdatasync,ftruncate,unlink,"
                    + "unlinkat,rename,renameat,renameat2,mmap,msync,sendfile,copy_file_range";

    private static final Pattern CALL = Pattern.compile("(\\w+)\\((.*)\\)\\s+= (-?\\d+)(.*)", Pattern.DOTALL);
    private static final Pattern FILE = Pattern.compile("(\\d+)<([^>]*)>(?:, )?(.*)", Pattern.DOTALL);
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"(.*)", Pattern.DOTALL);
    private static final String UNFINISHED = "<unfinished ...>";
    private static final Pattern RESUMED = Pattern.compile("<\\.\\.\\. \\w+ resumed>(.*)", Pattern.DOTALL);

    private final String folder;
    private final List<Operation> operations = new ArrayList<>();
    private final Map<String, String> unfinished = new HashMap<>();

    private SystemCalls(Path folder) {
        this.folder = folder.toString();
    }

    /** One operation. Names are those of files in the folder. */
    sealed interface Operation {
        /** A file was created, unless it existed. */
        record Create(String name) implements Operation {}

        /** Bytes were written. */
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Write(String name, long offset, byte[] bytes) implements Operation {}

        /** A file was truncated, or extended by zeros. */
        record Truncate(String name, long size) implements Operation {}

        /** A file was synced: fsync or fdatasync. */
        record Sync(String name) implements Operation {}

        /** The folder was synced. */
        record SyncFolder() implements Operation {}

        /** A file was removed. */
        record Unlink(String name) implements Operation {}

        /** A line was printed. */
        record Line(String text) implements Operation {}
    }

    /** Reads the output of {@code strace -f -y -xx -s 10000000 -e trace=}{@value #TRACED}. */
    static List<Operation> read(Path trace, Path folder) throws IOException {
        SystemCalls calls = new SystemCalls(folder);
        try (BufferedReader lines = Files.newBufferedReader(trace, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int space = line.indexOf(' ');
                calls.add(line.substring(0, space), line.substring(space).strip());
            }
        }
        return calls.operations;
    }

    private void add(String thread, String text) {
        if (text.endsWith(UNFINISHED)) {
            String begun =
                    text.substring(0, text.length() - UNFINISHED.length()).strip();
            if (begun.startsWith("write(1<")) {
                line(begun);
            } else {
                unfinished.put(thread, begun);
            }
            return;
        }
        Matcher resumed = RESUMED.matcher(text);
        String whole = resumed.matches() ? unfinished.remove(thread) + resumed.group(1) : text;
        if (whole.startsWith("write(1<")) {
            line(whole);
            return;
        }
        Matcher call = CALL.matcher(whole);
        if (call.matches() && !call.group(3).startsWith("-")) {
            done(call.group(1), call.group(2), Integer.parseInt(call.group(3)));
        }
    }

    private void line(String call) {
        String text = new String(bytes(call.substring(call.indexOf('"'))), StandardCharsets.UTF_8);
        operations.add(new Operation.Line(text.strip()));
    }

    private void done(String name, String arguments, int result) {
        switch (name) {
            case "openat" -> opened(arguments.substring(arguments.indexOf('"')));
            case "unlink" -> {
                String path = name(decoded(arguments));
                if (path != null) {
                    operations.add(new Operation.Unlink(path));
                }
            }
            case "rename", "renameat", "renameat2", "unlinkat" -> {
                if (arguments.contains(encoded(folder))) {
                    throw new IllegalStateException("cannot replay " + name);
                }
            }
            default -> onFile(name, arguments, result);
        }
    }

    private void opened(String arguments) {
        String path = name(decoded(arguments));
        if (path != null && arguments.contains("O_CREAT")) {
            operations.add(new Operation.Create(path));
        }
        if (path != null && arguments.contains("O_TRUNC")) {
            operations.add(new Operation.Truncate(path, 0));
        }
    }

    private void onFile(String call, String arguments, int result) {
        Matcher file = FILE.matcher(call.equals("mmap") ? mapped(arguments) : arguments);
        if (!file.matches()) {
            return;
        }
        String path = text(file.group(2));
        String rest = file.group(3);
        boolean sync = call.equals("fsync") || call.equals("fdatasync");
        if (path.equals(folder) && sync) {
            operations.add(new Operation.SyncFolder());
        }
        String name = name(path);
        if (name == null) {
            return;
        }
        switch (call) {
            case "fsync", "fdatasync" -> operations.add(new Operation.Sync(name));
            case "ftruncate" -> operations.add(new Operation.Truncate(name, Long.parseLong(rest)));
            case "pwrite64" -> {
                byte[] bytes = bytes(rest);
                if (bytes.length != result) {
                    throw new IllegalStateException("a write of " + bytes.length + " bytes wrote " + result);
                }
                operations.add(
                        new Operation.Write(name, Long.parseLong(rest.substring(rest.lastIndexOf(' ') + 1)), bytes));
            }
            default -> throw new IllegalStateException("cannot replay " + call + " of " + name);
        }
    }

    /** The file of a mapping, if the mapping is writable. */
    private static String mapped(String arguments) {
        boolean isWritten = arguments.contains("PROT_WRITE") && arguments.contains("MAP_SHARED");
        Matcher file = Pattern.compile(".*, (\\d+<[^>]*>, .*)").matcher(arguments);
        return isWritten && file.matches() ? file.group(1) : "";
    }

    /**
     * The name of a file in the folder; null for others. Shared memory holds no data and is created anew at each start.
     */
    private @Nullable String name(String path) {
        String name = path.startsWith(folder + "/") ? path.substring(folder.length() + 1) : null;
        return name == null || name.endsWith("-shm") || name.contains("/") ? null : name;
    }

    private static String decoded(String quoted) {
        return new String(bytes(quoted), StandardCharsets.UTF_8);
    }

    private static String text(String hex) {
        return new String(unescaped(hex), StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        StringBuilder all = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            all.append("\\x").append(HexFormat.of().toHexDigits(each));
        }
        return all.toString();
    }

    private static byte[] bytes(String quoted) {
        Matcher matcher = QUOTED.matcher(quoted);
        if (!matcher.matches() || matcher.group(2).startsWith("...")) {
            throw new IllegalStateException(
                    "strace has cut a text: " + quoted.substring(0, Math.min(80, quoted.length())));
        }
        return unescaped(matcher.group(1));
    }

    private static byte[] unescaped(String hex) {
        byte[] bytes = new byte[hex.length() / 4];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) HexFormat.fromHexDigits(hex, 4 * at + 2, 4 * at + 4);
        }
        return bytes;
    }
}
