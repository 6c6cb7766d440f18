package dev.penstock.jdbc;

import dev.penstock.AnswerCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serializes answers to bytes. A letter before each value gives its type, so that it is restored with that type. */
final class JdbcAnswerCodec implements AnswerCodec<JdbcAnswer> {
    private static final byte UPDATED = 'U';
    private static final byte ROWS = 'R';

    @Override
    public Class<JdbcAnswer> kind() {
        return JdbcAnswer.class;
    }

    @Override
    public byte[] encode(JdbcAnswer answer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            switch (answer) {
                case JdbcAnswer.Updated(long count) -> {
                    out.writeByte(UPDATED);
                    out.writeLong(count);
                }
                case JdbcAnswer.Rows(List<String> columns, List<List<@Nullable Object>> rows) -> {
                    out.writeByte(ROWS);
                    writeAll(columns, out);
                    writeAll(rows, out);
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void writeAll(List<?> all, DataOutputStream out) throws IOException {
        out.writeInt(all.size());
        for (Object value : all) {
            write(value, out);
        }
    }

    private static void write(@Nullable Object value, DataOutputStream out) throws IOException {
        switch (value) {
            case null -> out.writeByte('n');
            case String text -> write('s', text.getBytes(StandardCharsets.UTF_8), out);
            case Boolean bool -> out.writeByte(bool ? 't' : 'f');
            case Integer number -> {
                out.writeByte('i');
                out.writeInt(number);
            }
            case Long number -> {
                out.writeByte('l');
                out.writeLong(number);
            }
            case Double number -> {
                out.writeByte('d');
                out.writeDouble(number);
            }
            case Float number -> {
                out.writeByte('e');
                out.writeFloat(number);
            }
            case Number number -> write('b', number.toString().getBytes(StandardCharsets.UTF_8), out);
            case JsonText json -> write('j', json.text().getBytes(StandardCharsets.UTF_8), out);
            case byte[] bytes -> write('y', bytes, out);
            case List<?> list -> {
                out.writeByte('a');
                writeAll(list, out);
            }
            default ->
                throw new IllegalArgumentException(
                        "cannot serialize a value of type " + value.getClass().getName());
        }
    }

    private static void write(char kind, byte[] bytes, DataOutputStream out) throws IOException {
        out.writeByte(kind);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public JdbcAnswer decode(byte[] bytes) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            return switch (in.readByte()) {
                case UPDATED -> new JdbcAnswer.Updated(in.readLong());
                case ROWS -> rows(in);
                default -> throw new IllegalArgumentException("not a serialized database answer: unknown type");
            };
        } catch (IOException tooFew) {
            throw new UncheckedIOException("truncated database answer", tooFew);
        }
    }

    private static JdbcAnswer rows(DataInputStream in) throws IOException {
        List<String> columns = readAll(in).stream().map(String::valueOf).toList();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Object row : readAll(in)) {
            rows.add(row(row));
        }
        return new JdbcAnswer.Rows(columns, rows);
    }

    @SuppressWarnings("unchecked") // encode() writes each row as such a list
    private static List<@Nullable Object> row(@Nullable Object row) {
        if (row instanceof List<?> list) {
            return (List<@Nullable Object>) list;
        }
        throw new IllegalArgumentException("not a serialized database answer: a row is missing");
    }

    private static List<@Nullable Object> readAll(DataInputStream in) throws IOException {
        int size = in.readInt();
        List<@Nullable Object> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            all.add(read(in));
        }
        return all;
    }

    private static @Nullable Object read(DataInputStream in) throws IOException {
        return switch (in.readByte()) {
            case 'n' -> null;
            case 's' -> text(in);
            case 't' -> true;
            case 'f' -> false;
            case 'i' -> in.readInt();
            case 'l' -> in.readLong();
            case 'd' -> in.readDouble();
            case 'e' -> in.readFloat();
            case 'b' -> new BigDecimal(text(in));
            case 'j' -> new JsonText(text(in));
            case 'y' -> bytes(in);
            case 'a' -> readAll(in);
            default -> throw new IllegalArgumentException("not a serialized database answer: unknown value type");
        };
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(bytes(in), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IllegalArgumentException("truncated database answer");
        }
        return in.readNBytes(length);
    }
}
