package dev.penstock.jdbc;

import dev.penstock.dedupe.Dedupe;
import dev.penstock.dedupe.IdempotencyStore;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs a statement once for each key, and answers the same key with the same rows or count. Requests are the same when all
 * their values are. Those that {@linkplain JdbcRequest#reading only read} have no key.
 *
 * <p>Who writes to the very database that keeps the keys may do without: a unique column does the same in one transaction.
 */
public final class JdbcDedupe {
    private JdbcDedupe() {}

    /**
     * By a value or a name of the request.
     *
     * @param name as {@link JdbcRequest#key} takes it
     * @param store where keys are kept. The flow does not close it
     */
    public static Dedupe byKey(String name, IdempotencyStore store) {
        return byKey(name, store, List.of());
    }

    /**
     * By a value or a name of the request, for each value of others that tell clients apart.
     *
     * @param name as above
     * @param store where keys are kept. The flow does not close it
     * @param per the names of the others; a request that lacks one has it empty
     */
    public static Dedupe byKey(String name, IdempotencyStore store, List<String> per) {
        List<String> names = List.copyOf(per);
        return Dedupe.byKey(JdbcRequest.class, request -> key(request, name, names), store, new JdbcAnswerCodec())
                .by(names.isEmpty() ? name : name + " per " + String.join(", ", names))
                .fingerprint(JdbcRequest.class, JdbcDedupe::fingerprint);
    }

    private static @Nullable String key(JdbcRequest request, String name, List<String> per) {
        String key = request.key(name);
        if (key == null || key.isEmpty() || per.isEmpty()) {
            return key == null || key.isEmpty() ? null : key;
        }
        StringBuilder all = new StringBuilder();
        for (String other : per) {
            String value = request.key(other);
            all.append(value == null ? "" : value.length() + ":" + value).append('/');
        }
        return all.append(key).toString();
    }

    private static byte[] fingerprint(JdbcRequest request) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String name : new TreeSet<>(request.valueNames())) {
            Object value = request.value(name);
            String kind = value == null ? "" : value.getClass().getSimpleName();
            for (String part : List.of(name, kind, String.valueOf(value))) {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                all.writeBytes((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
                all.writeBytes(bytes);
            }
        }
        return all.toByteArray();
    }
}
