package dev.penstock.state;

import java.io.File;
import java.nio.file.Path;

/** The free space of the disk of a file or folder. */
public final class DiskSpace {
    private static final long MB = 1 << 20;

    private DiskSpace() {}

    /** The bytes that this user may still write; {@link Long#MAX_VALUE} when the file system does not report its size. */
    public static long usable(Path path) {
        File file = path.toFile();
        return file.getTotalSpace() == 0 ? Long.MAX_VALUE : file.getUsableSpace();
    }

    /** Half a sentence for messages, such as {@code the disk of /data/state has 12 MB free}. */
    public static String describe(Path path) {
        long usable = usable(path);
        String free = usable == Long.MAX_VALUE ? "an unknown number of MB" : usable / MB + " MB";
        return "the disk of " + path + " has " + free + " free";
    }
}
