package dev.penstock.kafka.source;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is committed with an offset: the completed offsets above it, and the attempts of the others.
 *
 * <h2>Design note</h2>
 *
 * <p>A broker keeps up to 4,096 characters with an offset ({@code offset.metadata.max.bytes}). Attempts take at most half of
 * them, completed offsets the rest: as run lengths, or as a bit set if that reaches further or is shorter. About 24,000 offsets
 * fit as bits, and any number in at least 500 runs. What does not fit is left out, from the highest offset down, so a restart
 * repeats it.
 *
 * @param isClosed whether the consumer that committed it processes no record of the partition any more
 * @param completed ascending, and none of them empty or overlapping
 * @param attempts of records that are not completed; by offset
 */
record CommitMetadata(boolean isClosed, List<Range> completed, NavigableMap<Long, Attempts> attempts) {
    /** The maximum length of the text, that of a broker by default. */
    static final int MAX_LENGTH = 4_096;

    private static final String PREFIX = "penstock1 ";
    private static final int MAX_BYTES = (MAX_LENGTH - PREFIX.length()) / 4 * 3;
    private static final int CLOSED = 1;
    private static final int BITS = 2;
    private static final int LONGEST_VARINT = 10;

    /** Offsets {@code from} to {@code to - 1}. */
    record Range(long from, long to) {}

    /** How many attempts of a record have begun, and whether the last one has not ended. */
    record Attempts(int count, boolean isRunning) {}

    /** The text to commit, and whether everything fitted. */
    record Encoded(String text, boolean isWhole) {}

    /** Encoded completed offsets: all below {@code end}. */
    private record Part(ByteArrayOutputStream bytes, long end) {}

    /** The text to commit with an offset. */
    Encoded encode(long offset) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream counted = new ByteArrayOutputStream();
        boolean isWhole = encodeAttempts(offset, counted);
        int room = MAX_BYTES - 1 - 2 * LONGEST_VARINT - counted.size();
        Part runs = runs(offset, room);
        Part bits = bits(offset, room);
        boolean useBits = bits.end() > runs.end()
                || (bits.end() == runs.end()
                        && bits.bytes().size() < runs.bytes().size());
        out.write((isClosed ? CLOSED : 0) | (useBits ? BITS : 0));
        write(out, offset);
        write(out, counted.size());
        out.writeBytes(counted.toByteArray());
        out.writeBytes((useBits ? bits : runs).bytes().toByteArray());
        isWhole &= completed.isEmpty()
                || Math.max(bits.end(), runs.end()) == completed.getLast().to();
        return new Encoded(PREFIX + Base64.getEncoder().withoutPadding().encodeToString(out.toByteArray()), isWhole);
    }

    private boolean encodeAttempts(long offset, ByteArrayOutputStream out) {
        long previous = offset;
        for (Map.Entry<Long, Attempts> one : attempts.entrySet()) {
            if (out.size() + 2 * LONGEST_VARINT > MAX_BYTES / 2) {
                return false;
            }
            write(out, one.getKey() - previous);
            write(out, one.getValue().count() * 2L + (one.getValue().isRunning() ? 1 : 0));
            previous = one.getKey();
        }
        return true;
    }

    /** The lengths of an unfinished run, a completed one, and so on. */
    private Part runs(long offset, int room) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long end = offset;
        for (Range range : completed) {
            if (out.size() + 2 * LONGEST_VARINT > room) {
                break;
            }
            write(out, range.from() - end);
            write(out, range.to() - range.from());
            end = range.to();
        }
        return new Part(out, end);
    }

    private Part bits(long offset, int room) {
        BitSet set = new BitSet();
        long limit = offset + room * 8L;
        long end = offset;
        for (Iterator<Range> all = completed.iterator(); all.hasNext() && end < limit; ) {
            Range range = all.next();
            if (range.from() >= limit) {
                break;
            }
            end = Math.min(limit, range.to());
            set.set((int) (range.from() - offset), (int) (end - offset));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(set.toByteArray());
        return new Part(out, end);
    }

    private static void write(ByteArrayOutputStream out, long value) {
        long rest = value;
        for (; rest >>> 7 != 0; rest >>>= 7) {
            out.write((int) ((rest & 0x7f) | 0x80));
        }
        out.write((int) rest);
    }

    /**
     * Reads what was committed with an offset. A text of another origin, or of another offset, is ignored: it cannot show what
     * is completed.
     */
    static CommitMetadata decode(long offset, @Nullable String text) {
        CommitMetadata nothing = new CommitMetadata(false, List.of(), new TreeMap<>());
        if (text == null || !text.startsWith(PREFIX)) {
            return nothing;
        }
        try {
            ByteBuffer in = ByteBuffer.wrap(Base64.getDecoder().decode(text.substring(PREFIX.length())));
            int flags = in.get();
            return read(in) == offset ? decode(offset, flags, in) : nothing;
        } catch (RuntimeException damaged) {
            return nothing;
        }
    }

    private static CommitMetadata decode(long offset, int flags, ByteBuffer in) {
        NavigableMap<Long, Attempts> attempts = new TreeMap<>();
        int attemptBytes = (int) read(in);
        int end = in.position() + attemptBytes;
        long previous = offset;
        while (in.position() < end) {
            previous += read(in);
            long count = read(in);
            attempts.put(previous, new Attempts((int) (count / 2), count % 2 == 1));
        }
        return new CommitMetadata(
                (flags & CLOSED) != 0, (flags & BITS) != 0 ? fromBits(offset, in) : fromRuns(offset, in), attempts);
    }

    private static List<Range> fromRuns(long offset, ByteBuffer in) {
        List<Range> completed = new ArrayList<>();
        long end = offset;
        while (in.hasRemaining()) {
            long from = end + read(in);
            end = from + read(in);
            completed.add(new Range(from, end));
        }
        return completed;
    }

    private static List<Range> fromBits(long offset, ByteBuffer in) {
        BitSet set = BitSet.valueOf(in);
        List<Range> completed = new ArrayList<>();
        for (int from = set.nextSetBit(0); from >= 0; ) {
            int to = set.nextClearBit(from);
            completed.add(new Range(offset + from, offset + to));
            from = set.nextSetBit(to);
        }
        return completed;
    }

    private static long read(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
