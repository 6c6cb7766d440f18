package dev.penstock.jdbc;

import dev.penstock.Dedupe;
import dev.penstock.IdempotencyStore;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Dedupe} stage that executes a statement once for each key, and repeats the stored answer for later
 * requests with the same key. Two requests are the same when all their values are equal. Requests that {@linkplain
 * JdbcRequest#reading only read} have no key.
 *
 * <p>A flow that writes to the database which also stores the keys does not need this: a unique column does the same in
 * one transaction.
 */
public final class JdbcDedupe {
    private JdbcDedupe() {}

    /**
     * Takes the key from a value or a name of the request.
     *
     * @param name as for {@link JdbcRequest#key}
     * @param store stores keys and answers. The flow does not close it
     */
    public static Dedupe<JdbcRequest> byKey(String name, IdempotencyStore store) {
        return byKey(name, store, List.of());
    }

    /**
     * Takes the key from a value or a name of the request, separately for each combination of other values, such as
     * the tenant.
     *
     * @param name as for {@link JdbcRequest#key}
     * @param store stores keys and answers. The flow does not close it
     * @param per the names of the other values; a value that the request lacks counts as empty
     */
    public static Dedupe<JdbcRequest> byKey(String name, IdempotencyStore store, List<String> per) {
        List<String> names = List.copyOf(per);
        return Dedupe.byKey((JdbcRequest request) -> key(request, name, names), store, new JdbcAnswerCodec())
                .by(names.isEmpty() ? name : name + " per " + String.join(", ", names))
                .fingerprint(JdbcDedupe::fingerprint);
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
